/** `assay prove`: faults and variants of the reference server against the checks. */
import { allFaults as faults, allVariants as variants } from '../../reference/faults/index.ts'
import { requireKnown } from '../base/usage.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { withShown } from '../contract/general.ts'
import { loadContract } from '../contract/load.ts'
import { packageRoot } from '../contract/package-root.ts'
import { runClean } from '../mutation/clean-run.ts'
import type { ProofContext } from '../mutation/instance.ts'
import { checksConcerned, guessed } from '../mutation/named-faults.ts'
import { begin, checksOfOthers, type Found, type Selected, type UnderWay, unprovenClauses } from '../mutation/proof.ts'
import { alone, type Team } from '../mutation/team.ts'
import { tryTransport } from '../mutation/transport.ts'
import { wireFaults } from '../mutation/wire-faults.ts'
import { catalogue } from '../planning/catalogue.ts'
import { checksOfEffort } from '../planning/effort-checks.ts'
import type { Effort } from '../target/configured-names.ts'
import { exit } from './exit.ts'
import { namedMutations } from './mutations.ts'
import { knownKillers } from './proof-files.ts'
import { type ProofSubject, say, withBackends, withProof } from './proof-setup.ts'
import { proveFirstContact } from './prove-contact.ts'
import { proveAllKillers, workOnKillers } from './prove-killers.ts'
import { proveMutants } from './prove-mutants.ts'
import { endWithParent, processesFor, proveTogether } from './prove-pool.ts'
import { conclude } from './prove-report.ts'
import { staleBuild } from './stale-build.ts'
import { requireProviders, requireWritable } from './surroundings.ts'
import { handOver, memberOf } from './team-channel.ts'

export interface ProveOptions {
  engine?: string[]
  fault?: string[]
  variant?: string[]
  singly?: boolean
  firstContact?: boolean
  allKillers?: boolean
  mutants?: number
  minRate?: number
  processes?: number
  /** This process as one of several, its index from 1. */
  shard?: { index: number; of: number }
  seed: number
  effort: Effort
  out: string
  json?: boolean
}

/** Whether another process of the same proof began this one. */
const isMember = ({ shard }: ProveOptions): boolean => shard !== undefined && process.send !== undefined

/** Faults or variants by their names: no proof of all clauses. */
const isNamed = ({ fault, variant }: ProveOptions): boolean => fault !== undefined || variant !== undefined

const select = (contract: Contract, options: ProveOptions): Selected => {
  const known = [...contract.engines.keys()]
  requireKnown('engine', options.engine ?? [], known)
  const ofEngine = ({ engine }: { engine: string }): boolean => options.engine?.includes(engine) ?? true
  const { faults: all, variants: legal } = isNamed(options)
    ? namedMutations(options)
    : { faults: faults.filter(ofEngine), variants: variants.filter(ofEngine) }
  const engines = new Set([...all, ...legal].map(({ engine }) => engine))
  return { engines: withShown(contract, engines), faults: all, variants: legal }
}

const operationEngine = (contract: Contract, { operation }: CheckDefinition): string[] =>
  operation === undefined ? [] : [contract.operations.get(operation)!.engine]

/** What a proof of this selection is made with. */
const subjectOf = async (contract: Contract, selected: Selected, { seed, effort }: ProveOptions): Promise<ProofSubject> => {
  const own = await catalogue(contract, selected.engines)
  const checks = [...new Map([...own, ...(await checksOfOthers(contract, selected, own))].map((check) => [check.id, check])).values()]
  const isRequired = (clause: string): boolean => contract.clauses.get(clause)?.level === 'required'
  const { tried } = checksOfEffort(checks, effort, isRequired)
  const engines = [...new Set([...selected.engines, ...tried.flatMap((check) => operationEngine(contract, check))])]
  return { contract, engines, checks: tried, seed, effort }
}

