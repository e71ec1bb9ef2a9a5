/** Signatures by each algorithm that a module has. */
import { check } from '../../../harness/checks/index.ts'
import { givenKey } from '../fixtures.ts'
import { alone, inToken, MECHANISMS, onModule, ownToken, signingKey, testKey } from './module-tokens.ts'

/** Hash algorithms, and what a module calls its signatures with them. */
const HASHES = [
  ['sha1', 'SHA1'],
  ['sha2-224', 'SHA224'],
  ['sha2-256', 'SHA256'],
  ['sha2-384', 'SHA384'],
  ['sha2-512', 'SHA512'],
  ['sha3-224', 'SHA3-224'],
  ['sha3-256', 'SHA3-256'],
  ['sha3-384', 'SHA3-384'],
  ['sha3-512', 'SHA3-512'],
] as const

/** Words that name no hash, begin or end like one, or name it as others do. */
const NO_HASHES = [
  'md5',
  'sha2-257',
  'sha4-256',
  'none',
  'sha2',
  'sha3',
  'sha2-128',
  'sha3-128',
  'sha2-2567',
  'sha1-256',
  'asha2-256',
  'sha2_256',
  'sha256',
  'sha-256',
  'SHA-512',
  'sha3_256',
]

check(
  'managed-keys/rsa',
  ['MANAGED-KEYS-SIGN-08', 'MANAGED-KEYS-SIGN-09', 'MANAGED-KEYS-USAGE-05'],
  'keys of RSA are tested with each padding and hash',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { name, label } = await signingKey(bench, place, 'rsa:2048')
    const pss = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism: MECHANISMS.pss }))
    await bench.decide('MANAGED-KEYS-USAGE-05', async () => {
      const given = inToken(bench, place, { key_label: label, mechanism: MECHANISMS.rsa, usages: 'sign,verify' })
      expect(await testKey(bench, name), 'a key written without usages').toSucceed()
      expect(await testKey(bench, await givenKey(bench, 'pkcs11', given)), 'a key for sign,verify').toSucceed()
    })
    await bench.decide('MANAGED-KEYS-SIGN-08', async () => {
      expect(await testKey(bench, name, { use_pss: false }), 'without use_pss').toSucceed()
      expect(await testKey(bench, pss, { use_pss: true }), 'with use_pss').toSucceed()
      for (const [mechanism, use_pss] of [
        ['0x00000001', false],
        ['0xD', true],
        ['0x0000000d', true],
      ] as const) {
        const other = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism }))
        expect(await testKey(bench, other, { use_pss }), `with the mechanism ${mechanism}`).toSucceed()
      }
    })
    const mechanisms = await place.token.mechanisms()
    await bench.decide('MANAGED-KEYS-SIGN-09', async () => {
      for (const [hash, prefix] of bench.few(HASHES)) {
        // The mechanism of the key signs what its caller has hashed.
        expect(await testKey(bench, name, { hash_algorithm: hash }), hash).toSucceed()
        expect(await testKey(bench, name, { hash_algorithm: hash, use_pss: false }), `${hash}, without PSS`).toSucceed()
        if (mechanisms.includes(`${prefix}-RSA-PKCS-PSS`))
          expect(await testKey(bench, pss, { hash_algorithm: hash, use_pss: true }), `${hash} with PSS`).toSucceed()
      }
      expect(await testKey(bench, name, { hash_algorithm: 'sha2-256' }), 'the default').toSucceed()
    })
  },
)

check(
  'managed-keys/ecdsa',
  ['MANAGED-KEYS-SIGN-11', 'MANAGED-KEYS-SIGN-09'],
  'keys of ECDSA are tested on each curve with each hash',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    for (const type of bench.few(['EC:prime256v1', 'EC:secp384r1', 'EC:secp521r1'] as const, 1)) {
      const { name } = await signingKey(bench, place, type)
      await bench.decide('MANAGED-KEYS-SIGN-11', async () => expect(await testKey(bench, name), type).toSucceed())
      for (const [hash_algorithm] of HASHES)
        await bench.decide(hash_algorithm.startsWith('sha2') ? 'MANAGED-KEYS-SIGN-11' : 'MANAGED-KEYS-SIGN-09', async () =>
          expect(await testKey(bench, name, { hash_algorithm }), `${type}, ${hash_algorithm}`).toSucceed(),
        )
    }
  },
)

check(
  'managed-keys/test-parameters',
  ['MANAGED-KEYS-SIGN-10', 'MANAGED-KEYS-SIGN-18'],
  'parameters of a test are what the document says',
  onModule,
  async ({ bench }) => {
    const { path } = await signingKey(bench, await ownToken(bench))
    const refuses = async (bad: object, label: string) => {
      const request = {
        bad: { path, body: bad as never, invalid: true as const },
        control: { path, body: {} },
        unchanged: { operation: 'managedKeys.read', input: { path } },
        label,
      }
      await alone(bench, () => bench.refuses('managedKeys.testSign', request))
    }
    await bench.decide('MANAGED-KEYS-SIGN-10', async () => {
      for (const hash_algorithm of NO_HASHES) await refuses({ hash_algorithm }, hash_algorithm)
    })
    await bench.decide('MANAGED-KEYS-SIGN-18', async () => {
      await refuses({ hash_algorithm: { name: 'sha1' } }, 'hash_algorithm as an object')
      await refuses({ hash_algorithm: [['sha1']] }, 'hash_algorithm as a list of lists')
      await refuses({ use_pss: { on: true } }, 'use_pss as an object')
      await refuses({ use_pss: [[true]] }, 'use_pss as a list of lists')
    })
  },
)
