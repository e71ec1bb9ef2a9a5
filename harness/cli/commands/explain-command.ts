/** The flags of `assay explain`. */
import { Command } from 'commander'
import type { ExplainOptions } from '../explain.ts'

export const explainCommand = (): Command =>
  new Command('explain')
    .description('explain a clause, check, operation, fault or variant')
    .argument('<id>', 'its id')
    .option('--json', 'as a JSON object')
    .action(async (id: string, options: ExplainOptions) => (await import('../explain.ts')).explain(id, options))
