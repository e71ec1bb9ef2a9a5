/** `assay prove`: faults and variants of the reference server against the checks. */
import { Command } from 'commander'
import { allFaults as faults, allVariants as variants } from '../../reference/mutations/index.ts'
import { startBackends } from '../backends/ladder.ts'
import { requireKnown } from '../base/usage.ts'
import type { CheckDefinition } from '../checks/types.ts'
import { loadContract } from '../contract/load.ts'
import type { Contract } from '../contract/types.ts'
import { baselineOf } from '../mutation/faults.ts'
import { falsePositivesOf, type ProofContext, runInstance } from '../mutation/instance.ts'
import { borrowedChecks, type Selected, tryAll, unprovenClauses } from '../mutation/prove.ts'
import { tryTransport } from '../mutation/transport.ts'
import type { StartServer } from '../mutation/types.ts'
import { wireFaults } from '../mutation/wire-faults.ts'
import { localJournal } from '../run/backends.ts'
import { catalogue } from '../run/catalogue.ts'
import { Journal } from '../run/journal.ts'
import { backendsOf } from '../run/plan.ts'
import { startEmbedded } from './embedded.ts'
import { list, seedNumber } from './flags.ts'
import { removeAbandoned } from './leftovers.ts'
import { namedMutations } from './mutations.ts'
import { conclude, type Proof } from './prove-report.ts'
import { requireRungs, requireState, requireWritable } from './surroundings.ts'

interface ProveOptions {
  engine?: string[]
  fault?: string[]
  variant?: string[]
  singly?: boolean
  seed: number
  out: string
  json?: boolean
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
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

const operationEngine = (contract: Contract, { operation }: CheckDefinition): string[] =>
  operation === undefined ? [] : [contract.operations.get(operation)!.engine]

const startOn =
  (contract: Contract): StartServer =>
  async ({ engines, faults: fault, variants: variant }) => {
    const { reference, config } = await startEmbedded(contract, {
      engines,
      ...namedMutations({ ...(fault === undefined ? {} : { fault }), ...(variant === undefined ? {} : { variant }) }),
      tls: false,
    })
    return { server: reference, config }
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
      start: startOn(contract),
      seed: options.seed,
      engines: [...new Set([...selected.engines, ...every.flatMap((check) => operationEngine(contract, check))])],
      backends: backends.handles,
      missingBackends: backends.missing,
      signal: abort.signal,
    }
    say(`a clean run first: ${all.length} checks of ${selected.engines.join(', ')}`)
    const baseline = baselineOf(await runInstance(proof, all, { recording: true }))
    const falsePositives = falsePositivesOf(contract, baseline.instance.runs)
    const wire = wireFaults(baseline.instance.context.ledger)
    say(`${selected.faults.length} faults and ${selected.variants.length} variants, ${wire.length} wire faults`)
    const named = options.fault !== undefined || options.variant !== undefined
    const transport = named ? [] : await tryTransport(proof, all, baseline)
    const tried = await tryAll(proof, all, baseline, selected, { singly: options.singly === true, onProgress: say })
    const elsewhere = new Set(faults.filter((fault) => !selected.faults.includes(fault)).flatMap(({ clauses }) => clauses))
    const unproven = named ? [] : unprovenClauses(contract, all, tried.kills, wire, selected.engines, elsewhere)
    const result: Proof = { ...tried, wire, transport, unproven, falsePositives, seconds: Math.round((performance.now() - begun) / 1000) }
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
