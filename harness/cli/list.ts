/** `assay list`: what there is. */
import { requireKnown } from '../base/usage.ts'
import { isRunnable } from '../checks/check.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { checkCosts } from '../planning/check-costs.ts'
import { effortLevels } from '../planning/effort-levels.ts'
import { EFFORTS } from '../target/configured-names.ts'

interface Item {
  id: string
  engine?: string
  title: string
  [more: string]: unknown
}

export type Listed = 'engines' | 'clauses' | 'operations' | 'checks' | 'faults' | 'variants'

export interface ListOptions {
  engine?: string[]
  json?: boolean
}

// Engines and clauses are listed at once: suites and the reference server are loaded where they are asked for.
const allChecks = async (contract: Contract) => (await import('../planning/catalogue.ts')).catalogue(contract, [...contract.engines.keys()])
const mutations = () => import('../../reference/faults/index.ts')

const PRODUCERS: Record<Listed, (contract: Contract) => Item[] | Promise<Item[]>> = {
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
  checks: async (contract) => {
    const [costOf, levelOf] = [checkCosts(), effortLevels()]
    return (await allChecks(contract)).map((check) => {
      const { id, engine, kind, title, clauses, needs } = check
      // What schemas decide of all answers is tried at every effort and sends nothing.
      const cost = isRunnable(check) ? { effort: levelOf(check), ...costOf(check) } : { effort: EFFORTS[0], requests: 0, seconds: 0 }
      return { id, engine, kind, ...cost, title, clauses, needs }
    })
  },
  faults: async () => (await mutations()).allFaults.map(({ id, engine, title, clauses }) => ({ id, engine, title, clauses })),
  variants: async () => (await mutations()).allVariants.map(({ id, engine, title, reading }) => ({ id, engine, title, reading })),
}

/** What a check costs, in words; undefined for what is none. */
const costText = ({ requests, seconds }: Item): string | undefined =>
  requests === undefined ? undefined : `${requests} requests${seconds === 0 ? '' : `, ${seconds} s`}`

/** Prints what there is. @throws UsageError for an unknown engine. */
export const listAll = async (what: Listed, { engine: engines, json }: ListOptions): Promise<void> => {
  const contract = await loadContract()
  requireKnown('engine', engines ?? [], [...contract.engines.keys()])
  const items = (await PRODUCERS[what](contract)).filter((item) => engines === undefined || engines.includes(item.engine ?? item.id))
  if (json === true) process.stdout.write(`${JSON.stringify(items)}\n`)
  else
    for (const item of items)
      process.stdout.write(
        `${[item.id, item.level, item.kind, item.effort, costText(item), item.title].filter((part) => part !== undefined).join('  ')}\n`,
      )
}
