/** What one operation changes, and all that it leaves alone: the whole of what a check made, looked at after each step. */
import { check } from './check.ts'
import type { CheckContext, CheckOptions } from './vocabulary.ts'

/** One way to look at something: what a read, a listing or a use of it shows, without what changes by itself. */
export type View = () => Promise<unknown>

export interface Step {
  /** As a message names it, e.g. `after the deletion of one role`. */
  what: string
  run(): Promise<unknown>
  /** Views that this step may change; all others stay as they are. */
  changes?: readonly string[]
}

interface Whole {
  views: Record<string, View>
  /** What some views show before the first step: a comparison of nothing with nothing proves nothing. */
  atFirst?: Record<string, unknown>
  steps: readonly Step[]
}

const lookAt = async (views: Record<string, View>): Promise<Record<string, unknown>> => {
  const seen: Record<string, unknown> = {}
  for (const [name, view] of Object.entries(views)) seen[name] = await view()
  return seen
}

const without = (seen: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(seen).filter(([name]) => !names.includes(name)))

/**
 * Takes the steps one after another. After each of them every view shows what it showed before, but for those that the step may change.
 * What views show at first may be stated.
 *
 * @param clause that is violated where another view changes, too.
 */
export const stayApart = async ({ bench, expect }: CheckContext, clause: string, { views, atFirst = {}, steps }: Whole): Promise<void> => {
  let before = await lookAt(views)
  const begun = before
  await bench.decide(clause, () =>
    expect(Object.fromEntries(Object.keys(atFirst).map((name) => [name, begun[name]])), 'before the first step').toEqual(atFirst),
  )
  for (const { what, run, changes = [] } of steps) {
    await run()
    const after = await lookAt(views)
    const known = before
    await bench.decide(clause, () => expect(without(after, changes), what).toEqual(without(known, changes)))
    before = after
  }
}

/**
 * Registers a check of neighbours: `world` makes several things that are alike and says how each is seen, and which steps touch which of them.
 *
 * @param id of the check, e.g. `ssh/neighbours`.
 */
export const apart = (
  id: string,
  clause: string,
  title: string,
  options: CheckOptions,
  world: (context: CheckContext) => Promise<Whole>,
): void => check(id, clause, title, options, async (context) => stayApart(context, clause, await world(context)))
