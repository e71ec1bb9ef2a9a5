/** What is refused to callers of some kind, without effect: an operation in all its methods, and the help of its path. */
import type { Answer, Caller, CallInput, Identity, SweepContext } from '../../../harness/checks/index.ts'
import { CARRIERS } from './attempts.ts'
import { askAsGranted, deniedAmongAll, deniedTo, isGoodByItself, sudoAlone } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

/** Callers who are refused the help of a path, by the clause of it. */
const HELPLESS = {
  'CORE-HELP-05': 'the help of a path without any capability there',
  'CORE-CAP-23': 'the help of a path that is denied',
}

/** Asserts that the help of a request's path is refused without a token, and to these callers. */
export const expectNoHelp = async (
  { bench, expect, operation }: SweepContext,
  { body: _, ...request }: CallInput,
  callers: Record<keyof typeof HELPLESS, Identity>,
): Promise<void> => {
  const ask = (as: Caller) =>
    bench.call(operation.id, { ...request, method: 'GET', query: { help: '1' }, pathSuffix: '', as, invalid: true })
  const anonymous = await ask('none')
  await bench.decide('CORE-HELP-05', () => expect(anonymous, 'the help of a path without a token').toBeRefused())
  for (const [clause, what] of Object.entries(HELPLESS) as [keyof typeof HELPLESS, string][]) {
    const answer = await ask(callers[clause])
    await bench.decide(clause, () => expect(answer, what).toHaveStatus(403, 404))
  }
}

const withoutBody = ({ body: _, ...request }: CallInput): CallInput => ({ ...request, invalid: true })

/** Who asks for an operation: undefined where nobody can be so. */
export type Callers = Record<string, (request: CallInput) => Promise<Identity | undefined>>

/**
 * Asserts that callers may not do what a sample does: each is refused, nothing changes, and a caller who may do it is served. Some of them may read
 * there, unless `maySee` is false, and still may afterwards. Those of an advised clause come last: where they are served, the others were not
 * affected.
 */
export const refusesWithoutEffect = async (
  { bench, expect, operation, input, state }: SweepContext,
  callersOf: Record<string, Callers>,
  maySee = true,
): Promise<CallInput> => {
  const request = await input()
  const answers: [what: string, answer: Answer, clause: string][] = []
  const asked: [what: string, as: Identity, clause: string][] = []
  const states = [await state(request)]
  let stillGranted = 0
  for (const [clause, callers] of Object.entries(callersOf)) {
    for (const [what, callerFor] of Object.entries(callers)) {
      const as = await callerFor(request)
      if (as === undefined) continue
      asked.push([what, as, clause])
      // What it may do there it does first: that it was allowed once must not count for anything else.
      const reads = operation.pathMethods.includes('GET')
      const read = () => bench.call(operation.id, { ...withoutBody(request), as, method: 'GET' })
      const isGranted = reads && (await read()).ok
      const own: [what: string, answer: Answer, clause: string][] = []
      for (const method of methodsOf(operation))
        for (const carrier of CARRIERS) {
          const answer = await bench.call(operation.id, { ...request, as, method, carrier })
          own.push([`${what}, by ${method} with the ${carrier} header`, answer, clause])
        }
      answers.push(...own)
      // Nor must what it was refused count against what is granted.
      if (!isGranted || !own.every(([, { status }]) => [403, 404].includes(status))) continue
      stillGranted += 1
      const again = await read()
      await bench.decide('CORE-CAP-03', () => expect(again, `a read that is granted, after ${what}`).toSucceed())
    }
    states.push(await state(request))
  }
  if (stillGranted === 0 && maySee) bench.observe('CORE-CAP-03', 'none of these callers reads there, or is refused')
  if (await isGoodByItself(bench, operation, request, answers)) {
    await askAsGranted(bench, operation, request)
    for (const [what, as, clause] of asked)
      answers.push([`${what}, after one by a caller who may`, await bench.call(operation.id, { ...request, as }), clause])
  }
  for (const [index, clause] of Object.keys(callersOf).entries())
    await bench.decide(clause, () => {
      for (const [what, answer, of] of answers) if (of === clause) expect(answer, what).toHaveStatus(403, 404)
      expect(states[index + 1], 'state after what was refused').toEqual(states[index])
    })
  return request
}

/** Callers who are denied what they try, and who have the elevated capability alone: the documents speak of neither. */
export const deniedOrElevated = ({ bench, operation }: SweepContext, what: string): Record<string, Callers> => ({
  'CORE-CAP-23': {
    [`${what} that is denied`]: (request) => deniedTo(bench, operation, request),
    [`${what} that is denied among all that are granted`]: (request) => deniedAmongAll(bench, operation, request),
  },
  'CORE-CAP-24': { [`${what} with the capability sudo alone`]: (request) => sudoAlone(bench, operation, request) },
})
