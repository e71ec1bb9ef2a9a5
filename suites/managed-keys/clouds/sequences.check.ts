/** Tests in turn: a test sees the key as it was written last and the service as it is now, and nothing of tests before. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { administrativeOf, givenKey, readKey } from '../fixtures.ts'
import { SOON, signsWith, testOnce } from './service-tests.ts'
import { atGateway, CLOUD_KINDS, type CloudKind, type ServiceKey, serviceOf } from './services.ts'

const MAY = { allow_generate_key: 'true' }
const MAY_NOT = { allow_generate_key: 'false' }
/** Clauses that a kind decides whose keys are read and deleted. */
const WHERE_READ = ['MANAGED-KEYS-SIGN-07', 'MANAGED-KEYS-SIGN-50']
const OTHER_FLAGS = { allow_replace_key: 'true', allow_store_key: 'true', any_mount: 'true' }

/** Parameters of each kind that say where or with what it is signed, and how a signature shows it. */
const CHANGES: Record<CloudKind, [change: JsonObject, shows: string][]> = {
  cloudakms: [
    [{ endpoint: '' }, 'kms.us-east-1.amazonaws.com'],
    [{ endpoint: 'https://kms-fips.us-east-1.amazonaws.com' }, 'kms-fips.us-east-1.amazonaws.com'],
  ],
  cloudbkeyvault: [
    [{ resource: 'vault.azure.net' }, '.vault.azure.net'],
    [{ resource: 'managedhsm.azure.net' }, '.managedhsm.azure.net'],
  ],
  cloudckms: [
    [{ crypto_key_version: '1' }, '/cryptoKeyVersions/1:'],
    [{ crypto_key_version: '2' }, '/cryptoKeyVersions/2:'],
  ],
}

for (const kind of CLOUD_KINDS) {
  check(
    `managed-keys/${kind}-generates-in-turn`,
    ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-28', 'MANAGED-KEYS-SIGN-29', ...(kind === 'cloudckms' ? [] : WHERE_READ)],
    `whether a test makes a key of kind ${kind} depends on what is written and what is there at the time`,
    atGateway,
    async ({ bench, expect }) => {
      const service = await serviceOf(bench, kind)
      const [first, second, third] = [service.absent(), service.absent(), service.absent()]
      const name = bench.fresh('key')
      const write = (key: ServiceKey, more: JsonObject) => givenKey(bench, kind, { ...key.body, ...more }, name)
      const test = () => testOnce(bench, kind, name)
      const makes = (what: string, key: ServiceKey) =>
        bench.decide('MANAGED-KEYS-SIGN-26', async () => {
          expect(await key.held(), `keys before, ${what}`).toEqual([])
          expect(await test(), what).toSucceed()
          await bench.eventually(async () => expect(await key.held(), `keys made, ${what}`).toHaveLength(1), SOON)
        })
      const makesNoOther = (what: string, key: ServiceKey) =>
        bench.decide('MANAGED-KEYS-SIGN-29', async () => {
          const before = await key.held()
          expect(await test(), what).toSucceed()
          expect(before, `keys before, ${what}`).toHaveLength(1)
          expect(await key.held(), `keys afterwards, ${what}`).toEqual(before)
        })
      const makesNone = (what: string, key: ServiceKey) =>
        bench.decide('MANAGED-KEYS-SIGN-28', async () => {
          expect((await test()).ok, `${what}: the test succeeds`).toBe(false)
          expect(await key.held(), `keys made, ${what}`).toEqual([])
        })
      const remove = async (): Promise<void> => {
        await bench.given('managedKeys.delete', { path: { type: kind, name } })
        const gone = await test()
        await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(gone, 'the test of a deleted key').toBeRefused())
      }

      await write(first, MAY_NOT)
      await makesNone('while it may not', first)
      await write(first, MAY)
      const before = kind === 'cloudckms' ? undefined : await readKey(bench, kind, name)
      await makes('once it may', first)
      if (kind !== 'cloudckms') {
        const after = await readKey(bench, kind, name)
        await bench.decide('MANAGED-KEYS-SIGN-50', () => expect(after, 'the configuration after a test that made a key').toEqual(before))
      }
      await write(first, { ...MAY, any_mount: 'true' })
      await makesNoOther('after an update of something else', first)
      await write(second, MAY)
      await makes('after an update to another key', second)
      await write(first, { ...MAY, ...OTHER_FLAGS })
      await makesNoOther('back at the first, when keys may be replaced', first)
      await write(third, { ...MAY_NOT, ...OTHER_FLAGS })
      await makesNone('with every other flag', third)
      // Whether a key of this kind can be deleted is open.
      if (kind === 'cloudckms') return
      await write(second, MAY)
      await remove()
      await givenKey(bench, kind, third.body, name)
      await makesNone('made again without the flag', third)
      await remove()
      await write(first, MAY)
      await makesNoOther('made again, when the key is there', first)
    },
  )

  check(
    `managed-keys/${kind}-updated-place`,
    'MANAGED-KEYS-WRITE-05',
    `a test of kind ${kind} goes where the last write says`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      const key = await service.key()
      const name = bench.fresh('key')
      for (const [change, shows] of [...CHANGES[kind], ...CHANGES[kind]]) {
        await givenKey(bench, kind, { ...key.body, ...change }, name)
        const [signature] = await signsWith(context, kind, name, key, `with ${JSON.stringify(change)}`)
        expect(`${signature?.host}${signature?.algorithm}`, `what was asked with ${JSON.stringify(change)}`).toContain(shows)
      }
    },
  )

  check(
    `managed-keys/${kind}-signs-in-namespaces`,
    'MANAGED-KEYS-NS-03',
    `keys of kind ${kind} with one name in two namespaces sign each as it was written`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const namespace = administrativeOf(bench)
      const [service, elsewhere] = [await serviceOf(bench, kind), await serviceOf(bench, kind)]
      const [outer, inner] = [await service.key(), await elsewhere.key()]
      const name = await givenKey(bench, kind, outer.body)
      expect(await testOnce(bench, kind, name, {}, { namespace }), 'a name that only the root has').toBeRefused()
      await givenKey(bench, kind, inner.body, name, { namespace })
      for (const round of ['first', 'second']) {
        await signsWith(context, kind, name, outer, `in the root, the ${round} time`)
        await signsWith(context, kind, name, inner, `in the other namespace, the ${round} time`, {}, { namespace })
      }
      if (kind === 'cloudckms') return
      await bench.given('managedKeys.delete', { path: { type: kind, name } })
      expect(await testOnce(bench, kind, name), 'the deleted one').toBeRefused()
      await signsWith(context, kind, name, inner, 'in the other namespace, alone', {}, { namespace })
    },
  )
}

