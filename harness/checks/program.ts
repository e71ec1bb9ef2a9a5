/** Random programs: lists of steps that shrink by leaving steps out first. */
import fc, { type Arbitrary, type Random } from 'fast-check'
import type { Json } from '../base/json.ts'

/** One step: a command by name with its drawn, still symbolic arguments. */
export interface Step {
  command: string
  drawn: Json
}

interface Shape {
  contexts: unknown[]
  /** Size of the pieces that are left out, and where the next piece ends. */
  piece: number
  end: number
}

/**
 * Lists of values that shrink by leaving out pieces: halves first, then smaller ones, from the end to the beginning, since what follows
 * the failing step is never needed; last of all each value by itself.
 */
class ProgramArbitrary<T> extends fc.Arbitrary<T[]> {
  readonly #item: Arbitrary<T>
  readonly #minimum: number
  readonly #maximum: number

  constructor(item: Arbitrary<T>, minimum: number, maximum: number) {
    super()
    this.#item = item
    this.#minimum = minimum
    this.#maximum = maximum
  }

  override generate(random: Random, bias: number | undefined): fc.Value<T[]> {
    // Short programs reach little: they come from shrinking.
    const length = random.nextInt(Math.max(this.#minimum, Math.ceil(this.#maximum / 2)), this.#maximum)
    const items = Array.from({ length }, () => this.#item.generate(random, bias))
    return this.#value(
      items.map((item) => item.value),
      { contexts: items.map((item) => item.context), piece: Math.ceil(length / 2), end: length },
    )
  }

  override canShrinkWithoutContext(_value: unknown): _value is T[] {
    return false
  }

  override shrink(value: T[], context: unknown): fc.Stream<fc.Value<T[]>> {
    return fc.stream(this.#smaller(value, context as Shape))
  }

  #value(steps: T[], shape: Shape): fc.Value<T[]> {
    return new fc.Value(steps, shape)
  }

  *#smaller(steps: T[], shape: Shape): Generator<fc.Value<T[]>, void> {
    let { piece, end } = shape
    while (piece >= 1) {
      for (; end > 0; end -= piece) {
        const start = Math.max(0, end - piece)
        if (steps.length - (end - start) < this.#minimum) continue
        const without = <X>(list: X[]): X[] => [...list.slice(0, start), ...list.slice(end)]
        yield this.#value(without(steps), { contexts: without(shape.contexts), piece, end: start })
      }
      piece = piece === 1 ? 0 : Math.ceil(piece / 2)
      end = steps.length
    }
    yield* this.#simpler(steps, shape)
  }

  *#simpler(steps: T[], shape: Shape): Generator<fc.Value<T[]>, void> {
    for (const [index, step] of steps.entries()) {
      for (const smaller of this.#item.shrink(step, shape.contexts[index])) {
        const contexts = shape.contexts.with(index, smaller.context)
        yield this.#value(steps.with(index, smaller.value), { contexts, piece: 0, end: 0 })
      }
    }
  }
}

/** Programs of at most `maximum` steps that shrink to `minimum` ones. */
export const programs = <T>(step: Arbitrary<T>, minimum: number, maximum: number): Arbitrary<T[]> =>
  new ProgramArbitrary(step, minimum, maximum)

/** A step of one of the commands, by their weights. */
export const steps = (commands: Record<string, { arguments: Arbitrary<Json>; weight?: number }>): Arbitrary<Step> =>
  fc.oneof(
    ...Object.entries(commands).map(([command, { arguments: drawn, weight = 1 }]) => ({
      arbitrary: drawn.map((value): Step => ({ command, drawn: value })),
      weight,
    })),
  )
