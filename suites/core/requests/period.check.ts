import { type CallInput, check, type OperationFacts, sweep } from '../../../harness/checks/index.ts'

const lastNamed = (operation: OperationFacts) => operation.parameters.filter(({ multiSegment }) => !multiSegment).at(-1)?.name

const withPeriod = (operation: OperationFacts, request: CallInput): CallInput => {
  const name = lastNamed(operation)!
  return { ...request, path: { ...request.path, [name]: `${request.path?.[name]}.` } }
}

sweep({
  id: 'core/trailing-period',
  clauses: ['CORE-PERIOD-01'],
  title: 'a name that ends in a period is answered with 404',
  kind: 'scenario',
  exclusion: 'period',
  applies: (operation) => operation.mount !== undefined && lastNamed(operation) !== undefined,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const answer = await bench.call(operation.id, withPeriod(operation, request))
    await bench.given(operation.id, request)
    expect(answer, 'a name that ends in a period').toHaveStatus(404)
  },
})

sweep({
  id: 'core/trailing-period-text',
  clauses: ['CORE-PERIOD-02'],
  title: 'the refusal of a name that ends in a period speaks of an unsupported path',
  kind: 'scenario',
  exclusion: 'period',
  applies: (operation) => operation.mount !== undefined && operation.method === 'POST' && lastNamed(operation) !== undefined,
  async body({ bench, expect, operation, input }) {
    const answer = await bench.call(operation.id, withPeriod(operation, await input()))
    expect(answer.text).toMatch(/unsupported[\s_-]*path/i)
  },
})

check('core/key-with-period', 'CORE-PERIOD-03', 'a key that ends in a period', async ({ bench }) => {
  const path = `${bench.fresh('key')}.`
  const written = await bench.call('kv1.write', { path: { path }, body: { a: 1 } })
  bench.observe('CORE-PERIOD-03', { write: written.status, read: (await bench.call('kv1.read', { path: { path } })).status })
})
