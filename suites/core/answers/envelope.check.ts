import { check, type JsonObject } from '../../../harness/checks/index.ts'

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
