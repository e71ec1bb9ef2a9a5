/** Races: concurrent programs whose answers some order of the operations must explain. */
import fc, { type Arbitrary } from 'fast-check'
import { AssertionFailure, Blocked, GatewayNoise, LostAnswer } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { check } from './check.ts'
import { type Exploration, explore, type Reach, reachOf } from './explore.ts'
import { type Operation, unexplained } from './linearize.ts'
import { type Model, runStep } from './model.ts'
import { programs, type Step, steps } from './program.ts'
import type { GeneratedOptions } from './property.ts'
import type { Trace } from './traced-bench.ts'
import type { Bench, CheckContext } from './vocabulary.ts'

export interface Race<S, W> extends Omit<Model<S, W>, 'examples'> {
  /** Commands that take part in the concurrent branches; default all. */
  concurrent?: string[]
  /** Steps that run one after another when all branches are done, so that a lost update shows. */
  probes?: Step[]
  /** Steps before the branches, at most; default 3. */
  prefix?: number
  /** Steps of a branch, at most; default 2. */
  branch?: number
  /** Programs that run first in every run, so that what the check is about is reached whatever is drawn. */
  examples?: RaceProgram[]
}

/** Steps one after another, then branches at once. */
export interface RaceProgram {
  prefix: Step[]
  branches: Step[][]
}

const REPETITIONS = 2

const programsOf = <S, W>(race: Race<S, W>): Arbitrary<RaceProgram> => {
  const step = steps(race.commands)
  const names = race.concurrent ?? Object.keys(race.commands)
  const racing = steps(Object.fromEntries(Object.entries(race.commands).filter(([name]) => names.includes(name))))
  return fc.record({
    prefix: programs(step, 0, race.prefix ?? 3),
    branches: programs(programs(racing, 1, race.branch ?? 2), 2, 3),
  })
}

interface History<S, W> {
  race: Race<S, W>
  world: W
  /** State at the end of the prefix: what arguments of concurrent steps are resolved against. */
  known: S
  /** Grows by one at each beginning and end. */
  clock: number
  operations: Operation<S, W>[]
  trace: Trace
}

const runConcurrent = async <S, W>(history: History<S, W>, bench: Bench, step: Step, branch: string): Promise<void> => {
  const command = history.race.commands[step.command]!
  const input = command.resolve === undefined ? step.drawn : command.resolve(history.known, step.drawn, history.world)
  if (input === undefined) return
  const text = `${branch}: ${step.command} ${cut(JSON.stringify(input), 100)}`
  history.clock += 1
  const operation: Operation<S, W> = {
    command,
    input,
    began: history.clock,
    ended: Number.POSITIVE_INFINITY,
    lost: false,
    seen: undefined,
    text,
  }
  history.operations.push(operation)
  history.trace.lines.push(`${text} begins`)
  try {
    operation.seen = await command.run(bench, input, history.world)
    history.clock += 1
    operation.ended = history.clock
    history.trace.lines.push(`${text} ends`)
  } catch (error) {
    if (!(error instanceof LostAnswer || error instanceof GatewayNoise)) throw error
    operation.lost = true
    history.trace.lines.push(`${text}: the answer was lost`)
  }
}

const settled = async (branches: Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(branches)
  const broken = results.find((result) => result.status === 'rejected')
  if (broken !== undefined) throw broken.reason
}

// A prefix that fails is not about concurrency: the model of the same engine judges it.
const prepared = async <S>(run: () => Promise<S>): Promise<S> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AssertionFailure)) throw error
    throw new Blocked(
      `the sequential steps before a race failed: ${error.message}`,
      'see the model and scenario checks of this engine first',
    )
  }
}

const runOnce = async <S, W>(race: Race<S, W>, context: CheckContext, program: RaceProgram, trace: Trace): Promise<void> => {
  const world = await race.world(context.bench)
  let state = race.initial(world)
  for (const step of program.prefix) state = await prepared(() => runStep({ model: race, context, world, trace }, state, step))
  const history: History<S, W> = { race, world, known: state, clock: 0, operations: [], trace }
  await settled(
    program.branches.map(async (branch, index) => {
      for (const step of branch) await runConcurrent(history, context.bench, step, 'ABC'[index] ?? '?')
    }),
  )
  for (const step of race.probes ?? []) await runConcurrent(history, context.bench, step, 'afterwards')
  const lost = history.operations.filter((operation) => operation.lost).length
  if (lost > 0 && lost * 2 >= history.operations.length)
    throw new LostAnswer('most answers of a concurrent program were lost', 'see why connections break')
  const problem = unexplained(history.operations, state)
  if (problem !== undefined)
    throw new AssertionFailure(
      problem.message,
      'answers that some order of the operations explains',
      history.operations.map(({ text }) => text),
      problem.exchange,
    )
}

const exploration = <S, W>(race: Race<S, W>, clause: string, reach: Reach): Exploration<RaceProgram> => ({
  ...reach,
  clauses: [clause],
  arbitrary: programsOf(race),
  ...(race.examples === undefined ? {} : { first: race.examples }),
  async run(context, program, trace) {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      trace.lines.length = 0
      await runOnce(race, context, program, trace)
    }
  },
  describe: ({ prefix, branches }) => {
    const names = (list: Step[]) => list.map((step) => step.command).join(', ') || 'nothing'
    return `${names(prefix)}; then at once ${branches.map((branch, index) => `${'ABC'[index]}: ${names(branch)}`).join(' | ')}`
  },
})

/**
 * Registers a check that runs short programs concurrently: a sequential prefix, then two or three branches at once, then `probes`. It fails where
 * no order of the concurrent operations explains all answers. Operations whose answer was lost are tried as applied and as not applied.
 *
 * @param options as for `property`; programs: 5 at quick effort, else 15. Each runs twice.
 * @param definition a model, as for `model`, with the commands that race. Arguments of concurrent steps are resolved against the state after the prefix.
 *
 * @example
 * race('ssh/race-otp', 'SSH-VERIFY-02', 'of two concurrent uses of a one-time password one succeeds', {}, {
 *   world: async (bench) => ({ otp: await otpFor(bench) }),
 *   initial: () => ({ used: false }),
 *   prefix: 0,
 *   branch: 1,
 *   commands: {
 *     verify: on({
 *       arguments: fc.constant(null),
 *       run: (bench, _input, { otp }) => bench.call('ssh.verifyOtp', { body: { otp } }),
 *       expects: (state, _input, seen, expect) => state.used ? expect(seen).toBeRefused() : expect(seen).toSucceed(),
 *       next: () => ({ used: true }),
 *     }),
 *   },
 * })
 */
export const race = <S, W>(id: string, clause: string, title: string, options: GeneratedOptions, definition: Race<S, W>): void => {
  const { runs, within, minimum, ...rest } = options
  check(id, clause, title, { kind: 'race', ...rest }, (context) =>
    explore(context, exploration(definition, clause, reachOf(options, [5, 15]))),
  )
}
