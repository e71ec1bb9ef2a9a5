import { type Answer, type CallInput, check, type OperationFacts, sweep } from '../../../harness/checks/index.ts'

const lastNamed = (operation: OperationFacts) => operation.parameters.filter(({ multiSegment }) => !multiSegment).at(-1)?.name

const withPeriod = (operation: OperationFacts, request: CallInput, periods = '.'): CallInput => {
  const name = lastNamed(operation)!
  return { ...request, path: { ...request.path, [name]: `${request.path?.[name]}${periods}` } }
}

sweep({
  id: 'core/trailing-period',
  clauses: ['CORE-PERIOD-01'],
  title: 'a name that ends in a period is answered with 404',
  kind: 'scenario',
  exclusion: 'period',
  applies: (operation) => operation.mount !== undefined && lastNamed(operation) !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const before = await state(request)
    const answers = new Map<string, Answer>()
    for (const periods of ['.', '..', '...']) answers.set(periods, await bench.call(operation.id, withPeriod(operation, request, periods)))
    const after = await state(request)
    await bench.given(operation.id, request)
    for (const [periods, answer] of answers) expect(answer, `a name that ends in ${periods}`).toHaveStatus(404)
    expect(after, 'state of the object without the period').toEqual(before)
  },
})

sweep({
  id: 'core/trailing-period-text',
  clauses: ['CORE-PERIOD-02'],
  title: 'the refusal of a name that ends in a period says something',
  kind: 'scenario',
  exclusion: 'period',
  applies: (operation) => operation.mount !== undefined && operation.method === 'POST' && lastNamed(operation) !== undefined,
  async body({ bench, expect, operation, input }) {
    const answer = await bench.call(operation.id, withPeriod(operation, await input()))
    const { errors } = (answer.body ?? {}) as { errors?: unknown[] }
    expect(
      (errors ?? []).filter((error) => typeof error === 'string' && error.trim() !== '').length,
      'errors that say something',
    ).toBeGreaterThan(0)
  },
})

check('core/key-with-period', 'CORE-PERIOD-03', 'a key that ends in a period', async ({ bench }) => {
  const path = `${bench.fresh('key')}.`
  const written = await bench.call('kv1.write', { path: { path }, body: { a: 1 }, observing: true })
  bench.observe('CORE-PERIOD-03', {
    write: written.status,
    read: (await bench.call('kv1.read', { path: { path }, observing: true })).status,
  })
})
