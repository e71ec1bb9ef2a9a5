/** Legal variants of the reference server, which must raise no alarm: tried together where they change different things. */
import type { Variant } from '../../reference/core/mutation.ts'
import type { VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/types.ts'
import { alarmsOf, type ProofContext, runInstance } from './proof.ts'

const MOST_TOGETHER = 6

const changesOf = ({ type, mutation }: Variant): string[] => [
  ...Object.keys(mutation.rules ?? {}).map((rule) => `${type} rule ${rule}`),
  ...Object.keys(mutation.routes ?? {}).map((route) => `${type} route ${route}`),
]

/** Packs variants of one engine that change different rules and routes; no pack holds more than `most`. */
export const packs = (variants: Variant[], most = MOST_TOGETHER): Variant[][] => {
  const packed: { engine: string; members: Variant[]; taken: Set<string> }[] = []
  for (const variant of variants) {
    const changes = changesOf(variant)
    const free = packed.find(
      ({ engine, members, taken }) => engine === variant.engine && members.length < most && !changes.some((change) => taken.has(change)),
    )
    const pack = free ?? { engine: variant.engine, members: [], taken: new Set<string>() }
    if (free === undefined) packed.push(pack)
    pack.members.push(variant)
    for (const change of changes) pack.taken.add(change)
  }
  return packed.map(({ members }) => members)
}

const recordOf = ({ id, engine, title }: Variant, state: VariantRecord['state'], alarms: string[] = []): VariantRecord => ({
  variant: id,
  engine,
  title,
  state,
  alarms,
})

interface Tried {
  alarms: string[]
  hits: Map<string, number>
}

const tryPack = async (proof: ProofContext, checks: CheckDefinition[], variants: Variant[]): Promise<Tried> => {
  const { runs, hits } = await runInstance(proof, checks, { variants })
  return { alarms: alarmsOf(proof.contract, runs), hits }
}

const tryAlone = async (proof: ProofContext, checks: CheckDefinition[], variant: Variant): Promise<VariantRecord> => {
  try {
    const { alarms, hits } = await tryPack(proof, checks, [variant])
    if (alarms.length > 0) return recordOf(variant, 'alarm', alarms)
    return recordOf(variant, (hits.get(variant.id) ?? 0) === 0 ? 'unreached' : 'calm')
  } catch (error) {
    return recordOf(variant, 'errored', [(error as Error).message])
  }
}

/**
 * Tries the variants of one pack with every check of their engine. A calm pack whose variants were all reached is calm, each of them;
 * otherwise each is tried alone, and an alarm that only their combination raises, which is legal too, is put down to all.
 */
export const tryVariants = async (proof: ProofContext, checks: CheckDefinition[], pack: Variant[]): Promise<VariantRecord[]> => {
  const broken = (error: Error): Tried => ({ alarms: [`the run did not end: ${error.message}`], hits: new Map() })
  const together = pack.length < 2 ? undefined : await tryPack(proof, checks, pack).catch(broken)
  const calm = together?.alarms.length === 0
  const records: VariantRecord[] = []
  for (const variant of pack) {
    const reached = calm && (together.hits.get(variant.id) ?? 0) > 0
    records.push(reached ? recordOf(variant, 'calm') : await tryAlone(proof, checks, variant))
  }
  const combined = together !== undefined && !calm && records.every(({ state }) => state === 'calm')
  if (!combined) return records
  const note = `only together: ${pack.map(({ id }) => id).join(', ')}`
  return pack.map((variant) => recordOf(variant, 'alarm', [note, ...together.alarms]))
}
