/** Parameters that together say where a key is: every pair of them, for keys that are there and keys that are made. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { givenKey } from '../fixtures.ts'
import { passes, SOON, testOnce } from './service-tests.ts'
import { atGateway, type CloudService, REGION_C, type ServiceKey, serviceOf } from './services.ts'

/** Hosts of the service of the key that were asked since so many requests; logins are left out. */
const hostsAfter = async ({ place }: CloudService, since: number): Promise<string[]> => [
  ...new Set(
    (await place.seen()).slice(since).flatMap(({ host, operation }) => (/^vault\.(login|discover)$/.test(operation) ? [] : [host])),
  ),
]

const REGIONS = ['us-east-1', 'eu-central-1'] as const

check(
  'managed-keys/cloudakms-places',
  ['MANAGED-KEYS-SIGN-27', 'MANAGED-KEYS-SIGN-31', 'MANAGED-KEYS-SIGN-33'],
  'region, endpoint and name of a key of kind cloudakms mean the same key in whatever order they come',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudakms')
    const alias = `alias/${bench.fresh('key')}`
    const { account } = service.place.accessKey
    const placed = []
    for (const region of REGIONS) placed.push({ region, key: await service.key('P-256', { region }, alias) })
    for (const { region, key } of [...placed, ...placed.reverse()])
      for (const prefix of ['kms-fips', 'kms']) {
        const host = `${prefix}.${region}.amazonaws.com`
        const endpoints: JsonObject[] = [{ endpoint: `https://${host}` }, ...(prefix === 'kms' ? [{}, { endpoint: '' }] : [])]
        for (const change of endpoints) {
          const words = `in ${region} with ${JSON.stringify(change)}`
          const since = (await service.place.seen()).length
          await bench.decide('MANAGED-KEYS-SIGN-27', () => passes(context, service, key, words, { change }).then(() => undefined))
          const hosts = await hostsAfter(service, since)
          await bench.decide('MANAGED-KEYS-SIGN-31', () => expect(hosts, `hosts that were asked ${words}`).toEqual([host]))
        }
        for (const kms_key of [key.name, `arn:aws:kms:${region}:${account}:key/${key.name}`])
          await bench.decide('MANAGED-KEYS-SIGN-33', async () => {
            const [signature] = await passes(context, service, key, `of ${kms_key} at ${host}`, {
              change: { kms_key, endpoint: `https://${host}` },
            })
            expect(signature?.host, `host that was asked for ${kms_key}`).toBe(host)
          })
      }
  },
)

check(
  'managed-keys/cloudakms-makes-in-place',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-31'],
  'a key of kind cloudakms is made in its region, at its endpoint, and in no other',
  atGateway,
  async ({ bench, expect }) => {
    const service = await serviceOf(bench, 'cloudakms')
    const alias = `alias/${bench.fresh('key')}`
    const made: string[] = []
    for (const region of REGIONS) {
      const host = `kms-fips.${region}.amazonaws.com`
      const body = service.absent('P-256', { region, endpoint: `https://${host}`, allow_generate_key: 'true' }, alias).body
      const name = await givenKey(bench, 'cloudakms', body)
      const since = (await service.place.seen()).length
      const answer = await testOnce(bench, 'cloudakms', name)
      made.push(`${region} ${alias}`)
      await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
        expect(answer, `the test that makes a key in ${region}`).toSucceed()
        const aliases = async () => Object.keys((await service.place.look()).aliases).sort()
        await bench.eventually(async () => expect(await aliases(), 'regions with the alias').toEqual([...made].sort()), SOON)
      })
      const hosts = await hostsAfter(service, since)
      await bench.decide('MANAGED-KEYS-SIGN-31', () => expect(hosts, `hosts that were asked in ${region}`).toEqual([host]))
    }
  },
)

/** Resources, and the DNS suffix that each of them means. */
const RESOURCES = [
  [{}, 'vault.azure.net'],
  [{ resource: 'managedhsm.azure.net' }, 'managedhsm.azure.net'],
  [{ resource: 'vault.azure.net' }, 'vault.azure.net'],
] as const

