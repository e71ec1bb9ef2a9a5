import { check } from '../../../harness/checks/index.ts'
import { fails, passes, without, written } from './service-tests.ts'
import { atGateway, serviceOf } from './services.ts'

check(
  'managed-keys/cloudbkeyvault-login',
  'MANAGED-KEYS-SIGN-36',
  'requests are made as the client of the tenant',
  atGateway,
  async (context) => {
    const { bench } = context
    const [service, other] = [await serviceOf(bench, 'cloudbkeyvault'), await serviceOf(bench, 'cloudbkeyvault')]
    const key = await service.key()
    await passes(context, service, key, 'with the right client')
    const { tenant: tenant_id, client: client_id, secret: client_secret } = other.place.vault
    await fails(context, service, key, 'with a wrong client secret', { client_secret: bench.canary('secret') })
    await fails(context, service, key, 'with an unknown client', { client_id })
    await fails(context, service, key, 'with another tenant', { tenant_id })
    await fails(context, service, key, 'as a client of somebody else', { tenant_id, client_id, client_secret })
  },
)

check('managed-keys/cloudbkeyvault-key', 'MANAGED-KEYS-SIGN-37', 'vault and key are those that are named', atGateway, async (context) => {
  const { bench } = context
  const [service, other] = [await serviceOf(bench, 'cloudbkeyvault'), await serviceOf(bench, 'cloudbkeyvault')]
  const key = await service.key()
  await passes(context, service, key, 'in the right vault')
  await fails(context, service, key, 'in an unknown vault', { vault_name: bench.fresh('vault') })
  await fails(context, service, key, 'in the vault of somebody else', { vault_name: other.place.vault.name })
  await fails(context, service, key, 'of an unknown key', { key_name: bench.fresh('key') })
})

check(
  'managed-keys/cloudbkeyvault-place',
  ['MANAGED-KEYS-SIGN-38', 'MANAGED-KEYS-SIGN-39'],
  'resource and environment say which service is asked',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudbkeyvault')
    const key = await service.key()
    const { name } = service.place.vault
    for (const [change, host] of [
      [{}, `${name}.vault.azure.net`],
      [{ resource: 'vault.azure.net' }, `${name}.vault.azure.net`],
      [{ resource: 'managedhsm.azure.net' }, `${name}.managedhsm.azure.net`],
    ] as const)
      await bench.decide('MANAGED-KEYS-SIGN-38', async () => {
        const [signature] = await passes(context, service, key, `with the resource ${JSON.stringify(change)}`, { change })
        expect(signature?.host, 'host that was asked').toBe(host)
      })
    await bench.decide('MANAGED-KEYS-SIGN-39', async () => {
      for (const body of [without(key.body, 'environment'), { ...key.body, environment: 'CLOUDBPUBLICCLOUD' }]) {
        const { test } = await written(bench, service, body)
        expect(await test(), `the test with the environment ${JSON.stringify(body.environment ?? null)}`).toSucceed()
      }
    })
  },
)

const ALGORITHMS = [
  ['sha2-256', false, 'RS256'],
  ['sha2-384', false, 'RS384'],
  ['sha2-512', false, 'RS512'],
  ['sha2-256', true, 'PS256'],
  ['sha2-384', true, 'PS384'],
  ['sha2-512', true, 'PS512'],
] as const

check(
  'managed-keys/cloudbkeyvault-algorithms',
  'MANAGED-KEYS-SIGN-40',
  'each padding and hash of the vault',
  atGateway,
  async (context) => {
    const { bench, expect } = context
    const service = await serviceOf(bench, 'cloudbkeyvault')
    for (const size of bench.effort(['RSA_2048'], ['RSA_2048', 'RSA_3072'])) {
      const key = await service.key(size)
      for (const [hash_algorithm, use_pss, algorithm] of ALGORITHMS) {
        const [signature] = await passes(context, service, key, `with ${algorithm}`, { options: { hash_algorithm, use_pss } })
        expect(signature?.algorithm, 'algorithm of the signature').toBe(algorithm)
      }
    }
  },
)