/** Tries what somebody named, and then what killed it on the clean server too. */
const proveNamed = async (contract: Contract, selected: Selected, options: ProveOptions, team: Team): Promise<Found> => {
  const subject = await subjectOf(contract, selected, options)
  const concerned = checksConcerned(contract, subject.checks, selected)
  return withBackends({ ...subject, checks: concerned }, async (proof, checks) => {
    say(`${selected.faults.length} faults and ${selected.variants.length} variants, ${checks.length} checks concerned`)
    const underWay = begin(proof, checks, selected, { team, singly: options.singly === true, onProgress: say })
    const kills = await underWay.tryFaults({ ...guessed(contract, checks), killers: knownKillers(options.out) })
    const killers = new Set(kills.flatMap(({ killedBy }) => killedBy))
    const clean = checks.filter(({ id }) => killers.has(id))
    const { falsePositives } = await runClean(proof, clean, alone)
    return { kills, variants: await underWay.variants, wire: [], transport: [], falsePositives, decided: [] }
  })
}

/** Tries what is selected, in this process, as far as no other one of its team does. */
const proveHere = async (contract: Contract, selected: Selected, options: ProveOptions, team: Team): Promise<Found> => {
  if (isNamed(options)) return proveNamed(contract, selected, options, team)
  let underWay: UnderWay
  const meanwhile = (proof: ProofContext, all: CheckDefinition[]): void => {
    underWay = begin(proof, all, selected, { team, singly: options.singly === true, onProgress: say })
  }
  return withProof(
    { ...(await subjectOf(contract, selected, options)), team, meanwhile },
    async ({ proof, checks: all, baseline, falsePositives }) => {
      const wire = wireFaults(baseline.instance.context.ledger)
      say(`${selected.faults.length} faults and ${selected.variants.length} variants, ${wire.length} wire faults`)
      // One process of the team tries the transport. It mostly waits for time-outs, so the faults are tried meanwhile.
      const transporting = (await team.claim('transport')) ? tryTransport(proof, all, baseline) : Promise.resolve([])
      const [kills, transport, variants] = await Promise.all([
        underWay.tryFaults({ ...baseline, killers: knownKillers(options.out) }),
        transporting,
        underWay.variants,
      ])
      return { kills, variants, wire, transport, falsePositives, decided: all.flatMap(({ clauses }) => clauses) }
    },
  )
}

export const prove = async (options: ProveOptions): Promise<number> => {
  const begun = performance.now()
  requireWritable(options.out)
  requireProviders()
  const stale = isMember(options) ? undefined : staleBuild(import.meta.filename, packageRoot)
  if (stale !== undefined) say(`assay: ${stale}`)
  const contract = await loadContract()
  const selected = select(contract, options)
  if (options.mutants !== undefined)
    return proveMutants(contract, options.engine ?? [...contract.engines.keys()], { ...options, count: options.mutants })
  if (options.firstContact === true) {
    const named = options.fault !== undefined
    return proveFirstContact(contract, named ? selected.faults : selected.faults.filter(({ clauses }) => clauses.length === 0), options)
  }
  if (options.allKillers === true) {
    if (!isMember(options)) return proveAllKillers(contract, selected.faults, faults, options)
    return workOnKillers(selected.faults, async (named, use) =>
      withProof(await subjectOf(contract, { ...selected, faults: named, variants: [] }, options), use),
    )
  }
  const size = selected.faults.length + selected.variants.length
  if (isMember(options)) {
    endWithParent()
    await handOver(await proveHere(contract, selected, options, memberOf(options.shard!.index, options.shard!.of)))
    return exit.passed
  }
  const processes = Math.min(options.processes ?? processesFor(size), size)
  const found = processes > 1 ? await proveTogether(selected, processes) : await proveHere(contract, selected, options, alone)
  if (typeof found === 'number') return found
  const elsewhere = new Set(faults.filter((fault) => !selected.faults.includes(fault)).flatMap(({ clauses }) => clauses))
  const unproven = isNamed(options)
    ? []
    : unprovenClauses(contract, new Set(found.decided), found.kills, found.wire, selected.engines, elsewhere)
  return conclude({ ...found, unproven, seconds: Math.round((performance.now() - begun) / 1000) }, options)
}
