/** Legal variants of the reference server, on which nothing may be violated: tried together where they change different things. */
import type { VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import { falsePositivesOf, type ProofContext, runInstance } from './instance.ts'
import type { LegalVariant } from './server-under-test.ts'

/** Whether no server has both: they touch the same thing, or change the same part of a rule. */
export const clash = (one: LegalVariant, other: LegalVariant): boolean => {
  if (one.type !== other.type) return false
  const { mutation: left } = one
  const { mutation: right } = other
  if (left.touches !== undefined && left.touches === right.touches) return true
  if (left.part !== undefined && right.part !== undefined && left.part !== right.part) return false
  return Object.keys(left.rules ?? {}).some((rule) => Object.hasOwn(right.rules ?? {}, rule))
}

/**
 * Packs variants of one engine that do not clash; no pack holds more than `most`, and there are few packs, for each takes a run of all checks:
 * those that fit beside fewest others choose first. One that wraps a handler leaves to what is within it all that it does not change itself, so two may
 * wrap the same one: where the outer one leaves nothing, the other is not reached.
 */
export const packs = (variants: LegalVariant[], most = variants.length): LegalVariant[][] => {
  const packed: LegalVariant[][] = []
  const clashes = new Map(variants.map((variant) => [variant, variants.filter((other) => clash(variant, other)).length]))
  for (const variant of [...variants].sort((left, right) => clashes.get(right)! - clashes.get(left)!)) {
    const free = packed.find(
      (pack) => pack[0]!.engine === variant.engine && pack.length < most && !pack.some((other) => clash(variant, other)),
    )
    if (free === undefined) packed.push([variant])
    else free.push(variant)
  }
  const inOrder = packed.map((pack) => variants.filter((variant) => pack.includes(variant)))
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
