/** Legal variants of the reference server, on which nothing may be violated: tried together where they change different things. */
import type { VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import { falsePositivesOf, type ProofContext, runInstance } from './instance.ts'
import type { LegalVariant } from './server-under-test.ts'

const MOST_TOGETHER = 20

/** What a variant changes that no other of its pack may: its rules, and what it says that it touches. */
const rulesOf = ({ type, mutation }: LegalVariant): string[] => [
  ...Object.keys(mutation.rules ?? {}).map((rule) => `${type} ${rule}`),
  ...(mutation.touches === undefined ? [] : [`${type} touches ${mutation.touches}`]),
]

/** How many others of its engine change a rule that this one changes too. */
const conflictsOf = (variant: LegalVariant, all: readonly LegalVariant[]): number => {
  const changes = new Set(rulesOf(variant))
  return all.filter((other) => other !== variant && other.engine === variant.engine && rulesOf(other).some((rule) => changes.has(rule)))
    .length
}

/**
 * Packs variants of one engine that change different rules; no pack holds more than `most`, and there are few packs, for each takes a run of all checks:
 * those that fit beside fewest others choose first. One that wraps a handler leaves to what is within it all that it does not change itself, so two may
 * wrap the same one: where the outer one leaves nothing, the other is not reached.
 */
export const packs = (variants: LegalVariant[], most = MOST_TOGETHER): LegalVariant[][] => {
  const packed: { engine: string; members: Set<LegalVariant>; taken: Set<string> }[] = []
  const conflicts = new Map(variants.map((variant) => [variant, conflictsOf(variant, variants)]))
  for (const variant of [...variants].sort((left, right) => conflicts.get(right)! - conflicts.get(left)!)) {
    const changes = rulesOf(variant)
    const free = packed.find(
      ({ engine, members, taken }) => engine === variant.engine && members.size < most && !changes.some((change) => taken.has(change)),
    )
    const pack = free ?? { engine: variant.engine, members: new Set(), taken: new Set<string>() }
    if (free === undefined) packed.push(pack)
    pack.members.add(variant)
    for (const change of changes) pack.taken.add(change)
  }
  const inOrder = packed.map(({ members }) => variants.filter((variant) => members.has(variant)))
  return inOrder.sort(([left], [right]) => variants.indexOf(left!) - variants.indexOf(right!))
}

const recordOf = ({ id, engine, title }: LegalVariant, state: VariantRecord['state'], falsePositives: string[] = []): VariantRecord => ({
  variant: id,
  engine,
  title,
  state,
  falsePositives,
})

interface Tried {
  falsePositives: string[]
  hits: Map<string, number>
}

const tryPack = async (proof: ProofContext, checks: CheckDefinition[], variants: LegalVariant[]): Promise<Tried> => {
  const { runs, hits } = await runInstance(proof, checks, { server: { variants: variants.map(({ id }) => id) } })
  return { falsePositives: falsePositivesOf(proof.contract, runs), hits }
}

const tryAlone = async (proof: ProofContext, checks: CheckDefinition[], variant: LegalVariant): Promise<VariantRecord> => {
  try {
    const { falsePositives, hits } = await tryPack(proof, checks, [variant])
    if (falsePositives.length > 0) return recordOf(variant, 'falsePositive', falsePositives)
    return recordOf(variant, (hits.get(variant.id) ?? 0) === 0 ? 'unreached' : 'passed')
  } catch (error) {
    proof.signal.throwIfAborted()
    return recordOf(variant, 'errored', [(error as Error).message])
  }
}

/**
 * Tries the variants of one pack with every check of their engine. Where a pack shows no false positive, each of its variants that was reached has passed;
 * otherwise each is tried alone, and a false positive that only their combination shows, which is legal too, is put down to all.
 */
export const tryVariants = async (proof: ProofContext, checks: CheckDefinition[], pack: LegalVariant[]): Promise<VariantRecord[]> => {
  const broken = (error: Error): Tried => ({ falsePositives: [`the run did not end: ${error.message}`], hits: new Map() })
  const together = pack.length < 2 ? undefined : await tryPack(proof, checks, pack).catch(broken)
  const passed = together?.falsePositives.length === 0
  const records: VariantRecord[] = []
  for (const variant of pack) {
    const reached = passed && (together.hits.get(variant.id) ?? 0) > 0
    records.push(reached ? recordOf(variant, 'passed') : await tryAlone(proof, checks, variant))
  }
  const combined = together !== undefined && !passed && records.every(({ state }) => state === 'passed')
  if (!combined) return records
  const note = `only together: ${pack.map(({ id }) => id).join(', ')}`
  return pack.map((variant) => recordOf(variant, 'falsePositive', [note, ...together.falsePositives]))
}
