import { type Bench, type CallInput, type Sample, sample } from '../../harness/checks/index.ts'
import { needs, type Place, placeFor, unconfiguredPlace } from './fixtures.ts'

const own = needs().needs ?? {}

/** One place for all requests of a check: a second one would take the credentials from what was made in the first, which could not be ended then. */
const oncePerBench = (make: (bench: Bench) => Promise<Place>) => {
  const made = new WeakMap<Bench, Promise<Place>>()
  return (prepare: (place: Place) => Promise<CallInput>) =>
    async (bench: Bench): Promise<CallInput> => {
      const place = made.get(bench) ?? make(bench)
      made.set(bench, place)
      return prepare(await place)
    }
}

/** Everything that a request of the engine may presuppose. */
const withPlace = oncePerBench(placeFor)
const withProject = oncePerBench(unconfiguredPlace)

const stored = async (bench: Bench, input: CallInput): Promise<unknown> => {
  const { status, data } = await bench.call('cloudc.readRoleset', { path: input.path ?? {} })
  return status === 200 ? data : status
}
const config = async (bench: Bench): Promise<unknown> => (await bench.call('cloudc.readConfig')).data

const ABSENT = 'what is generated names no project that exists'

const samples: Omit<Sample, 'needs'>[] = [
  {
    operation: 'cloudc.writeConfig',
    input: withProject(async ({ cloud }) => ({ body: { credentials: cloud.credentials, ttl: 60, max_ttl: 120 } })),
    state: config,
    excluded: { generated: 'a generated value is not a credentials file' },
  },
  { operation: 'cloudc.readConfig', input: withPlace(async () => ({})) },
  {
    operation: 'cloudc.writeRoleset',
    input: withPlace(async (place) => ({ path: { name: place.name() }, body: place.body() })),
    state: stored,
    excluded: { generated: ABSENT },
  },
  { operation: 'cloudc.readRoleset', input: withPlace(async (place) => ({ path: { name: await place.roleset() } })) },
  { operation: 'cloudc.deleteRoleset', input: withPlace(async (place) => ({ path: { name: await place.roleset() } })), state: stored },
  {
    operation: 'cloudc.listRolesets',
    input: withPlace(async (place) => {
      await place.roleset()
      return {}
    }),
  },
  { operation: 'cloudc.rotate', input: withPlace(async (place) => ({ path: { name: await place.roleset() } })), state: stored },
  { operation: 'cloudc.rotateKey', input: withPlace(async (place) => ({ path: { name: await place.roleset() } })) },
  { operation: 'cloudc.readToken', input: withPlace(async (place) => ({ path: { roleset: await place.roleset() } })) },
  { operation: 'cloudc.createToken', input: withPlace(async (place) => ({ path: { roleset: await place.roleset() } })) },
  { operation: 'cloudc.readKey', input: withPlace(async (place) => ({ path: { roleset: await place.keyRoleset() } })) },
  {
    operation: 'cloudc.createKey',
    input: withPlace(async (place) => ({ path: { roleset: await place.keyRoleset() }, body: { ttl: '60s' } })),
    excluded: { generated: 'the values that the provider knows are not shown' },
  },
]

for (const one of samples) sample({ needs: own, ...one })
