import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { fails, passes } from './service-tests.ts'
import { atGateway, type CloudService, serviceOf } from './services.ts'

const FIPS = 'https://kms-fips.us-east-1.amazonaws.com'

/** Hosts of the key service that were asked since so many requests. */
const hostsAfter = async ({ place }: CloudService, since: number): Promise<string[]> => [
  ...new Set((await place.seen()).slice(since).map(({ host }) => host)),
]

check(
  'managed-keys/cloudakms-region',
  ['MANAGED-KEYS-SIGN-27', 'MANAGED-KEYS-SIGN-49'],
  'the region says which service is asked',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudakms')
    const [here, there] = [await service.key(), await service.key('P-256', { region: 'eu-central-1' })]
    await bench.decide('MANAGED-KEYS-SIGN-27', async () => {
      const [signature] = await passes(context, service, there, 'in the region of the key')
      expect(signature?.host, 'host that was asked').toBe('kms.eu-central-1.amazonaws.com')
      await fails(context, service, there, 'in another region', { region: 'us-east-1' })
      await fails(context, service, here, 'in a region without the key', { region: 'eu-central-1' })
    })
    await bench.decide('MANAGED-KEYS-SIGN-49', async () => {
      await passes(context, service, here, 'without a region', { change: { region: '' } })
    })
  },
)

check('managed-keys/cloudakms-endpoint', 'MANAGED-KEYS-SIGN-31', 'the endpoint is asked where one is given', atGateway, async (context) => {
  const { bench, expect } = context
  const service = await serviceOf(bench, 'cloudakms')
  const key = await service.key()
  for (const [change, host] of [
    [{}, 'kms.us-east-1.amazonaws.com'],
    [{ endpoint: '' }, 'kms.us-east-1.amazonaws.com'],
    [{ endpoint: FIPS }, new URL(FIPS).host],
  ] as [JsonObject, string][]) {
    const since = (await service.place.seen()).length
    await passes(context, service, key, `with the endpoint ${JSON.stringify(change.endpoint ?? null)}`, { change })
    expect(await hostsAfter(service, since), 'hosts that were asked').toEqual([host])
  }
  await fails(context, service, key, 'at an endpoint that nobody serves', { endpoint: 'https://127.0.0.1:1' })
})

check('managed-keys/cloudakms-access-key', 'MANAGED-KEYS-SIGN-32', 'requests are made with the access key', atGateway, async (context) => {
  const { bench } = context
  const [service, other] = [await serviceOf(bench, 'cloudakms'), await serviceOf(bench, 'cloudakms')]
  const key = await service.key()
  await passes(context, service, key, 'with the right secret')
  await fails(context, service, key, 'with a wrong secret', { secret_key: bench.canary('secret') })
  await fails(context, service, key, 'with an unknown access key', { access_key: 'AKIA0000000000000000' })
  const { id: access_key, secret: secret_key } = other.place.accessKey
  await fails(context, service, key, 'with the access key of somebody else', { access_key, secret_key })
})

check(
  'managed-keys/cloudakms-key',
  ['MANAGED-KEYS-SIGN-33', 'MANAGED-KEYS-SIGN-34', 'MANAGED-KEYS-AKMS-14'],
  'a key is named by alias, id or ARN, and is one for signatures',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudakms')
    const key = await service.key('RSA_2048')
    const arnOf = (id: string): string => `arn:aws:kms:us-east-1:${service.place.accessKey.account}:key/${id}`
    const [arn, unknown] = [arnOf(key.name), '00000000-0000-4000-8000-000000000000']
    await bench.decide('MANAGED-KEYS-SIGN-33', async () => {
      for (const [label, kms_key] of [
        ['by alias', key.body.kms_key],
        ['by id', key.name],
        ['by ARN', arn],
      ] as const)
        await passes(context, service, key, label, { change: { kms_key: kms_key ?? '' } })
      await fails(context, service, key, 'by an unknown id', { kms_key: unknown })
    })
    for (const kms_key of [unknown, arnOf(unknown)])
      await bench.decide('MANAGED-KEYS-AKMS-14', async () => {
        await fails(context, service, key, 'by an id or ARN of no key, which may be made', { kms_key, allow_generate_key: 'true' })
        expect((await service.place.look()).regionalKeys.length, 'keys at the service').toBe(1)
      })
    for (const usage of ['ENCRYPT_DECRYPT', 'GENERATE_VERIFY_MAC']) {
      const alias = `alias/${bench.fresh('key')}`
      await service.place.addKey({ service: 'a', region: 'us-east-1', alias, spec: 'RSA_2048', usage })
      await bench.decide('MANAGED-KEYS-SIGN-34', () =>
        fails(context, service, key, `of a key for ${usage}`, { kms_key: alias }).then(() => undefined),
      )
    }
    await bench.decide('MANAGED-KEYS-SIGN-34', () => passes(context, service, key, 'of the one for signatures').then(() => undefined))
  },
)

const RSA = [
  ['sha2-256', false, 'RSASSA_PKCS1_V1_5_SHA_256'],
  ['sha2-384', false, 'RSASSA_PKCS1_V1_5_SHA_384'],
  ['sha2-512', false, 'RSASSA_PKCS1_V1_5_SHA_512'],
  ['sha2-256', true, 'RSASSA_PSS_SHA_256'],
  ['sha2-384', true, 'RSASSA_PSS_SHA_384'],
  ['sha2-512', true, 'RSASSA_PSS_SHA_512'],
] as const
const EC = [
  ['P-256', 'sha2-256', 'ECDSA_SHA_256'],
  ['P-384', 'sha2-384', 'ECDSA_SHA_384'],
  ['P-521', 'sha2-512', 'ECDSA_SHA_512'],
] as const

check(
  'managed-keys/cloudakms-algorithms',
  'MANAGED-KEYS-SIGN-35',
  'each padding, hash and curve of the service',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudakms')
    for (const size of bench.effort(['RSA_2048'], ['RSA_2048', 'RSA_3072'])) {
      const key = await service.key(size)
      for (const [hash_algorithm, use_pss, algorithm] of RSA) {
        const [signature] = await passes(context, service, key, `with ${algorithm}`, { options: { hash_algorithm, use_pss } })
        expect(signature?.algorithm, 'algorithm of the signature').toBe(algorithm)
      }
    }
    for (const [curve, hash_algorithm, algorithm] of EC) {
      const key = await service.key(curve)
      for (const key_type of ['ECDSA', 'ecdsa', 'EcDsa']) {
        const [signature] = await passes(context, service, key, `with ${algorithm} for ${key_type}`, {
          change: { key_type },
          options: { hash_algorithm },
        })
        expect(signature?.algorithm, 'algorithm of the signature').toBe(algorithm)
      }
    }
    const rsa = await service.key('RSA_2048')
    for (const key_type of ['rsa', 'Rsa'])
      for (const [hash_algorithm, use_pss, algorithm] of RSA.slice(1, -1)) {
        const [signature] = await passes(context, service, rsa, `with ${algorithm} for ${key_type}`, {
          change: { key_type },
          options: { hash_algorithm, use_pss },
        })
        expect(signature?.algorithm, 'algorithm of the signature').toBe(algorithm)
      }
  },
)
