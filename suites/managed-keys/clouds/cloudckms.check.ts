import { check } from '../../../harness/checks/index.ts'
import { fails, fitting, passes } from './service-tests.ts'
import { atGateway, credentialsFile, REGION_C, serviceOf } from './services.ts'

check(
  'managed-keys/cloudckms-credentials',
  'MANAGED-KEYS-SIGN-41',
  'requests are made with the credentials of the file',
  atGateway,
  async (context) => {
    const { bench } = context
    const [service, other] = [await serviceOf(bench, 'cloudckms'), await serviceOf(bench, 'cloudckms')]
    const key = await service.key()
    await passes(context, service, key, 'with the right file')
    await fails(context, service, key, 'with a file that is not there', { credentials: `${String(key.body.credentials)}.absent` })
    await fails(context, service, key, 'with the file of somebody else', {
      credentials: await credentialsFile(bench, other.place.credentials),
    })
    const broken = await credentialsFile(bench, service.place.credentials.slice(1))
    await fails(context, service, key, 'with a file that is not JSON', { credentials: broken })
  },
)

check(
  'managed-keys/cloudckms-key',
  'MANAGED-KEYS-SIGN-42',
  'the key is the one of its ring, project and region',
  atGateway,
  async (context) => {
    const { bench } = context
    const [service, other] = [await serviceOf(bench, 'cloudckms'), await serviceOf(bench, 'cloudckms')]
    const key = await service.key()
    const empty = bench.fresh('ring')
    await service.place.addRing(`projects/${service.place.id}/locations/${REGION_C}/keyRings/${empty}`)
    await passes(context, service, key, 'where it is')
    for (const [label, change] of [
      ['in an unknown ring', { key_ring: bench.fresh('ring') }],
      ['in another ring', { key_ring: empty }],
      ['in another region', { region: 'us-east1' }],
      ['in another project', { project: other.place.id }],
      ['of another name', { crypto_key: bench.fresh('key') }],
    ] as const)
      await fails(context, service, key, label, change)
  },
)

check('managed-keys/cloudckms-ring', 'MANAGED-KEYS-SIGN-43', 'a ring is never made', atGateway, async (context) => {
  const { bench, expect } = context
  const service = await serviceOf(bench, 'cloudckms')
  const before = (await service.place.look()).rings
  const change = { key_ring: bench.fresh('ring'), allow_generate_key: 'true' }
  await fails(context, service, service.absent(), 'in a ring that is not there', change)
  const { rings, ringKeys } = await service.place.look()
  expect(rings, 'rings').toEqual(before)
  expect(ringKeys, 'keys').toEqual({})
  await passes(context, service, service.absent(undefined, { allow_generate_key: 'true' }), 'in the existing ring')
})

check(
  'managed-keys/cloudckms-version',
  'MANAGED-KEYS-SIGN-44',
  'the version is the one that is named, or the first',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudckms')
    const key = await service.key()
    const versions: [change: Record<string, string>, version: string][] = [
      [{}, '1'],
      [{ crypto_key_version: '1' }, '1'],
      [{ crypto_key_version: '2' }, '2'],
      [{ crypto_key_version: '11' }, '11'],
      [{ crypto_key_version: '10' }, '10'],
      // That a key may be made says nothing of which version signs with one that is there.
      [{ allow_generate_key: 'true' }, '1'],
      [{ crypto_key_version: '2', allow_generate_key: 'true' }, '2'],
      [{ crypto_key_version: '11', allow_generate_key: 'true', allow_replace_key: 'true', any_mount: 'true' }, '11'],
    ]
    for (const [change, version] of bench.few(versions)) {
      const [signature] = await passes(context, service, key, `of version ${version}`, { change })
      expect(/cryptoKeyVersions\/(\d+)/.exec(signature?.algorithm ?? '')?.[1], 'version that signed').toBe(version)
    }
    for (const crypto_key_version of ['12', '111'])
      await fails(context, service, key, 'of a version that is not there', { crypto_key_version })
  },
)

const ALGORITHMS = [
  'EC_SIGN_P256_SHA256',
  'EC_SIGN_P384_SHA384',
  ...['PSS', 'PKCS1'].flatMap((padding) =>
    ['2048_SHA256', '3072_SHA256', '4096_SHA256', '4096_SHA512'].map((size) => `RSA_SIGN_${padding}_${size}`),
  ),
]

check(
  'managed-keys/cloudckms-algorithms',
  'MANAGED-KEYS-SIGN-45',
  'keys of each of the ten algorithms are tested',
  atGateway,
  async (context) => {
    const { bench } = context
    const service = await serviceOf(bench, 'cloudckms')
    for (const algorithm of bench.few(ALGORITHMS, 4))
      await passes(context, service, await service.key(algorithm), `with ${algorithm}`, { options: fitting(algorithm) })
  },
)
