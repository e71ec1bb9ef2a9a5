/** The flags of `assay list`. */
import { Argument, Command } from 'commander'
import { list } from '../flags.ts'
import type { Listed, ListOptions } from '../list.ts'

const LISTED: Listed[] = ['engines', 'clauses', 'operations', 'checks', 'faults', 'variants']

export const listCommand = (): Command =>
  new Command('list')
    .description('list clauses, checks, operations, faults, variants or engines')
    .addArgument(new Argument('<what>', 'what to list').choices(LISTED))
    .option('--engine <names>', 'only of these engines', list)
    .option('--json', 'as a JSON array')
    .action(async (what: Listed, options: ListOptions) => (await import('../list.ts')).listAll(what, options))
