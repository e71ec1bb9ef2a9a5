/** The proof as a whole: every fault and variant of a selection, and the required clauses that nothing was seen to fail. */
import PQueue from 'p-queue'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { isContractCheck } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { withShown } from '../contract/general.ts'
import { catalogue } from '../planning/catalogue.ts'
import type { Baseline } from './clean-run.ts'
import { leastTimeOf, type Told, tryFault } from './faults.ts'
import { type ProofContext, usesModule } from './instance.ts'
import { roomByLoad } from './room.ts'
import type { LegalVariant, SeededFault } from './server-under-test.ts'
import type { Team } from './team.ts'
import type { TransportRecord } from './transport.ts'
import { packs, tryVariants } from './variants.ts'
import type { WireFault } from './wire-faults.ts'

/** What a proof is about. */
export interface Selected {
  engines: string[]
  faults: SeededFault[]
  variants: LegalVariant[]
}

/** What a proof, or a part of it, found out. */
export interface Found {
  kills: (KillRecord & Told)[]
  variants: VariantRecord[]
  wire: WireFault[]
  transport: TransportRecord[]
  falsePositives: string[]
  /** Clauses that are decided by checks which this machine has the backends for. */
  decided: string[]
}

const MOST_FROM_OTHERS = 12
const VARIANTS_AT_ONCE = 3

/** At most so many of a list, from all over it: operations that stand together are alike. */
export const spread = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most ? [...all] : Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]!)

/** Sweeps of one engine over operations of another. */
const sweepsOver = async (contract: Contract, operations: readonly string[], chosen: readonly string[]): Promise<CheckDefinition[]> =>
  (await catalogue(contract, operations, chosen)).filter((check) => check.operation !== undefined)

/**
 * Some clauses are decided by sweeps of other engines over operations of a fault's own engine, some by schemas of all answers, and some of its own over
 * operations of others: of the latter a few, of those that need nothing installed.
 */
export const checksOfOthers = async (contract: Contract, selected: Selected, own: CheckDefinition[]): Promise<CheckDefinition[]> => {
  const engineOf = ({ operation }: CheckDefinition) => contract.operations.get(operation ?? '')?.engine
  // A check of a third engine that happens to be selected decides the clause too, but never sees the fault.
  const isDecided = (clause: string, engine: string): boolean =>
    own.some((check) => (engineOf(check) ?? check.engine) === engine && check.clauses.includes(clause))
  // What another engine states its sweeps decide, even where a check of the fault's own does so too: that one asks for some of it only.
  const isOfOthers = (clause: string, engine: string): boolean => contract.clauses.get(clause)?.engine !== engine
  const lacking = selected.faults.filter(({ clauses, engine }) =>
    clauses.some((clause) => isOfOthers(clause, engine) || !isDecided(clause, engine)),
  )
  if (lacking.length === 0) return []
  const engines = [...contract.engines.keys()]
  const [near, far] = [await sweepsOver(contract, selected.engines, engines), await sweepsOver(contract, engines, selected.engines)]
  const bySchemas = (await catalogue(contract, engines)).filter(isContractCheck)
  const fromOthers = (fault: SeededFault): CheckDefinition[] =>
    fault.clauses.flatMap((clause) => {
      const nearest = [
        ...near.filter((check) => check.clauses.includes(clause) && engineOf(check) === fault.engine),
        ...bySchemas.filter((check) => check.clauses.includes(clause)),
      ]
      if (nearest.length > 0 || isDecided(clause, fault.engine)) return nearest
      return spread(
        far.filter((check) => check.clauses.includes(clause) && (check.needs.backends ?? []).length === 0),
        MOST_FROM_OTHERS,
      )
    })
  return lacking.flatMap(fromOthers)
}

/**
 * Required clauses that a check decides and no fault of the selection kills.
 *
 * @param decided clauses that checks decide, ids.
 * @param elsewhere clauses that faults outside the selection break: a narrowed proof leaves them to the whole one.
 */
export const unprovenClauses = (
  contract: Contract,
  decided: ReadonlySet<string>,
  kills: KillRecord[],
  wire: WireFault[],
  engines: readonly string[],
  elsewhere: ReadonlySet<string>,
): string[] => {
  const proven = new Set([
    ...kills.filter((kill) => kill.state === 'killed').flatMap((kill) => kill.clauses),
    ...wire.filter((fault) => fault.killed).flatMap((fault) => fault.clauses),
  ])
  return [...contract.clauses.values()]
    .filter((clause) => engines.includes(clause.engine) && clause.level === 'required' && decided.has(clause.id))
    .filter(({ id }) => !proven.has(id) && !elsewhere.has(id))
    .map((clause) => clause.id)
}

