import { check, type JsonObject, type OperationFacts, sweep } from '../../../harness/checks/index.ts'

check(
  'core/envelope-without-lease',
  ['CORE-ENV-10', 'CORE-ENV-11', 'CORE-ENV-12'],
  'the envelope of a read that leases nothing',
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    await bench.given('kv2.write', { path: { path }, body: { data: { a: 1 } } })
    const body = (await bench.given('kv2.read', { path: { path } })).body as JsonObject
    await bench.decide('CORE-ENV-10', () => expect(body.lease_id ?? '', 'lease_id').toBe(''))
    await bench.decide('CORE-ENV-11', () => expect(body.lease_duration ?? 0, 'lease_duration').toBe(0))
    const shown = ['wrap_info', 'warnings', 'auth'].map((name) => [name, Object.hasOwn(body, name) ? body[name]! : 'absent'])
    bench.observe('CORE-ENV-12', Object.fromEntries(shown) as JsonObject)
  },
)

/** Operations whose answers lease nothing whatever the target: listings, and reads of what a client stored and may delete. */
const leasesNothing = ({ isList, engine, method, pathMethods }: OperationFacts): boolean =>
  isList || (method === 'GET' && (engine === 'kv' || pathMethods.includes('DELETE')))

sweep({
  id: 'core/envelope-of-reads',
  clauses: ['CORE-ENV-10', 'CORE-ENV-11'],
  title: 'the envelope says that nothing is leased, or for how long',
  kind: 'scenario',
  applies: ({ engine, method, unauthenticated, mount }) => engine !== 'core' && mount !== undefined && method === 'GET' && !unauthenticated,
  async body({ bench, expect, operation, input }) {
    const { body } = await bench.given(operation.id, await input())
    const { lease_id: id, lease_duration: duration } = (body ?? {}) as JsonObject
    const isPlain = leasesNothing(operation)
    if (isPlain && id !== undefined) await bench.decide('CORE-ENV-10', () => expect(id, 'lease_id').toBe(''))
    else bench.observe('CORE-ENV-10', id === undefined ? 'absent' : id === '' ? 'empty' : 'given')
    if (duration !== undefined && (isPlain || id === ''))
      await bench.decide('CORE-ENV-11', () => expect(duration, 'lease_duration').toBe(0))
    else bench.observe('CORE-ENV-11', duration === undefined ? 'absent' : 'of a lease')
  },
})
