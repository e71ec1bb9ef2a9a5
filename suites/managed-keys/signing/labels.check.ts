/** Labels and ids: the key that they name, whatever they are made of, and none that is nearly called so. */
import { check } from '../../../harness/checks/index.ts'
import { givenKey, readKey, removeLater, writeOf } from '../fixtures.ts'
import { alone, freshLabel, inToken, onModule, ownToken, signingKey, testFailed, testKey } from './module-tokens.ts'

/** Letters beyond ASCII, of two, three and four bytes each. */
const BEYOND = ['clé', '鍵', '🔑']

check(
  'managed-keys/labels',
  'MANAGED-KEYS-SIGN-01',
  'a key is found by any label that it has in the module',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const stem = bench.fresh('label')
    const taken = [`${stem} Two Words`, `${stem.toUpperCase()}-A`, `${stem}: a=b,c/d`, `0${stem}`, `${stem}.v1/x%2Fy+z`]
    // Whether labels begin or end with blanks, how long they are, and whether they have other letters, is not said: what is taken is found.
    const maybe = [` ${stem}-b`, `${stem}-e `, `${stem}-${'x'.repeat(100)}`, ...BEYOND.map((letters) => `${stem}-${letters}`)]
    for (const label of [...taken, ...maybe]) {
      bench.defer(() => place.token.remove(label).catch(() => undefined))
      await place.token.generate('EC:prime256v1', label, Buffer.from(bench.random.bytes(8)).toString('hex'))
      const name = bench.fresh('key')
      removeLater(bench, 'pkcs11', name)
      const written = await bench.call(writeOf('pkcs11'), { path: { name }, body: inToken(bench, place, { key_label: label }) })
      if (taken.includes(label)) expect(written, `a key with the label ${JSON.stringify(label)}`).toSucceed()
      if (!written.ok) continue
      expect(await testKey(bench, name), `the test of the key ${JSON.stringify(label)}`).toSucceed()
    }
  },
)

check(
  'managed-keys/labels-near',
  ['MANAGED-KEYS-SIGN-02', 'MANAGED-KEYS-SIGN-15'],
  'a key whose label or id is nearly the one that is named is another key',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const label = freshLabel(bench, place)
    const id = Buffer.from(bench.random.bytes(8)).toString('hex')
    const near = [`${label}-2`, label.slice(0, -1), label.toUpperCase(), `x${label}`]
    const ids = [`${id}00`, id.slice(0, -2), `00${id}`, id.slice(2)]
    for (const [index, one] of near.entries()) {
      bench.defer(() => place.token.remove(one).catch(() => undefined))
      await place.token.generate('EC:prime256v1', one, ids[index]!)
    }
    for (const [clause, body] of [
      ['MANAGED-KEYS-SIGN-02', { key_label: label }],
      ['MANAGED-KEYS-SIGN-15', { key_id: id }],
    ] as const) {
      const name = await givenKey(bench, 'pkcs11', inToken(bench, place, body))
      const answer = await testKey(bench, name)
      await bench.decide(clause, () =>
        expect(testFailed(answer), `the test of ${JSON.stringify(body)} fails, with status ${answer.status}`).toBe(true),
      )
    }
    await place.token.generate('EC:prime256v1', label, id)
    for (const [clause, body] of [
      ['MANAGED-KEYS-SIGN-02', { key_label: label }],
      ['MANAGED-KEYS-SIGN-15', { key_id: id }],
    ] as const) {
      const answer = await testKey(bench, await givenKey(bench, 'pkcs11', inToken(bench, place, body)))
      await bench.decide(clause, () => expect(answer, `the test of ${JSON.stringify(body)} once it is there`).toSucceed())
    }
  },
)

check(
  'managed-keys/generates-beside-near',
  'MANAGED-KEYS-SIGN-12',
  'a key is made where only one with a longer label is there',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const label = freshLabel(bench, place)
    const longer = `${label}-2`
    bench.defer(() => place.token.remove(longer).catch(() => undefined))
    await place.token.generate('rsa:2048', longer, '0a')
    const before = await place.token.keys(longer)
    const body = inToken(bench, place, { key_label: label, key_bits: 2048, mechanism: '0x00000001', allow_generate_key: 'true' })
    const name = await givenKey(bench, 'pkcs11', body)
    expect(await alone(bench, () => testKey(bench, name)), 'the test').toSucceed()
    expect(await place.token.keys(label), 'keys with the label').toHaveLength(1)
    expect(await place.token.keys(longer), 'keys with the longer one').toEqual(before)
  },
)

check(
  'managed-keys/labels-beyond-ascii',
  ['MANAGED-KEYS-SIGN-02', 'MANAGED-KEYS-SIGN-12'],
  'a label with letters beyond ASCII is matched exactly, for keys that are there and keys that are made',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const stem = bench.fresh('label')
    const label = `${stem}-clé-鍵`
    const near = [`${stem}-cl?-?`, `${stem}-cle-`]
    for (const one of [label, ...near]) bench.defer(() => place.token.remove(one).catch(() => undefined))
    for (const [index, one] of near.entries()) await place.token.generate('rsa:2048', one, `0${index + 1}`)
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    const body = inToken(bench, place, { key_label: label, key_bits: 2048, mechanism: '0x1' })
    const write = (allow_generate_key: string) => bench.call(writeOf('pkcs11'), { path: { name }, body: { ...body, allow_generate_key } })
    // Whether a label has such letters is not said.
    if (!(await write('false')).ok) return bench.observe('MANAGED-KEYS-SIGN-02', 'such a label is refused')
    const absent = await testKey(bench, name)
    await bench.decide('MANAGED-KEYS-SIGN-02', () =>
      expect(testFailed(absent), `the test beside keys that are nearly called so fails, with status ${absent.status}`).toBe(true),
    )
    if (!(await write('true')).ok) return
    const made = await alone(bench, () => testKey(bench, name))
    await bench.decide('MANAGED-KEYS-SIGN-12', async () => {
      expect(made, 'the test that makes the key').toSucceed()
      expect(
        (await place.token.keys())
          .filter((key) => key.label.startsWith(stem))
          .map((key) => key.label)
          .sort(),
        'labels',
      ).toEqual([label, ...near].sort())
    })
  },
)

check(
  'managed-keys/tests-change-nothing',
  'MANAGED-KEYS-SIGN-50',
  'a test changes nothing of the configuration',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { name } = await signingKey(bench, place, 'EC:prime256v1', { any_mount: 'true', max_parallel: 2 })
    const absent = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: bench.fresh('absent'), any_mount: 'true' }))
    const seen = async () => [await readKey(bench, 'pkcs11', name), await readKey(bench, 'pkcs11', absent)]
    const before = await seen()
    expect(await testKey(bench, name, { hash_algorithm: 'sha2-384' }), 'the test of a key').toSucceed()
    const failed = await testKey(bench, absent)
    expect(testFailed(failed), `the test of an absent key fails, with status ${failed.status}`).toBe(true)
    expect(await seen(), 'the configuration').toEqual(before)
  },
)