/** Those that let time pass first, the longest first, each with another one meanwhile; then the rest, the longest first too: nothing is left waiting at the end. */
export const inGoodOrder = <F>(faults: readonly F[], timeOf: (fault: F) => { ms: number; isRest: boolean }): F[] => {
  const timed = faults.map((fault) => ({ fault, ...timeOf(fault) })).sort((left, right) => right.ms - left.ms)
  const rests = timed.filter(({ isRest }) => isRest)
  const others = timed.filter(({ isRest }) => !isRest)
  const pairs = rests.flatMap((one, index) => [one, ...others.slice(index, index + 1)])
  return [...pairs, ...others.slice(rests.length)].map(({ fault }) => fault)
}

interface Turns<F, R> {
  queueOf(fault: F): PQueue
  /** Ends when what must be over before this fault is. */
  ready(fault: F): Promise<unknown>
  attempt(fault: F): Promise<R>
}

/** Tries each fault once it may be tried; among those that may, earlier ones go first. @returns what each attempt gave, in the order of the faults. */
export const inTurn = <F, R>(faults: readonly F[], { queueOf, ready, attempt }: Turns<F, R>): Promise<R[]> =>
  Promise.all(
    faults.map(async (fault, index) => {
      await ready(fault)
      return queueOf(fault).add(() => attempt(fault), { priority: -index })
    }),
  )

interface ProveOptions {
  /** Those who try the rest of it. */
  team: Team
  /** Each variant in a server of its own. */
  singly: boolean
  onProgress(message: string): void
}

/** A proof under way. */
export interface UnderWay {
  /** Tries every fault that no other process tries, several at once; what a clean run taught says which checks come first. */
  tryFaults(baseline: Baseline): Promise<(KillRecord & Told)[]>
  /** What became of the variants, which are tried from the beginning: one pack at a time as long as no faults are. */
  variants: Promise<VariantRecord[]>
}

/** Begins to try the variants of the selection, and gives what tries its faults. */
export const begin = (
  proof: ProofContext,
  all: CheckDefinition[],
  selected: Selected,
  { team, singly, onProgress }: ProveOptions,
): UnderWay => {
  let done = 0
  const total = selected.faults.length + selected.variants.length
  const tick = <T extends { state: string }>(id: string, record: T): T => {
    done += 1
    if (!['killed', 'passed'].includes(record.state)) onProgress(`${record.state}: ${id}`)
    else if (done % 25 === 0) onProgress(`${done}/${total}`)
    return record
  }
  const ofVariants = new PQueue({ concurrency: 1 })
  // Servers share hosts, databases and brokers: a fault that changes what others have there would look like one of a variant.
  const sharing = new Set(all.filter(({ needs }) => (needs.backends ?? []).length > 0).map(({ engine }) => engine))
  const waitingFor = ([variant]: readonly LegalVariant[]): number =>
    sharing.has(variant!.engine) ? selected.faults.filter(({ engine }) => engine === variant!.engine).length : 0
  // The packs that most faults wait for come first.
  const inOrder = packs(selected.variants, singly ? 1 : undefined).sort((left, right) => waitingFor(right) - waitingFor(left))
  const packed = inOrder.map((pack) => {
    const { id, engine } = pack[0]!
    const engines = withShown(proof.contract, new Set([engine]))
    const checks = all.filter((check) => engines.includes(check.engine))
    const records = ofVariants.add(async () =>
      (await team.claim(id)) ? (await tryVariants(proof, checks, pack)).map((record) => tick(record.variant, record)) : [],
    )
    return { engine, records }
  })
  const variantsEnd = (engine: string): Promise<unknown> =>
    Promise.allSettled(packed.filter((pack) => sharing.has(engine) && pack.engine === engine).map(({ records }) => records))
  const variants = Promise.all(packed.map(({ records }) => records)).then((records) => records.flat())
  // Their awaiting caller hears of it; until then a clean run may end in its own way.
  variants.catch(() => undefined)
  return {
    variants,
    async tryFaults(baseline) {
      ofVariants.concurrency = VARIANTS_AT_ONCE
      const others = new PQueue()
      // Servers that wait for their turn at a module keep no others waiting.
      const onModules = new PQueue()
      const leaveRoom = [others, onModules].map((queue) => roomByLoad(queue))
      const withModules = new Set(all.filter((check) => usesModule(proof, [check])).map(({ engine }) => engine))
      const queueOf = ({ engine }: SeededFault): PQueue => (withModules.has(engine) ? onModules : others)
      const faults = inGoodOrder(selected.faults, (fault) => leastTimeOf(all, baseline, fault))
      const kills = inTurn(faults, {
        queueOf,
        ready: ({ engine }) => variantsEnd(engine),
        attempt: async (fault) => ((await team.claim(fault.id)) ? [tick(fault.id, await tryFault({ proof, all, baseline, fault }))] : []),
      })
      const records = await kills.finally(() => {
        for (const leave of leaveRoom) leave()
      })
      const byFault = new Map(records.flat().map((record) => [record.fault, record]))
      return selected.faults.flatMap(({ id }) => byFault.get(id) ?? [])
    },
  }
}
