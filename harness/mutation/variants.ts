/** Legal variants of the reference server, on which nothing may be violated: tried together where they change different things. */
import type { VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import { falsePositivesOf, type ProofContext, runInstance } from './instance.ts'
import type { LegalVariant } from './server-under-test.ts'

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
export const packs = (variants: LegalVariant[], most = variants.length): LegalVariant[][] => {
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

/** What a pack of one shows. */
const judgedAlone = (variant: LegalVariant, { falsePositives, hits }: Tried): VariantRecord => {
  if (falsePositives.length > 0) return recordOf(variant, 'falsePositive', falsePositives)
  return recordOf(variant, (hits.get(variant.id) ?? 0) === 0 ? 'unreached' : 'passed')
}

const halvesOf = <T>(list: readonly T[]): T[][] => {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

/**
 * Tries the variants of one pack with every check of their engine. Where a pack shows no false positive, each of its variants that was reached has passed, and
 * the others are tried without these; otherwise its halves are tried, and so on. A false positive that only the whole of a pack shows, which is legal
 * too, is put down to all of it.
 */
export const tryVariants = async (proof: ProofContext, checks: CheckDefinition[], pack: LegalVariant[]): Promise<VariantRecord[]> => {
  const [first] = pack
  if (first === undefined) return []
  const each = async (parts: LegalVariant[][]): Promise<VariantRecord[]> => {
    const records: VariantRecord[] = []
    for (const part of parts) records.push(...(await tryVariants(proof, checks, part)))
    return records
  }
  let together: Tried
  try {
    together = await tryPack(proof, checks, pack)
  } catch (error) {
    proof.signal.throwIfAborted()
    return pack.length === 1 ? [recordOf(first, 'errored', [(error as Error).message])] : each(halvesOf(pack))
  }
  if (pack.length === 1) return [judgedAlone(first, together)]
  if (together.falsePositives.length === 0) {
    const reached = pack.filter(({ id }) => (together.hits.get(id) ?? 0) > 0)
    const others = pack.filter((variant) => !reached.includes(variant))
    const passed = reached.map((variant) => recordOf(variant, 'passed'))
    return [...passed, ...(reached.length === 0 ? await each(halvesOf(pack)) : await tryVariants(proof, checks, others))]
  }
  const records = await each(halvesOf(pack))
  if (records.some(({ state }) => state !== 'passed')) return records
  const note = `only together: ${pack.map(({ id }) => id).join(', ')}`
  return pack.map((variant) => recordOf(variant, 'falsePositive', [note, ...together.falsePositives]))
}
