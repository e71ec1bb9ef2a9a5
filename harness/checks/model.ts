/** Models: what the contract says of a sequence of operations, held against random programs of them. */
import type { Arbitrary } from 'fast-check'
import { AssertionFailure } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { cut } from '../base/text.ts'
import { check, clauseList } from './check.ts'
import type { Expect } from './expect.ts'
import { type Exploration, explore, type Failure, type Reach, reachOf } from './explore.ts'
import { programs, type Step, steps } from './program.ts'
import type { GeneratedOptions } from './property.ts'
import type { Trace } from './traced-bench.ts'
import type { Bench, CheckContext } from './vocabulary.ts'

/** What an operation does to the model's state S; W holds what one execution made for itself (fresh names, identities). */
export interface Command<S, W, A extends Json = Json, O = unknown> {
  /** Symbolic arguments: small and plain, e.g. `{ key: 0..2 }`; resolved while the program runs. */
  arguments: Arbitrary<A>
  /** How often it is drawn beside the others; default 1. */
  weight?: number
  /** Fills in what only the state knows (a version, a serial); undefined skips the step. */
  resolve?(state: S, drawn: A, world: W): A | undefined
  /** Sends the request, or few; no assertions in here. */
  run(bench: Bench, input: A, world: W): Promise<O>
  /** Asserts that the model allows what was seen in this state. Pure apart from `expect`: a race tries it in many orders. */
  expects(state: S, input: A, seen: O, expect: Expect): void
  /** The state afterwards, as a new value. `seen` is undefined if the operation was applied but its answer was lost. */
  next(state: S, input: A, seen: O | undefined): S
  /** The clause that `expects` decides in this state, where the check names several. */
  clause?: string | ((state: S, input: A) => string)
}

/** A command whose types of arguments and answer are its own business. */
export type AnyCommand<S, W> = Command<S, W, Json, unknown>

export interface Model<S, W> {
  /** Makes what one program needs: fresh names above all, so that programs never meet. */
  world(bench: Bench): Promise<W>
  initial(world: W): S
  commands: Record<string, AnyCommand<S, W>>
  /** Asserts what holds after every program: see the helpers in invariants.ts. */
  invariants?(context: CheckContext, state: S, world: W): Promise<void>
  /** A step that follows every other one: a read that shows each change at once. */
  watch?: Step
  /** Longest program; default 12 steps. */
  length?: number
  /** Programs that run first in every run, so that what the check is about is reached whatever is drawn. */
  examples?: Step[][]
}

/**
 * Ties commands to a model's types.
 *
 * @example const on = commandsOf<State, World>()
 */
export const commandsOf =
  <S, W>() =>
  <A extends Json, O>(command: Command<S, W, A, O>): AnyCommand<S, W> =>
    command as unknown as AnyCommand<S, W>

interface Running<S, W> {
  model: Pick<Model<S, W>, 'commands'>
  context: CheckContext
  world: W
  trace: Trace
}

/** Runs one step against the target and the model; returns the state afterwards. */
export const runStep = async <S, W>({ model, context, world, trace }: Running<S, W>, state: S, step: Step): Promise<S> => {
  const command = model.commands[step.command]!
  const input = command.resolve === undefined ? step.drawn : command.resolve(state, step.drawn, world)
  if (input === undefined) return state
  trace.lines.push(`${step.command} ${cut(JSON.stringify(input))}`)
  const before = trace.lines.length
  const seen = await command.run(context.bench, input, world)
  for (let line = before; line < trace.lines.length; line += 1) trace.lines[line] = `  ${trace.lines[line]}`
  const assertion = () => command.expects(state, input, seen, context.expect)
  const clause = typeof command.clause === 'function' ? command.clause(state, input) : command.clause
  if (clause === undefined) assertion()
  else await context.bench.decide(clause, assertion)
  return command.next(state, input, seen)
}

const startsWith = (program: Step[], beginning: string): boolean => `${JSON.stringify(program).slice(0, -1)},`.startsWith(beginning)

const exploration = <S, W>(model: Model<S, W>, clauses: string[], reach: Reach): Exploration<Step[]> => {
  const failures: { beginning: string; failure: Omit<Failure<Step[]>, 'value'> }[] = []
  return {
    ...reach,
    clauses,
    arbitrary: programs(steps(model.commands), 1, model.length ?? 12),
    ...(model.examples === undefined ? {} : { first: model.examples }),
    async run(context, program, trace) {
      const world = await model.world(context.bench)
      let state = model.initial(world)
      for (const [index, step] of program.entries()) {
        try {
          state = await runStep({ model, context, world, trace }, state, step)
          if (model.watch !== undefined) state = await runStep({ model, context, world, trace }, state, model.watch)
        } catch (error) {
          const beginning = `${JSON.stringify(program.slice(0, index + 1)).slice(0, -1)},`
          if (error instanceof AssertionFailure) failures.push({ beginning, failure: { error, lines: trace.lines } })
          throw error
        }
      }
      await model.invariants?.(context, state, world)
    },
    // What follows the failing step does not matter: such a program need not run again.
    known: (program) => failures.findLast(({ beginning }) => startsWith(program, beginning))?.failure,
    describe: (program) => `${program.length} step${program.length === 1 ? '' : 's'}: ${program.map((step) => step.command).join(', ')}`,
  }
}

/**
 * Registers a check that runs random programs of commands against a model. A failing program is shrunk to few steps with at most 200
 * requests, run three times again, and reported as a transcript; `--seed` repeats it.
 *
 * @param options as for `property`; programs: 10 at quick effort, else 30.
 *
 * @example
 * interface State { stored: Record<string, Json> }
 * interface World { keys: string[] }
 * const on = commandsOf<State, World>()
 * const key = fc.record({ key: fc.nat(2) })
 * model('kv/model-v1', 'KV-V1-04', 'reads show the latest write', {}, {
 *   world: async (bench) => ({ keys: [0, 1, 2].map(() => bench.fresh('key')) }),
 *   initial: () => ({ stored: {} }),
 *   commands: {
 *     write: on({
 *       arguments: fc.record({ key: fc.nat(2), value: fc.nat() }),
 *       run: (bench, { key, value }, world) => bench.call('kv1.write', { path: { path: world.keys[key]! }, body: { value } }),
 *       expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
 *       next: (state, { key, value }) => ({ stored: { ...state.stored, [key]: value } }),
 *     }),
 *     read: on({
 *       arguments: key,
 *       run: (bench, { key }, world) => bench.call('kv1.read', { path: { path: world.keys[key]! } }),
 *       expects: (state, { key }, seen, expect) => key in state.stored
 *         ? expect(seen.data).toEqual({ value: state.stored[key] }) : expect(seen).toHaveStatus(404),
 *       next: (state) => state,
 *     }),
 *   },
 * })
 */
export const model = <S, W>(
  id: string,
  clauses: string | string[],
  title: string,
  options: GeneratedOptions,
  definition: Model<S, W>,
): void => {
  const { runs, within, minimum, ...rest } = options
  check(id, clauses, title, { kind: 'model', ...rest }, (context) =>
    explore(context, exploration(definition, clauseList(clauses), reachOf(options, [10, 30]))),
  )
}
