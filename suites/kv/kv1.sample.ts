import { type Bench, type CallInput, sample } from '../../harness/checks/index.ts'
import { pathWithin } from './fixtures.ts'

/** Members of an object that are named like those of the envelope, and are none. */
const LIKE_ENVELOPE = { ttl: 3600, lease: '1h', lease_id: 'of/its/own', lease_duration: 5, renewable: true, wrap_info: { ttl: 7 } }

const stored = async (bench: Bench): Promise<string> => {
  const path = pathWithin(bench)
  await bench.given('kv1.write', { path: { path }, body: { value: bench.canary(), ...LIKE_ENVELOPE } })
  return path
}

const read = async (bench: Bench, input: CallInput) => {
  const { status, data, body } = await bench.call('kv1.read', { path: { path: input.path?.path ?? '' } })
  return status === 200 ? { data: Object.keys(data).length > 0 ? data : (body ?? null) } : { status }
}

sample({ operation: 'kv1.read', input: async (bench) => ({ path: { path: await stored(bench) } }) })

sample({
  operation: 'kv1.write',
  input: async (bench) => ({ path: { path: pathWithin(bench) }, body: { value: bench.canary() } }),
  state: read,
})

sample({
  operation: 'kv1.list',
  async input(bench) {
    const directory = `${bench.fresh('dir')}/`
    await bench.given('kv1.write', { path: { path: `${directory}key` }, body: { value: 'x' } })
    return { path: { directory } }
  },
})

sample({ operation: 'kv1.delete', input: async (bench) => ({ path: { path: await stored(bench) } }), state: read })
