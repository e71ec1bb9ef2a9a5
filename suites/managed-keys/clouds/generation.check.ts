/** Keys that are made at a service: only where they may be, once, and as they are described. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { givenKey, removeLater, writeOf } from '../fixtures.ts'
import { fails, fitting, passes, SOON, testOnce } from './service-tests.ts'
import { atGateway, CLOUD_KINDS, type CloudKind, serviceOf } from './services.ts'

const SPECS: Record<CloudKind, [first: string, ...more: string[]]> = {
  cloudakms: ['P-384', 'RSA_3072', 'P-256', 'RSA_2048', 'P-521', 'RSA_4096'],
  cloudbkeyvault: ['RSA_3072', 'RSA_2048', 'RSA_4096'],
  cloudckms: [
    'EC_SIGN_P384_SHA384',
    'EC_SIGN_P256_SHA256',
    ...['PSS', 'PKCS1'].flatMap((padding) =>
      ['2048_SHA256', '3072_SHA256', '4096_SHA256', '4096_SHA512'].map((size) => `RSA_SIGN_${padding}_${size}`),
    ),
  ],
}
const MAY = { allow_generate_key: 'true' }

/** Spellings of `key_type`, and the other parameter beside it that is none of this type's. */
const SPELLED: [spec: string, key_type: string, others: JsonObject][] = [
  ['RSA_2048', 'rsa', { curve: 'P256' }],
  ['P-256', 'ecdsa', { key_bits: '2048' }],
  ['RSA_2048', 'Rsa', { curve: 'P384' }],
  ['P-384', 'EcDsa', { key_bits: '3072' }],
  ['RSA_2048', 'RSA', { curve: 'P521' }],
  ['P-521', 'ECDSA', { key_bits: '4096' }],
]

check(
  'managed-keys/cloudakms-generates-by-type',
  ['MANAGED-KEYS-AKMS-05', 'MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a key is made as its type says, however that is written',
  atGateway,
  async ({ bench, expect }) => {
    const service = await serviceOf(bench, 'cloudakms')
    for (const [spec, key_type, others] of SPELLED) {
      const key = service.absent(spec, { ...MAY, key_type })
      const name = await givenKey(bench, 'cloudakms', key.body)
      const options = fitting(spec)
      const first = await testOnce(bench, 'cloudakms', name, options)
      await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
        expect(first, `the test that makes a key of the type ${key_type}`).toSucceed()
        await bench.eventually(async () => expect(await key.held(), `keys made of the type ${key_type}`).toEqual([spec]), SOON)
      })
      const second = await testOnce(bench, 'cloudakms', name, options)
      await bench.decide('MANAGED-KEYS-AKMS-05', () => expect(second, `a second test of a key of the type ${key_type}`).toSucceed())
      await bench.decide('MANAGED-KEYS-SIGN-29', async () =>
        expect(await key.held(), `keys of the type ${key_type} after a second test`).toEqual([spec]),
      )
      // What becomes of the parameter of another type is open, but not the type.
      const both = service.absent(spec, { ...MAY, key_type, ...others })
      const beside = bench.fresh('key')
      removeLater(bench, 'cloudakms', beside)
      const written = await bench.call(writeOf('cloudakms'), { path: { name: beside }, body: both.body })
      if (!written.ok || !(await testOnce(bench, 'cloudakms', beside, options)).ok) continue
      await bench.decide('MANAGED-KEYS-SIGN-26', () =>
        bench.eventually(
          async () => expect(await both.held(), `keys made of the type ${key_type} beside ${JSON.stringify(others)}`).toEqual([spec]),
          SOON,
        ),
      )
    }
  },
)

for (const kind of CLOUD_KINDS) {
  check(
    `managed-keys/${kind}-generates`,
    ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
    `a key of kind ${kind} that is not there is made once, as it is described`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      for (const spec of SPECS[kind]) {
        const key = service.absent(spec, MAY)
        const name = await givenKey(bench, kind, key.body)
        expect(await key.held(), 'what is there before the test').toEqual([])
        const options = fitting(spec)
        const first = await testOnce(bench, kind, name, options)
        await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
          expect(first, `the test that makes a key of ${spec}`).toSucceed()
          await bench.eventually(async () => expect(await key.held(), 'what the service has under the name').toEqual([spec]), SOON)
          expect((await key.signatures()).length > 0, 'the service has signed with it').toBe(true)
        })
        const second = await testOnce(bench, kind, name, options)
        await bench.decide('MANAGED-KEYS-SIGN-29', async () => {
          expect(second, 'a second test').toSucceed()
          await passes(context, service, key, 'of a second managed key for it', { options })
          expect(await key.held(), 'what the service has under the name after more tests').toEqual([spec])
          expect((await service.place.look()).regionalKeys.length, 'keys at service a').toBe(
            kind === 'cloudakms' ? SPECS[kind].indexOf(spec) + 1 : 0,
          )
        })
      }
    },
  )

  check(
    `managed-keys/${kind}-not-generated`,
    'MANAGED-KEYS-SIGN-28',
    `a key of kind ${kind} that may not be made is not made`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      for (const flags of [
        {},
        { allow_generate_key: 'false' },
        { allow_replace_key: 'true' },
        { allow_store_key: 'true', any_mount: 'true' },
      ] as JsonObject[]) {
        const key = service.absent(SPECS[kind][0], flags)
        await fails(context, service, key, 'of a key that is not there')
        expect(await key.held(), 'what the service has under the name').toEqual([])
        expect((await service.place.look()).regionalKeys, 'keys at service a').toEqual([])
      }
      const spec = SPECS[kind][0]
      await passes(context, service, service.absent(spec, MAY), 'of one that may be made', { options: fitting(spec) })
    },
  )

  check(
    `managed-keys/${kind}-generates-once`,
    'MANAGED-KEYS-SIGN-48',
    `concurrent tests of kind ${kind} make one key`,
    { ...atGateway, kind: 'race' },
    async ({ bench, expect }) => {
      const service = await serviceOf(bench, kind)
      const key = service.absent(undefined, MAY)
      const name = await givenKey(bench, kind, key.body)
      await Promise.all([testOnce(bench, kind, name), testOnce(bench, kind, name)])
      await bench.eventually(async () => {
        expect(await key.held(), 'what the service has under the name').toHaveLength(1)
        if (kind === 'cloudakms') expect((await service.place.look()).regionalKeys, 'keys at the service').toHaveLength(1)
      }, SOON)
    },
  )
}
