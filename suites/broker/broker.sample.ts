import { type Bench, type CallInput, sample } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

const own = needs().needs ?? {}
const backends = { backends: ['rabbitmq'] }

const role = async (bench: Bench, input: CallInput): Promise<unknown> => {
  const { status, data } = await bench.call('broker.readRole', { path: input.path ?? {} })
  return status === 200 ? data : status
}

const roleBody = { tags: 'monitoring', vhosts: '{"/":{"configure":"","write":"","read":".*"}}', vhost_topics: '' }

const writtenRole = async (bench: Bench): Promise<CallInput> => {
  const path = { name: bench.mixedName('sample') }
  await bench.given('broker.writeRole', { path, body: roleBody })
  return { path }
}

sample({
  operation: 'broker.writeConnection',
  needs: own,
  input: async (bench) => ({ body: (await placeFor(bench, { unconnected: true })).connection }),
  excluded: { generated: 'what is generated for a connection names no broker that exists' },
})
const roleFor = async (bench: Bench) => {
  const place = await placeFor(bench)
  return { place, role: await place.role() }
}
const rolesFor = new WeakMap<Bench, ReturnType<typeof roleFor>>()

/** How long a lease lasts that is made now: no row reads the settings. */
const leaseNow = async (bench: Bench): Promise<unknown> => {
  const known = rolesFor.get(bench) ?? roleFor(bench)
  rolesFor.set(bench, known)
  const { place, role } = await known
  return (await place.credential(role)).duration
}

sample({
  operation: 'broker.writeLease',
  needs: own,
  // Other settings each time, so that it shows whether they are stored.
  input: async (bench) => ({ body: { ttl: (await leaseNow(bench)) === 60 ? 90 : 60, max_ttl: 120 } }),
  state: leaseNow,
})
sample({
  operation: 'broker.writeRole',
  needs: backends,
  input: async (bench) => ({ path: { name: bench.mixedName('sample') }, body: roleBody }),
  state: role,
})
sample({ operation: 'broker.readRole', needs: backends, input: writtenRole })
sample({ operation: 'broker.deleteRole', needs: backends, input: writtenRole, state: role })
sample({
  operation: 'broker.readCreds',
  needs: own,
  // What a sweep is given it does not hand back: these leases are short.
  async input(bench) {
    const place = await placeFor(bench, { settle: true })
    await bench.given('broker.writeLease', { body: { ttl: 2, max_ttl: 60 } })
    return { path: { name: await place.role() } }
  },
})