check(
  'managed-keys/cloudbkeyvault-places',
  ['MANAGED-KEYS-SIGN-37', 'MANAGED-KEYS-SIGN-38', 'MANAGED-KEYS-SIGN-26'],
  'vault, resource and environment of a key of kind cloudbkeyvault mean the same key in whatever pair they come',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const services = [await serviceOf(bench, 'cloudbkeyvault'), await serviceOf(bench, 'cloudbkeyvault')]
    const called = bench.fresh('key')
    const placed: { service: CloudService; key: ServiceKey }[] = []
    for (const service of services) placed.push({ service, key: await service.key('RSA_2048', {}, called) })
    for (const [resource, suffix] of RESOURCES)
      for (const environment of [{}, { environment: 'CLOUDBPUBLICCLOUD' }] as JsonObject[])
        for (const { service, key } of placed) {
          const change = { ...resource, ...environment }
          const since = (await service.place.seen()).length
          await bench.decide('MANAGED-KEYS-SIGN-37', () =>
            passes(context, service, key, `with ${JSON.stringify(change)}`, { change }).then(() => undefined),
          )
          const hosts = await hostsAfter(service, since)
          await bench.decide('MANAGED-KEYS-SIGN-38', () =>
            expect(hosts, `hosts that were asked with ${JSON.stringify(change)}`).toEqual([`${service.place.vault.name}.${suffix}`]),
          )
        }
    const [service] = services as [CloudService]
    const absent = service.absent('RSA_2048', { resource: 'managedhsm.azure.net', allow_generate_key: 'true' })
    const name = await givenKey(bench, 'cloudbkeyvault', absent.body)
    const since = (await service.place.seen()).length
    const answer = await testOnce(bench, 'cloudbkeyvault', name)
    await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
      expect(answer, 'the test that makes a key').toSucceed()
      await bench.eventually(async () => expect(await absent.held(), 'what the vault has under the name').toEqual(['RSA_2048']), SOON)
    })
    const hosts = await hostsAfter(service, since)
    await bench.decide('MANAGED-KEYS-SIGN-38', () =>
      expect(hosts, 'hosts that were asked for the key that is made').toEqual([`${service.place.vault.name}.managedhsm.azure.net`]),
    )
  },
)

check(
  'managed-keys/cloudckms-places',
  ['MANAGED-KEYS-SIGN-42', 'MANAGED-KEYS-SIGN-26'],
  'keys of one name in two rings, regions and projects are as many keys',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const services = [await serviceOf(bench, 'cloudckms'), await serviceOf(bench, 'cloudckms')]
    const [called, ring] = [bench.fresh('key'), bench.fresh('ring')]
    const places: JsonObject[] = [
      { key_ring: ring, region: REGION_C },
      { key_ring: `${ring}_B`, region: REGION_C },
      { key_ring: `${ring}_b`, region: REGION_C },
      { key_ring: ring, region: 'us-east1' },
    ]
    const placed: { service: CloudService; key: ServiceKey & { name: string } }[] = []
    for (const service of services) for (const more of places) placed.push({ service, key: await service.key(undefined, more, called) })
    const signsEach = (when: string, those: typeof placed) =>
      bench.decide('MANAGED-KEYS-SIGN-42', async () => {
        for (const { service, key } of those) await passes(context, service, key, `of ${key.name}, ${when}`)
      })
    await signsEach('beside the others', placed)
    const [gone, ...left] = placed as [(typeof placed)[number], ...typeof placed]
    await gone.service.place.dropKey(gone.key.name)
    const name = await givenKey(bench, 'cloudckms', { ...gone.key.body, allow_generate_key: 'true' })
    const heldByOthers = () => Promise.all(left.map(({ key }) => key.held()))
    const before = await heldByOthers()
    const answer = await testOnce(bench, 'cloudckms', name)
    await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
      expect(answer, 'the test that makes a key beside those of its name').toSucceed()
      await bench.eventually(async () => expect(await gone.key.held(), 'what its ring has under the name').toHaveLength(1), SOON)
      expect(await heldByOthers(), 'what the other rings have').toEqual(before)
    })
    await signsEach('after one of them was made', left)
  },
)
