import { type Answer, type CheckContext, check, type OperationFacts, sweep } from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'

const needsToken = (operation: OperationFacts) => !operation.unauthenticated
const REFUSED = ['CORE-AUTH-01', 'CORE-AUTH-02', 'CORE-AUTH-03']

const decideRefused = async ({ bench, expect }: Pick<CheckContext, 'bench' | 'expect'>, without: Answer, wrong: Answer): Promise<void> => {
  await bench.decide('CORE-AUTH-01', () => expect(without, 'without a token').toBeRefused())
  await bench.decide('CORE-AUTH-02', () => expect(without, 'without a token').toHaveStatus(403))
  await bench.decide('CORE-AUTH-03', () => expect(wrong, 'with a token that was never issued').toHaveStatus(403))
}

sweep({
  id: 'core/no-token',
  clauses: REFUSED,
  title: 'refused without a token, and with one that was never issued',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation, sample) => needsToken(operation) && sample.state === undefined,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const without = await bench.call(operation.id, { ...request, as: 'none' })
    const wrong = await bench.call(operation.id, { ...request, as: 'wrong' })
    await bench.given(operation.id, request)
    await decideRefused({ bench, expect }, without, wrong)
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
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const before = await state(request)
    const without = await bench.call(operation.id, { ...request, as: 'none' })
    const between = await state(request)
    const wrong = await bench.call(operation.id, { ...request, as: 'wrong' })
    const after = await state(request)
    await bench.given(operation.id, request)
    await decideRefused({ bench, expect }, without, wrong)
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
