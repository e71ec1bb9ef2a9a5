/** `assay prove`: faults and variants of the reference server against the checks. */
import { Command } from 'commander'
import PQueue from 'p-queue'
import { allFaults as faults } from '../../reference/faults/index.ts'
import { allVariants as variants } from '../../reference/variants/index.ts'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { startBackends } from '../backends/ladder.ts'
import { requireKnown } from '../base/usage.ts'
import type { CheckDefinition } from '../checks/types.ts'
import { loadContract } from '../contract/load.ts'
import type { Contract } from '../contract/types.ts'
import { localJournal } from '../run/backends.ts'
import { catalogue } from '../run/catalogue.ts'
import { Journal } from '../run/journal.ts'
import { backendsOf } from '../run/plan.ts'
import { type WireFault, wireFaults } from '../run/wire-faults.ts'
import { list, seedNumber } from './flags.ts'
import { removeAbandoned } from './leftovers.ts'
import { namedMutations } from './mutations.ts'
import { alarmsOf, type Baseline, baselineOf, type ProofContext, runInstance, tryFault } from './proof.ts'
import { packs, tryVariants } from './proof-variants.ts'
import { conclude, type Proof } from './prove-report.ts'
import { requireRungs, requireState, requireWritable } from './surroundings.ts'
import { tryTransport } from './transport.ts'

interface ProveOptions {
  engine?: string[]
  fault?: string[]
  variant?: string[]
  singly?: boolean
  seed: number
  out: string
  json?: boolean
}

const AT_ONCE = 4

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

interface Selected {
  engines: string[]
  faults: typeof faults
  variants: typeof variants
}

const select = (contract: Contract, options: ProveOptions): Selected => {
  const known = [...contract.engines.keys()]
  requireKnown('engine', options.engine ?? [], known)
  const named = options.fault !== undefined || options.variant !== undefined
  const ofEngine = ({ engine }: { engine: string }): boolean => options.engine?.includes(engine) ?? true
  const { faults: chosen, variants: legal } = named
    ? namedMutations(options)
    : { faults: faults.filter(ofEngine), variants: variants.filter(ofEngine) }
  const engines = new Set([...chosen, ...legal].map(({ engine }) => engine))
  // Sweeps of the first engine run over the operations of others: it needs one that has some.
  return {
    engines: known.filter((engine) => engines.has(engine) || (engines.has('core') && engine === 'kv')),
    faults: chosen,
    variants: legal,
  }
}

const MOST_BORROWED = 3

const operationEngine = (contract: Contract, { operation }: CheckDefinition): string[] =>
  operation === undefined ? [] : [contract.operations.get(operation)!.engine]

/** Sweeps decide some clauses only over operations of other engines: a few such checks, of those that need nothing installed. */
const borrowedChecks = async (contract: Contract, selected: Selected, own: CheckDefinition[]): Promise<CheckDefinition[]> => {
  const decided = new Set(own.flatMap((check) => check.clauses))
  const undecided = new Set(selected.faults.flatMap((fault) => fault.clauses).filter((clause) => !decided.has(clause)))
  if (undecided.size === 0) return []
  const all = await catalogue(contract, [...contract.engines.keys()], selected.engines)
  const plain = all.filter((check) => check.operation !== undefined && (check.needs.backends ?? []).length === 0)
  return [...undecided].flatMap((clause) => plain.filter((check) => check.clauses.includes(clause)).slice(0, MOST_BORROWED))
}

/** Required clauses that a check decides and no fault of the selection kills. */
const unprovenClauses = (
  contract: Contract,
  checks: CheckDefinition[],
  kills: KillRecord[],
  wire: WireFault[],
  { engines, faults: chosen }: Selected,
): string[] => {
  // A narrowed proof leaves to the whole one what only faults of other engines show.
  const elsewhere = new Set(faults.filter((fault) => !chosen.includes(fault)).flatMap(({ clauses }) => clauses))
  const proven = new Set([
    ...kills.filter((kill) => kill.state === 'killed').flatMap((kill) => kill.clauses),
    ...wire.filter((fault) => fault.killed).flatMap((fault) => fault.clauses),
  ])
  const decided = new Set(checks.flatMap((check) => check.clauses))
  return [...contract.clauses.values()]
    .filter((clause) => engines.includes(clause.engine) && clause.level === 'required' && decided.has(clause.id))
    .filter(({ id }) => !proven.has(id) && !elsewhere.has(id))
    .map((clause) => clause.id)
}

