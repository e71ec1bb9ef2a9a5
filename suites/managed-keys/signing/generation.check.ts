import { check } from '../../../harness/checks/index.ts'
import { givenKey, removeLater, writeOf } from '../fixtures.ts'
import { alone, freshLabel, inToken, MECHANISMS, onModule, ownToken, signingKey, testFailed, testKey } from './module-tokens.ts'

const generating = (key_label: string, key_bits = 2048, mechanism = MECHANISMS.rsa) => ({
  key_label,
  key_bits,
  mechanism,
  allow_generate_key: 'true',
})

check(
  'managed-keys/generates',
  ['MANAGED-KEYS-SIGN-12', 'MANAGED-KEYS-SIGN-13'],
  'a key that is not there is made once',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const sizes = bench.effort([3072], [2048, 3072]).map((bits) => [bits, MECHANISMS.rsa] as const)
    for (const [bits, mechanism] of [...sizes, [2048, MECHANISMS.pss], [2048, MECHANISMS.oaep]] as const) {
      const label = freshLabel(bench, place)
      const name = await givenKey(bench, 'pkcs11', inToken(bench, place, generating(label, bits, mechanism)))
      expect(await place.token.keys(label), 'keys before the test').toEqual([])
      const first = await alone(bench, () => testKey(bench, name))
      // A mechanism that encrypts need not sign.
      if (mechanism === MECHANISMS.oaep && !first.ok) continue
      const made = await place.token.keys(label)
      await bench.decide('MANAGED-KEYS-SIGN-12', async () => {
        expect(first, `the test that makes a key of ${bits} bits for the mechanism ${mechanism}`).toSucceed()
        expect(
          made.map(({ type }) => type),
          'keys with the label',
        ).toEqual(['RSA'])
        expect(await place.token.bits(label), 'bits').toBe(bits)
      })
      const second = await testKey(bench, name)
      const other = await testKey(bench, await givenKey(bench, 'pkcs11', inToken(bench, place, generating(label, bits, mechanism))))
      await bench.decide('MANAGED-KEYS-SIGN-13', async () => {
        expect(second, 'a second test').toSucceed()
        expect(other, 'the test of a second managed key for it').toSucceed()
        expect(await place.token.keys(label), 'keys with the label').toEqual(made)
      })
    }
  },
)

check(
  'managed-keys/generates-on-curve',
  'MANAGED-KEYS-SIGN-12',
  'a key that is made for a curve is one of that curve',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    for (const [curve, bits] of [
      ['P256', 256],
      ['P384', 384],
      ['P521', 521],
    ] as const) {
      const label = freshLabel(bench, place)
      const body = inToken(bench, place, { key_label: label, curve, allow_generate_key: 'true' })
      const name = bench.fresh('key')
      removeLater(bench, 'pkcs11', name)
      // Which curves there are, and what they are called, is not shown.
      const { ok } = await bench.call(writeOf('pkcs11'), { path: { name }, body })
      if (!ok || !(await alone(bench, () => testKey(bench, name))).ok) continue
      expect(
        (await place.token.keys(label)).map(({ type }) => type),
        `keys made for ${curve}`,
      ).toEqual(['EC'])
      // The tool may count whole bytes.
      expect([bits, Math.ceil(bits / 8) * 8], `bits of the key for ${curve}`).toContain(await place.token.bits(label))
    }
  },
)

check(
  'managed-keys/generates-nothing-beside',
  'MANAGED-KEYS-SIGN-13',
  'a key that is there is used, not made',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { label } = await signingKey(bench, place, 'rsa:2048')
    const before = await place.token.keys(label)
    expect(await testKey(bench, await givenKey(bench, 'pkcs11', inToken(bench, place, generating(label))))).toSucceed()
    expect(await place.token.keys(label), 'keys with the label').toEqual(before)
  },
)

check(
  'managed-keys/id-absent',
  'MANAGED-KEYS-SIGN-15',
  'a key that is named by its id has to be there',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    // Others that the same mechanism fits, so that not just any key of the token is taken.
    await signingKey(bench, place, 'rsa:2048')
    const id = Buffer.from(bench.random.bytes(8)).toString('hex')
    const body = inToken(bench, place, { key_id: id, key_bits: 2048, mechanism: MECHANISMS.rsa, allow_generate_key: 'true' })
    const answer = await testKey(bench, await givenKey(bench, 'pkcs11', body))
    expect(testFailed(answer), `the test fails, with status ${answer.status}`).toBe(true)
    expect(
      (await place.token.keys()).filter((key) => key.id === id || key.label === ''),
      'keys that were made',
    ).toEqual([])
  },
)

check(
  'managed-keys/generates-once',
  'MANAGED-KEYS-SIGN-21',
  'concurrent tests make one key',
  { ...onModule, kind: 'race' },
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const label = freshLabel(bench, place)
    const name = await givenKey(bench, 'pkcs11', inToken(bench, place, generating(label)))
    await Promise.all(Array.from({ length: 4 }, () => testKey(bench, name)))
    expect(await place.token.keys(label), 'keys with the label').toHaveLength(1)
  },
)

check(
  'managed-keys/parallel',
  'MANAGED-KEYS-SIGN-22',
  'as many callers as there are get their test',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    for (const max_parallel of [1, 4]) {
      const { name } = await signingKey(bench, place, 'EC:prime256v1', { max_parallel, slot: place.slot, token_label: '' })
      // A module may see a key late that another program has made.
      if (!(await testKey(bench, name)).ok) bench.blocked('one test by itself fails', 'see the checks of signatures first')
      const answers = await alone(bench, () => Promise.all(Array.from({ length: 16 }, () => testKey(bench, name))))
      expect(
        answers.filter(({ ok }) => !ok).map(({ status }) => status),
        `tests that failed with max_parallel ${max_parallel}`,
      ).toEqual([])
    }
  },
)
