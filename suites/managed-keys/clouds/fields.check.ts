/** Every parameter that a test goes by, put wrong and right again, of a key that has been tested, beside one that nobody touches. */
import { type Bench, check, isBackendFailure, type JsonObject } from '../../../harness/checks/index.ts'
import { givenKey, writeOf } from '../fixtures.ts'
import { signsWith, testOnce } from './service-tests.ts'
import { atGateway, CLOUD_KINDS, type CloudKind, type CloudService, credentialsFile, serviceOf } from './services.ts'

/** What every key is written with, so that each update says again what one before it changed. */
const WHOLE: Record<CloudKind, JsonObject> = {
  cloudakms: { endpoint: '' },
  cloudbkeyvault: { resource: 'vault.azure.net' },
  cloudckms: { crypto_key_version: '1' },
}

/** Values that name an absent key, or a caller who may not ask for it. */
const WRONG: Record<CloudKind, (bench: Bench, service: CloudService, other: CloudService) => Promise<[field: string, value: string][]>> = {
  cloudakms: async (bench, _service, other) => [
    ['secret_key', bench.canary('secret')],
    ['secret_key', other.place.accessKey.secret],
    ['access_key', 'AKIA0000000000000000'],
    ['access_key', other.place.accessKey.id],
    ['kms_key', `alias/${bench.fresh('absent')}`],
    ['region', 'eu-central-1'],
    ['endpoint', 'https://127.0.0.1:1'],
  ],
  cloudbkeyvault: async (bench, _service, other) => [
    ['client_secret', bench.canary('secret')],
    ['client_secret', other.place.vault.secret],
    ['client_id', other.place.vault.client],
    ['tenant_id', other.place.vault.tenant],
    ['vault_name', other.place.vault.name],
    ['vault_name', bench.fresh('vault')],
    ['key_name', bench.fresh('absent')],
  ],
  cloudckms: async (bench, service, other) => [
    ['credentials', await credentialsFile(bench, other.place.credentials)],
    ['credentials', await credentialsFile(bench, service.place.credentials.slice(1))],
    ['crypto_key', bench.fresh('absent')],
    ['key_ring', bench.fresh('ring')],
    ['project', other.place.id],
    ['region', 'us-east1'],
    ['crypto_key_version', '99'],
  ],
}

for (const kind of CLOUD_KINDS)
  check(
    `managed-keys/${kind}-updated-fields`,
    ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-USAGE-02'],
    `a test of kind ${kind} goes by each parameter as it was written last`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const [service, other] = [await serviceOf(bench, kind), await serviceOf(bench, kind)]
      const key = await service.key(undefined, WHOLE[kind])
      const name = await givenKey(bench, kind, key.body)
      const beside = await givenKey(bench, kind, key.body)
      await signsWith(context, kind, name, key, 'at first')
      const write = (change: JsonObject) => bench.call(writeOf(kind), { path: { name }, body: { ...key.body, ...change } })
      for (const [field, value] of await WRONG[kind](bench, service, other)) {
        const wrong = { [field]: value }
        const words = `with another ${field}`
        const refused = await write({ ...wrong, usages: 'sign,assay' })
        await bench.decide('MANAGED-KEYS-USAGE-02', () => expect(refused, `an update ${words} and an unknown use`).toBeRefused())
        await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
          await signsWith(context, kind, name, key, `after an update ${words} that was refused`)
          // A target may find out when the key is written, too.
          const written = await write(wrong)
          const answer = written.ok ? await testOnce(bench, kind, name) : written
          expect(isBackendFailure(answer.status), `the test ${words} fails, with status ${answer.status}`).toBe(true)
          await signsWith(context, kind, beside, key, `of its neighbour, when it was written ${words}`)
          await givenKey(bench, kind, key.body, name)
          await signsWith(context, kind, name, key, `put right, after it was written ${words}`)
        })
      }
    },
  )
