import { sweep } from '../../harness/checks/index.ts'

sweep({
  id: 'core/no-token',
  clauses: ['CORE-AUTH-01', 'CORE-AUTH-02'],
  title: 'refused without a token',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation) => !operation.unauthenticated,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const answer = await bench.call(operation.id, { ...request, as: 'none' })
    await bench.given(operation.id, request)
    await bench.decide('CORE-AUTH-01', () => expect(answer, 'without a token').toBeRefused())
    await bench.decide('CORE-AUTH-02', () => expect(answer, 'without a token').toHaveStatus(403))
  },
})

sweep({
  id: 'core/no-token-no-effect',
  clauses: ['CORE-AUTH-04'],
  title: 'no effect without a token',
  kind: 'security',
  exclusion: 'unauthenticated',
  applies: (operation, sample) => !operation.unauthenticated && sample.state !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const before = await state(request)
    await bench.call(operation.id, { ...request, as: 'none' })
    const after = await state(request)
    await bench.given(operation.id, request)
    expect(after, 'state after a request without a token').toEqual(before)
  },
})
