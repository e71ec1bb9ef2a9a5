/** `assay list`: what there is. */
import { Argument, Command } from 'commander'
import { allFaults as faults, allVariants as variants } from '../../reference/mutations/index.ts'
import { requireKnown } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { catalogue } from '../planning/catalogue.ts'
import { list } from './flags.ts'

interface Item {
  id: string
  engine?: string
  title: string
  [more: string]: unknown
}

const producers: Record<string, (contract: Contract) => Item[] | Promise<Item[]>> = {
  engines: (contract) => [...contract.engines.values()].map(({ id, title, api }) => ({ id, title, api })),
  clauses: (contract) =>
    [...contract.clauses.values()].map(({ id, engine, level, text, document, section, reading, ruling, splitFrom, excluded }) => ({
      id,
      engine,
      level,
      title: text,
      document,
      section,
      ...(reading === undefined ? {} : { reading }),
      ...(ruling === undefined ? {} : { ruling }),
      ...(splitFrom === undefined ? {} : { splitFrom }),
      ...(excluded === undefined ? {} : { excluded }),
    })),
  operations: (contract) =>
    [...contract.operations.values()].map(({ id, engine, method, path, summary, isList }) => ({
      id,
      engine,
      title: summary,
      method,
      path,
      list: isList,
    })),
  checks: async (contract) =>
    (await catalogue(contract, [...contract.engines.keys()])).map(({ id, engine, kind, title, clauses, needs }) => ({
      id,
      engine,
      kind,
      title,
      clauses,
      needs,
    })),
  faults: () => faults.map(({ id, engine, title, clauses }) => ({ id, engine, title, clauses })),
  variants: () => variants.map(({ id, engine, title, reading }) => ({ id, engine, title, reading })),
}

export const listCommand = (): Command =>
  new Command('list')
    .description('list clauses, checks, operations, faults, variants or engines')
    .addArgument(new Argument('<what>', 'what to list').choices(Object.keys(producers)))
    .option('--engine <names>', 'only of these engines', list)
    .option('--json', 'as a JSON array')
    .action(async (what: string, options: { engine?: string[]; json?: boolean }) => {
      const contract = await loadContract()
      requireKnown('engine', options.engine ?? [], [...contract.engines.keys()])
      const items = (await producers[what]!(contract)).filter(
        (item) => options.engine === undefined || options.engine.includes(item.engine ?? item.id),
      )
      if (options.json === true) process.stdout.write(`${JSON.stringify(items)}\n`)
      else
        for (const item of items)
          process.stdout.write(`${[item.id, item.level, item.kind, item.title].filter((part) => part !== undefined).join('  ')}\n`)
    })