const proveAll = async (
  proof: ProofContext,
  all: CheckDefinition[],
  baseline: Baseline,
  selected: Selected,
  options: ProveOptions,
): Promise<Pick<Proof, 'kills' | 'variants'>> => {
  const queue = new PQueue({ concurrency: AT_ONCE })
  let done = 0
  const total = selected.faults.length + selected.variants.length
  const tick = <T extends { state: string }>(id: string, record: T): T => {
    done += 1
    if (!['killed', 'calm'].includes(record.state)) say(`${record.state}: ${id}`)
    else if (done % 25 === 0) say(`${done}/${total}`)
    return record
  }
  const kills = selected.faults.map((fault) => queue.add(async () => tick(fault.id, await tryFault(proof, all, baseline, fault))))
  const calm = packs(selected.variants, options.singly === true ? 1 : undefined).map((pack) => {
    const checks = all.filter(({ engine }) => engine === pack[0]!.engine || (pack[0]!.engine === 'core' && engine === 'kv'))
    return queue.add(async () => (await tryVariants(proof, checks, pack)).map((record) => tick(record.variant, record)))
  })
  return { kills: (await Promise.all(kills)) as Proof['kills'], variants: (await Promise.all(calm)).flat() as VariantRecord[] }
}

const prove = async (options: ProveOptions): Promise<number> => {
  const begun = performance.now()
  requireWritable(options.out)
  requireRungs()
  const contract = await loadContract()
  const selected = select(contract, options)
  const own = await catalogue(contract, selected.engines)
  const every = [...new Map([...own, ...(await borrowedChecks(contract, selected, own))].map((check) => [check.id, check])).values()]
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort(new Error('interrupted')))
  const needed = backendsOf(every)
  if (needed.length > 0) requireState()
  await removeAbandoned()
  const journal = new Journal('prove')
  const backends = await startBackends(needed, {
    external: {},
    journal: localJournal(journal),
    onProgress: say,
    signal: abort.signal,
  })
  try {
    const all = every.filter((check) => (check.needs.backends ?? []).every((name) => backends.handles[name] !== undefined))
    const proof: ProofContext = {
      contract,
      seed: options.seed,
      engines: [...new Set([...selected.engines, ...every.flatMap((check) => operationEngine(contract, check))])],
      backends: backends.handles,
      missingBackends: backends.missing,
      signal: abort.signal,
    }
    say(`a clean run first: ${all.length} checks of ${selected.engines.join(', ')}`)
    const baseline = baselineOf(await runInstance(proof, all, { recording: true }))
    const alarms = alarmsOf(contract, baseline.instance.runs)
    const wire = wireFaults(baseline.instance.context.ledger)
    say(`${selected.faults.length} faults and ${selected.variants.length} variants, ${wire.length} wire faults`)
    const named = options.fault !== undefined || options.variant !== undefined
    const transport = named ? [] : await tryTransport(proof, all, baseline)
    const tried = await proveAll(proof, all, baseline, selected, options)
    const unproven = named ? [] : unprovenClauses(contract, all, tried.kills, wire, selected)
    const result: Proof = { ...tried, wire, transport, unproven, alarms, seconds: Math.round((performance.now() - begun) / 1000) }
    return conclude(result, options)
  } finally {
    await backends.stop()
    journal.close()
  }
}

export const proveCommand = (): Command =>
  new Command('prove')
    .description('prove that the checks catch what they claim to catch, and nothing else')
    .option('--engine <names>', 'only faults and variants of these engines', list)
    .option('--fault <ids>', 'only these faults', list)
    .option('--variant <ids>', 'only these variants', list)
    .option('--singly', 'each variant in a server of its own, instead of several that change different things')
    .option('--seed <n>', 'seed of everything generated', seedNumber, 1)
    .option('--out <dir>', 'folder of proof.json and proof.html', 'assay-report')
    .option('--json', 'print the proof as one JSON object on stdout')
    .action(async (options: ProveOptions) => {
      process.exitCode = await prove(options)
    })
