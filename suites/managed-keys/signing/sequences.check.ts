/** Tests in turn: a test sees the key as it was written last and the module as it is now, and nothing of tests before. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { administrativeOf, givenKey, goodBody, readKey, removeLater, writeOf } from '../fixtures.ts'
import {
  alone,
  freshLabel,
  inToken,
  MECHANISMS,
  onModule,
  ownToken,
  ownTokens,
  type Place,
  signingKey,
  testFailed,
  testKey,
} from './module-tokens.ts'

const MADE = 'MANAGED-KEYS-SIGN-12'
const ONCE = 'MANAGED-KEYS-SIGN-13'
const NEVER = 'MANAGED-KEYS-SIGN-14'

check(
  'managed-keys/generates-in-turn',
  [MADE, ONCE, NEVER, 'MANAGED-KEYS-SIGN-50'],
  'whether a test makes a key depends on what is written and what is there at the time',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const [first, second] = [freshLabel(bench, place), freshLabel(bench, place)]
    const name = bench.fresh('key')
    const body = (key_label: string, allow_generate_key: string, more: JsonObject = {}): JsonObject =>
      inToken(bench, place, { key_label, allow_generate_key, key_bits: 2048, mechanism: MECHANISMS.rsa, any_mount: 'false', ...more })
    const write = (...args: Parameters<typeof body>) => givenKey(bench, 'pkcs11', body(...args), name)
    const test = () => alone(bench, () => testKey(bench, name))
    const held = (label: string) => place.token.keys(label)
    const makes = (what: string, label: string) =>
      bench.decide(MADE, async () => {
        expect(await held(label), `keys before, ${what}`).toEqual([])
        expect(await test(), what).toSucceed()
        expect(
          (await held(label)).map(({ type }) => type),
          `keys made, ${what}`,
        ).toEqual(['RSA'])
      })
    const makesNoOther = (what: string, label: string) =>
      bench.decide(ONCE, async () => {
        const before = [await held(first), await held(second)]
        expect(await held(label), `keys before, ${what}`).toHaveLength(1)
        expect(await test(), what).toSucceed()
        expect([await held(first), await held(second)], `keys afterwards, ${what}`).toEqual(before)
      })
    const makesNone = (what: string, label: string) =>
      bench.decide(NEVER, async () => {
        const answer = await test()
        expect(testFailed(answer), `${what}: the test fails, with status ${answer.status}`).toBe(true)
        expect(await held(label), `keys made, ${what}`).toEqual([])
      })

    await write(first, 'false')
    await makesNone('while it may not', first)
    await write(first, 'true')
    const before = await readKey(bench, 'pkcs11', name)
    await makes('once it may', first)
    const after = await readKey(bench, 'pkcs11', name)
    await bench.decide('MANAGED-KEYS-SIGN-50', () => expect(after, 'the configuration after a test that made a key').toEqual(before))
    await write(first, 'true', { any_mount: 'true' })
    await makesNoOther('after an update of something else', first)
    await write(second, 'true')
    await makes('after an update of the label', second)
    await write(first, 'true', { allow_replace_key: 'true', allow_store_key: 'true' })
    await makesNoOther('back at the first label, when keys may be replaced', first)
    await place.token.remove(first)
    await makes('when the key has gone from the module', first)
    await write(first, 'false')
    await makesNoOther('while it may not, but is there', first)
    await place.token.remove(first)
    await makesNone('when the key has gone and may not be made', first)
    await write(first, 'false', { allow_replace_key: 'true', allow_store_key: 'true', any_mount: 'true' })
    await makesNone('with every other flag', first)
    const { allow_generate_key: _, ...silent } = body(first, 'false')
    await write(first, 'true')
    await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
    await givenKey(bench, 'pkcs11', silent, name)
    await makesNone('made again without the flag', first)
    await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
    await write(second, 'true')
    await makesNoOther('made again, when the key is there', second)
  },
)

check(
  'managed-keys/deleted-tested',
  ['MANAGED-KEYS-SIGN-07', 'MANAGED-KEYS-DELETE-03'],
  'a key that was tested and deleted is not tested, and one made again is a new one',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const [{ name, label }, other] = [await signingKey(bench, place), await signingKey(bench, place)]
    const path = { type: 'pkcs11', name }
    for (const round of ['first', 'second']) {
      for (const what of ['a test', 'another']) expect(await testKey(bench, name), `${what}, the ${round} time`).toSucceed()
      await bench.given('managedKeys.delete', { path })
      const gone = await testKey(bench, name)
      const beside = await testKey(bench, other.name)
      await bench.decide('MANAGED-KEYS-SIGN-07', () => {
        expect(gone, `the test of a deleted key, the ${round} time`).toBeRefused()
        expect(beside, 'the test of another key').toSucceed()
      })
      await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: freshLabel(bench, place) }), name)
      const absent = await testKey(bench, name)
      await bench.decide('MANAGED-KEYS-DELETE-03', () =>
        expect(testFailed(absent), `made again for a key that is not there: the test fails, with status ${absent.status}`).toBe(true),
      )
      await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label }), name)
    }
    await bench.given('managedKeys.delete', { path })
    removeLater(bench, 'cloudakms', name)
    await bench.given(writeOf('cloudakms'), { path: { name }, body: goodBody(bench, 'cloudakms') })
    const otherKind = await testKey(bench, name)
    await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(otherKind, 'made again as a key of another kind').toBeRefused())
  },
)

check(
  'managed-keys/signs-in-namespaces',
  ['MANAGED-KEYS-NS-03', 'MANAGED-KEYS-SIGN-03', 'MANAGED-KEYS-SIGN-07'],
  'keys of one name in two namespaces sign each as it was written',
  onModule,
  async ({ bench, expect }) => {
    const namespace = administrativeOf(bench)
    const place = await ownToken(bench)
    const [{ name, label }, inner] = [await signingKey(bench, place), await signingKey(bench, place)]
    const test = (where: { namespace?: string }) => testKey(bench, name, {}, where)
    const before = await test({ namespace })
    await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(before, 'a name that only the root has').toBeRefused())
    await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: inner.label }), name, { namespace })
    for (const where of [{}, { namespace }]) {
      const answer = await test(where)
      await bench.decide('MANAGED-KEYS-NS-03', () => expect(answer, `the test in ${JSON.stringify(where)}`).toSucceed())
    }
    await place.token.remove(label)
    const [outside, inside] = [await test({}), await test({ namespace })]
    await bench.decide('MANAGED-KEYS-SIGN-03', () =>
      expect(testFailed(outside), `the test in the root fails once its key has gone, with status ${outside.status}`).toBe(true),
    )
    await bench.decide('MANAGED-KEYS-NS-03', () => expect(inside, 'the test in the other namespace').toSucceed())
    await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
    const [deleted, left] = [await test({}), await test({ namespace })]
    await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(deleted, 'the test of the deleted one').toBeRefused())
    await bench.decide('MANAGED-KEYS-NS-03', () => expect(left, 'the test of the one that is left').toSucceed())
  },
)

check(
  'managed-keys/updated-places',
  'MANAGED-KEYS-WRITE-05',
  'a test goes by every parameter that was written last',
  onModule,
  async ({ bench, expect }) => {
    const [here, there] = (await ownTokens(bench, 2)) as [Place, Place]
    const [one, other, rsa] = [await signingKey(bench, here), await signingKey(bench, there), await signingKey(bench, here, 'rsa:2048')]
    const slotOf = (place: Place) => ({ token_label: '', slot: place.slot })
    const pairs: [string, JsonObject, JsonObject][] = [
      [
        'slot',
        { ...inToken(bench, here, { key_label: one.label }), ...slotOf(here) },
        { ...inToken(bench, there, { key_label: other.label }), ...slotOf(there) },
      ],
      ['key_id', inToken(bench, here, { key_id: one.id }), inToken(bench, there, { key_id: other.id })],
      [
        'mechanism',
        inToken(bench, here, { key_label: one.label }),
        inToken(bench, here, { key_label: rsa.label, mechanism: MECHANISMS.rsa }),
      ],
    ]
    for (const [what, first, second] of pairs) {
      const name = await givenKey(bench, 'pkcs11', first)
      for (const [round, body] of [
        ['at first', first],
        ['updated', second],
        ['updated back', first],
      ] as const) {
        await givenKey(bench, 'pkcs11', body, name)
        expect(await testKey(bench, name), `${what} ${round}`).toSucceed()
      }
      const field: JsonObject =
        what === 'key_id' ? { key_id: Buffer.from(bench.random.bytes(8)).toString('hex') } : { key_label: bench.fresh('absent') }
      await givenKey(bench, 'pkcs11', { ...first, ...field }, name)
      const absent = await testKey(bench, name)
      expect(testFailed(absent), `${what}, updated to a key that is not there: the test fails, with status ${absent.status}`).toBe(true)
      await givenKey(bench, 'pkcs11', second, name)
      expect(await testKey(bench, name), `${what}, updated to one that is`).toSucceed()
    }
  },
)