type Spelling = (pss: boolean, bits: string) => string

const SPELLINGS: [CloudKind, string, Spelling][] = [
  ['cloudakms', 'MANAGED-KEYS-SIGN-35', (pss, bits) => `RSASSA_${pss ? 'PSS' : 'PKCS1_V1_5'}_SHA_${bits}`],
  ['cloudbkeyvault', 'MANAGED-KEYS-SIGN-40', (pss, bits) => `${pss ? 'PS' : 'RS'}${bits}`],
]

/** What is asked of one key in turn, and the padding and hash that the test has then. */
const OPTIONS: [options: JsonObject, pss: boolean, bits: string][] = [
  [{}, false, '256'],
  [{ use_pss: true }, true, '256'],
  [{}, false, '256'],
  [{ hash_algorithm: 'sha2-512' }, false, '512'],
  [{ use_pss: true, hash_algorithm: 'sha2-384' }, true, '384'],
  [{ use_pss: false }, false, '256'],
  [{ hash_algorithm: 'sha2-256', use_pss: true }, true, '256'],
  [{ hash_algorithm: 'sha2-384', use_pss: false }, false, '384'],
  [{}, false, '256'],
]

for (const [kind, clause, spelled] of SPELLINGS)
  check(
    `managed-keys/${kind}-options`,
    [clause, 'MANAGED-KEYS-SIGN-10', 'MANAGED-KEYS-SIGN-18'],
    `padding and hash of a test of kind ${kind} are those of its request, or the defaults`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      const key = await service.key('RSA_2048')
      const name = await givenKey(bench, kind, key.body)
      for (const [options, pss, bits] of bench.few(OPTIONS, 4))
        await bench.decide(clause, async () => {
          const [signature] = await signsWith(context, kind, name, key, `with ${JSON.stringify(options)}`, options)
          expect(signature?.algorithm, `algorithm with ${JSON.stringify(options)}`).toBe(spelled(pss, bits))
        })
      const path = { type: kind, name }
      const refuses = (bad: JsonObject) =>
        bench
          .refuses('managedKeys.testSign', {
            bad: { path, body: bad, invalid: true },
            control: { path, body: {} },
            unchanged: async () => (await key.signatures()).length,
            label: JSON.stringify(bad),
          })
          .then(() => undefined)
      for (const hash_algorithm of ['md5', 'sha2-257', 'sha2', 'none', 'sha256'])
        await bench.decide('MANAGED-KEYS-SIGN-10', () => refuses({ hash_algorithm }))
      for (const bad of [{ hash_algorithm: { name: 'sha1' } }, { use_pss: { on: true } }] as JsonObject[])
        await bench.decide('MANAGED-KEYS-SIGN-18', () => refuses(bad))
    },
  )
