import { check, sweep } from '../../harness/checks/index.ts'
import { storeEntry } from './entries.ts'

sweep({
  id: 'core/wrong-token',
  clauses: ['CORE-AUTH-03'],
  title: 'refused with 403 for a token that was never issued',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation) => !operation.unauthenticated,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const answer = await bench.call(operation.id, { ...request, as: 'wrong' })
    await bench.given(operation.id, request)
    expect(answer, 'with a token that was never issued').toHaveStatus(403)
  },
})

sweep({
  id: 'core/wrong-token-no-effect',
  clauses: ['CORE-AUTH-05'],
  title: 'no effect with a token that was never issued',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation, sample) => !operation.unauthenticated && sample.state !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const before = await state(request)
    await bench.call(operation.id, { ...request, as: 'wrong' })
    const after = await state(request)
    await bench.given(operation.id, request)
    expect(after, 'state after a request with a wrong token').toEqual(before)
  },
})

check('core/wrong-bearer', 'CORE-AUTH-08', 'a wrong token in the Authorization header is refused with 403', async ({ bench, expect }) => {
  const { path, value } = await storeEntry(bench)
  const answer = await bench.refuses('kv1.read', {
    bad: { path: { path }, as: 'wrong', carrier: 'bearer' },
    good: { path: { path }, carrier: 'bearer' },
    unchanged: null,
    because: 'a read changes nothing',
    status: 403,
  })
  expect(answer.text).not.toContain(value)
})
