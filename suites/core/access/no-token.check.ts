import {
  type Answer,
  type CallInput,
  type CheckContext,
  check,
  type OperationFacts,
  type SweepContext,
  sweep,
} from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'
import { CARRIERS } from './attempts.ts'
import { identities, isGoodByItself, strangerTo } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

const needsToken = (operation: OperationFacts) => !operation.unauthenticated
const REFUSED = ['CORE-AUTH-01', 'CORE-AUTH-02', 'CORE-AUTH-03']

type Labelled = [what: string, answer: Answer]

/** The request in each of its methods, without a token. */
const withoutToken = async ({ bench, operation }: SweepContext, request: CallInput): Promise<Labelled[]> => {
  const answers: Labelled[] = []
  for (const method of methodsOf(operation))
    answers.push([`${method} without a token`, await bench.call(operation.id, { ...request, method, as: 'none' })])
  return answers
}

/** The request in each of its methods, with a token that was never issued in each header that carries one. */
const withWrongToken = async ({ bench, operation }: SweepContext, request: CallInput): Promise<Labelled[]> => {
  const answers: Labelled[] = []
  for (const method of methodsOf(operation)) {
    for (const carrier of CARRIERS) {
      const answer = await bench.call(operation.id, { ...request, method, as: 'wrong', carrier })
      answers.push([`${method} with a token that was never issued, header ${carrier}`, answer])
    }
  }
  return answers
}

/** The request with each header that carries a token, and no token in it. */
const withEmptyToken = async ({ bench, operation }: SweepContext, request: CallInput): Promise<Labelled[]> => {
  const answers: Labelled[] = []
  for (const carrier of CARRIERS) {
    const answer = await bench.call(operation.id, { ...request, as: { name: 'nobody', token: '' }, carrier })
    answers.push([`with an empty token, header ${carrier}`, answer])
  }
  return answers
}

const decideRefused = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  without: readonly Labelled[],
  empty: readonly Labelled[],
  wrong: readonly Labelled[],
): Promise<void> => {
  await bench.decide('CORE-AUTH-01', () => {
    for (const [what, answer] of [...without, ...empty]) expect(answer, what).toBeRefused()
  })
  await bench.decide('CORE-AUTH-02', () => {
    for (const [what, answer] of without) expect(answer, what).toHaveStatus(403)
  })
  await bench.decide('CORE-AUTH-03', () => {
    for (const [what, answer] of wrong) expect(answer, what).toHaveStatus(403)
  })
}

sweep({
  id: 'core/no-token',
  clauses: REFUSED,
  title: 'refused without a token, and with one that was never issued',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation, sample) => needsToken(operation) && sample.state === undefined,
  async body(context) {
    const request = await context.input()
    const without = await withoutToken(context, request)
    const empty = await withEmptyToken(context, request)
    const wrong = await withWrongToken(context, request)
    await isGoodByItself(context.bench, context.operation, request, [...without, ...empty, ...wrong])
    await decideRefused(context, without, empty, wrong)
  },
})

// One preparation serves all of it: some samples need a database or a broker.
sweep({
  id: 'core/no-token-no-effect',
  clauses: [...REFUSED, 'CORE-AUTH-04', 'CORE-AUTH-05'],
  title: 'refused, without effect, without a token and with one that was never issued',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation, sample) => needsToken(operation) && sample.state !== undefined,
  async body(context) {
    const { bench, expect, state } = context
    const request = await context.input()
    const before = await state(request)
    const without = await withoutToken(context, request)
    const empty = await withEmptyToken(context, request)
    const between = await state(request)
    const wrong = await withWrongToken(context, request)
    const after = await state(request)
    await isGoodByItself(bench, context.operation, request, [...without, ...empty, ...wrong])
    await decideRefused(context, without, empty, wrong)
    await bench.decide('CORE-AUTH-04', () => expect(between, 'state after a request without a token').toEqual(before))
    await bench.decide('CORE-AUTH-05', () => expect(after, 'state after a request with a wrong token').toEqual(between))
  },
})

sweep({
  id: 'core/open-to-anyone',
  clauses: ['CORE-AUTH-17'],
  title: 'an unauthenticated operation answers also with a token that is not good',
  kind: 'scenario',
  applies: (operation) => operation.unauthenticated,
  async body({ bench, expect, operation, input }) {
    await bench.given(operation.id, { ...(await input()), as: 'none' })
    for (const carrier of ['token', 'bearer'] as const)
      expect(await bench.call(operation.id, { ...(await input()), as: 'wrong', carrier }), `a wrong token, ${carrier}`).toSucceed()
  },
})

sweep({
  id: 'core/open-to-strangers',
  clauses: ['CORE-AUTH-18'],
  title: 'an unauthenticated operation answers also a caller who may do nothing there',
  kind: 'scenario',
  needs: identities,
  applies: (operation) => operation.unauthenticated,
  async body({ bench, expect, operation, input }) {
    const stranger = await strangerTo(bench)
    await bench.given(operation.id, { ...(await input()), as: 'none' })
    for (const carrier of CARRIERS)
      expect(await bench.call(operation.id, { ...(await input()), as: stranger, carrier }), `with the header ${carrier}`).toSucceed()
  },
})

sweep({
  id: 'core/open-within-namespaces',
  clauses: ['CORE-AUTH-12'],
  title: 'within a namespace, an unauthenticated operation answers without a token, however the namespace is spelled',
  kind: 'scenario',
  nested: 1,
  applies: (operation) => operation.unauthenticated && operation.mount !== undefined,
  async body({ bench, expect, operation, input }) {
    for (const namespaceInPath of [0, 1]) {
      const there = { namespaceInPath }
      await bench.given(operation.id, { ...(await input()), ...there })
      const answer = await bench.call(operation.id, { ...(await input()), ...there, as: 'none' })
      expect(answer, `with ${namespaceInPath} segments of the namespace in the path`).toSucceed()
    }
  },
})

check('core/wrong-bearer', 'CORE-AUTH-08', 'a wrong token in the Authorization header is refused with 403', async ({ bench, expect }) => {
  const { path, value } = await storeEntry(bench)
  const answer = await bench.refuses('kv1.read', {
    bad: { path: { path }, as: 'wrong', carrier: 'bearer' },
    control: { path: { path }, carrier: 'bearer' },
    unchanged: null,
    because: 'a read changes nothing',
    status: 403,
  })
  expect(answer.text).not.toContain(value)
})
