import { type Answer, check, type JsonObject } from '../../../harness/checks/index.ts'
import { givenKey, kindsOf, placesOf, removeLater, writeOf } from '../fixtures.ts'
import {
  alone,
  freshLabel,
  inToken,
  onModule,
  ownToken,
  ownTokens,
  type Place,
  signingKey,
  testFailed,
  testKey,
  unusedToken,
} from './module-tokens.ts'

check('managed-keys/signs', 'MANAGED-KEYS-SIGN-01', 'the test of a key in the module succeeds', onModule, async ({ bench, expect }) => {
  const place = await ownToken(bench)
  const { name, label, id } = await signingKey(bench, place)
  expect(await testKey(bench, name), 'by label and token').toSucceed()
  const { token_label: _, ...bySlot } = inToken(bench, place, { key_label: label, slot: place.slot })
  expect(await testKey(bench, await givenKey(bench, 'pkcs11', bySlot)), 'by slot').toSucceed()
  expect(await testKey(bench, await givenKey(bench, 'pkcs11', inToken(bench, place, { key_id: id }))), 'by id').toSucceed()
  expect(await testKey(bench, name, { hash_algorithm: 'sha2-256', use_pss: false }), 'with the defaults').toSucceed()
  const withoutBody = await alone(bench, () => bench.call('managedKeys.testSign', { path: { type: 'pkcs11', name }, timeout: 60_000 }))
  expect(withoutBody, 'without a body').toSucceed()
  for (const mechanism of ['0x00001041', '0x01041'])
    expect(
      await testKey(bench, await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism }))),
      `with the mechanism ${mechanism}`,
    ).toSucceed()
})

check(
  'managed-keys/signs-always',
  'MANAGED-KEYS-SIGN-01',
  'a sound key passes every test, not some',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const names = [(await signingKey(bench, place)).name, (await signingKey(bench, place, 'rsa:2048')).name]
    const tests = Array.from({ length: bench.effort(6, 8) }, (_, index) => names[index % names.length]!)
    const answers = await alone(bench, async () => {
      const given: Answer[] = []
      for (const name of tests) given.push(await testKey(bench, name))
      return given
    })
    for (const [index, answer] of answers.entries()) expect(answer, `test ${index + 1} of ${tests.length}`).toSucceed()
  },
)

check(
  'managed-keys/absent',
  ['MANAGED-KEYS-SIGN-02', 'MANAGED-KEYS-SIGN-14'],
  'a key that is not in the module fails the test',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    await signingKey(bench, place)
    await signingKey(bench, place, 'rsa:2048')
    const flags: JsonObject[] = [
      {},
      { allow_generate_key: 'false', key_bits: 2048 },
      { allow_replace_key: 'true', curve: 'P256' },
      { allow_store_key: 'true', any_mount: 'true', curve: 'P256' },
    ]
    for (const flag of flags) {
      const label = freshLabel(bench, place)
      const name = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, ...flag }))
      const answer = await testKey(bench, name)
      await bench.decide('MANAGED-KEYS-SIGN-02', () =>
        expect(testFailed(answer), `the test fails, with status ${answer.status}`).toBe(true),
      )
      await bench.decide('MANAGED-KEYS-SIGN-14', async () => expect(await place.token.keys(label), 'keys that were made').toEqual([]))
      await place.token.generate('EC:prime256v1', label, '01')
      await bench.decide('MANAGED-KEYS-SIGN-02', async () =>
        expect(await testKey(bench, name), 'the test once the key is there').toSucceed(),
      )
    }
  },
)

check(
  'managed-keys/removed',
  'MANAGED-KEYS-SIGN-03',
  'a key that has gone from the module fails the test',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const [{ name, label, id }, other] = [await signingKey(bench, place), await signingKey(bench, place)]
    const byId = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_id: id }))
    for (const one of [name, byId]) expect(await testKey(bench, one), 'before').toSucceed()
    await place.token.remove(label)
    for (const [one, how] of [
      [name, 'label'],
      [byId, 'id'],
    ] as const) {
      const answer = await testKey(bench, one)
      expect(testFailed(answer), `the test by ${how} fails afterwards, with status ${answer.status}`).toBe(true)
    }
    expect(await testKey(bench, other.name), 'another key').toSucceed()
  },
)

check(
  'managed-keys/updated',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-SIGN-03'],
  'a key signs as it was written last, beside others that sign as they were',
  onModule,
  async ({ bench, expect }) => {
    const [place, elsewhere] = (await ownTokens(bench, 2)) as [Place, Place]
    const [first, second] = [await signingKey(bench, place), await signingKey(bench, elsewhere)]
    const beside = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: first.label }), `${first.name}-2`)
    expect(await testKey(bench, first.name), 'the test before').toSucceed()
    const body = inToken(bench, elsewhere, { key_label: second.label })
    const written = await bench.call(writeOf('pkcs11'), { path: { name: first.name }, body })
    await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
      expect(written).toSucceed()
      expect(await testKey(bench, first.name), 'the test after the update, of a key in another token').toSucceed()
    })
    await place.token.remove(first.label)
    const gone = await testKey(bench, beside)
    await bench.decide('MANAGED-KEYS-SIGN-03', () => expect(testFailed(gone), `its neighbour fails, with status ${gone.status}`).toBe(true))
    const kept = await testKey(bench, first.name)
    await bench.decide('MANAGED-KEYS-WRITE-05', () => expect(kept, 'the test once the first key has gone from the module').toSucceed())
  },
)

check(
  'managed-keys/may-not-sign',
  'MANAGED-KEYS-SIGN-17',
  'a key that may not sign fails the test',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { name, label } = await signingKey(bench, place)
    expect(await testKey(bench, name), 'while it may').toSucceed()
    await place.forbidSigning(label)
    expect(await place.token.uses(label), 'what the key may be used for').not.toContain('sign')
    const answer = await testKey(bench, name)
    expect(testFailed(answer), `the test fails, with status ${answer.status}`).toBe(true)
  },
)

check(
  'managed-keys/wrong-pin',
  ['MANAGED-KEYS-SIGN-01', 'MANAGED-KEYS-SIGN-04', 'MANAGED-KEYS-SIGN-19', 'MANAGED-KEYS-SIGN-53'],
  'a wrong PIN fails the test, whichever other keys of the token have, and is not shown',
  { ...onModule, kind: 'security' },
  async ({ bench, expect }) => {
    const place = await unusedToken(bench)
    const pin = bench.canary('pin')
    const { name, label } = await signingKey(bench, place, 'EC:prime256v1', { pin })
    const right = inToken(bench, place, { key_label: label })
    const others = [
      await givenKey(bench, 'pkcs11', right),
      await givenKey(bench, 'pkcs11', { ...right, token_label: '', slot: place.slot }),
    ]
    const answer = await testKey(bench, name)
    await bench.decide('MANAGED-KEYS-SIGN-04', () => expect(testFailed(answer), `the test fails, with status ${answer.status}`).toBe(true))
    await bench.decide('MANAGED-KEYS-SIGN-19', () => expect(answer.text).not.toContain(pin))
    for (const [what, near] of Object.entries({
      'with a blank after it': `${place.pin} `,
      'with a blank before it': ` ${place.pin}`,
      'cut short': place.pin.slice(0, -1),
      'with a letter more': `${place.pin}0`,
    })) {
      await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, pin: near }), name)
      const tried = await testKey(bench, name)
      await bench.decide('MANAGED-KEYS-SIGN-04', () => expect(testFailed(tried), `the test with the PIN ${what} fails`).toBe(true))
    }
    for (const where of placesOf(bench).slice(1)) {
      await givenKey(bench, 'pkcs11', { ...right, pin }, name, where)
      const tried = await testKey(bench, name, {}, where)
      await bench.decide('MANAGED-KEYS-SIGN-04', () => expect(testFailed(tried), 'the test in the other namespace fails').toBe(true))
      await bench.decide('MANAGED-KEYS-SIGN-19', () => expect(tried.text).not.toContain(pin))
    }
    // That a wrong PIN was written and tried last must not count for the others.
    for (const [index, how] of ['token', 'slot'].entries()) {
      const served = await testKey(bench, others[index]!)
      await bench.decide('MANAGED-KEYS-SIGN-01', () =>
        expect(served, `the test with the right PIN, by ${how}, beside a key with a wrong one`).toSucceed(),
      )
    }
    await givenKey(bench, 'pkcs11', right, name)
    await bench.decide('MANAGED-KEYS-SIGN-04', async () => expect(await testKey(bench, name), 'the test with the right PIN').toSucceed())
    // A login may hold for the module once a right one was used.
    const wrong = await givenKey(bench, 'pkcs11', { ...right, pin })
    const late = await testKey(bench, wrong)
    bench.observe('MANAGED-KEYS-SIGN-53', testFailed(late) ? 'refused' : 'passed')
    await bench.decide('MANAGED-KEYS-SIGN-19', () => expect(late.text).not.toContain(pin))
    const absent = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: bench.fresh('absent') }))
    const failed = await testKey(bench, absent)
    await bench.decide('MANAGED-KEYS-SIGN-19', () => expect(failed.text).not.toContain(place.pin))
  },
)

check(
  'managed-keys/wrong-place',
  ['MANAGED-KEYS-SIGN-05', 'MANAGED-KEYS-SIGN-16'],
  'the key is looked for where its parameters say',
  onModule,
  async ({ bench, expect }) => {
    const [place, elsewhere] = (await ownTokens(bench, 2)) as [Place, Place]
    const { name, label } = await signingKey(bench, place)
    const fails = async (body: JsonObject, what: string) => {
      const answer = await testKey(bench, await givenKey(bench, 'pkcs11', body))
      expect(testFailed(answer), `the test ${what} fails, with status ${answer.status}`).toBe(true)
    }
    await bench.decide('MANAGED-KEYS-SIGN-05', () =>
      fails({ ...inToken(bench, place, { key_label: label }), token_label: bench.fresh('token') }, 'in an unknown token'),
    )
    await bench.decide('MANAGED-KEYS-SIGN-05', () =>
      fails({ ...inToken(bench, place, { key_label: label }), token_label: '', slot: '424242' }, 'in an unknown slot'),
    )
    await bench.decide('MANAGED-KEYS-SIGN-16', () => fails(inToken(bench, elsewhere, { key_label: label }), 'in another token'))
    await bench.decide('MANAGED-KEYS-SIGN-16', () =>
      fails({ ...inToken(bench, elsewhere, { key_label: label }), token_label: '', slot: elsewhere.slot }, 'in another slot'),
    )
    await bench.decide('MANAGED-KEYS-SIGN-16', async () => expect(await testKey(bench, name), 'the test in the right token').toSucceed())
    bench.defer(() => elsewhere.token.remove(label).catch(() => undefined))
    await elsewhere.token.generate('EC:prime256v1', label, '0b')
    const body = inToken(bench, elsewhere, { key_label: label })
    const others = [
      await givenKey(bench, 'pkcs11', body),
      await givenKey(bench, 'pkcs11', { ...body, token_label: '', slot: elsewhere.slot }),
    ]
    const passElsewhere = (when: string) =>
      bench.decide('MANAGED-KEYS-SIGN-16', async () => {
        for (const [index, how] of ['by token', 'by slot'].entries())
          expect(
            await testKey(bench, others[index]!),
            `the test of a key with the same label in another token, ${how}, ${when}`,
          ).toSucceed()
      })
    await passElsewhere('beside the first')
    await place.token.remove(label)
    const gone = await testKey(bench, name)
    await bench.decide('MANAGED-KEYS-SIGN-16', () =>
      expect(testFailed(gone), `the test fails where the key has gone from its token only, with status ${gone.status}`).toBe(true),
    )
    await passElsewhere('alone')
  },
)

check(
  'managed-keys/unknown-library',
  'MANAGED-KEYS-SIGN-06',
  'a library without a stanza cannot be tested',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { name, label } = await signingKey(bench, place)
    const unknown = bench.fresh('key')
    removeLater(bench, 'pkcs11', unknown)
    const body = inToken(bench, place, { key_label: label, library: bench.fresh('library') })
    // A target may know its libraries when a key is written, too.
    const written = await bench.call(writeOf('pkcs11'), { path: { name: unknown }, body })
    const answer = written.ok ? await testKey(bench, unknown) : written
    expect(testFailed(answer), `it fails, with status ${answer.status}`).toBe(true)
    expect(await testKey(bench, name), 'the same key in the existing library').toSucceed()
  },
)

check(
  'managed-keys/unknown-key',
  ['MANAGED-KEYS-SIGN-07', 'MANAGED-KEYS-SIGN-20'],
  'an unknown key is not tested, and nothing is made',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const label = freshLabel(bench, place)
    const name = await givenKey(
      bench,
      'pkcs11',
      inToken(bench, place, { key_label: label, allow_generate_key: 'true', mechanism: '0x1', key_bits: 2048 }),
    )
    for (const path of [
      ...kindsOf(bench)
        .filter((type) => type !== 'pkcs11')
        .map((type) => ({ type, name })),
      ...kindsOf(bench).map((type) => ({ type, name: bench.fresh('unknown') })),
      { type: 'pkcs11', name: `${name}-2` },
      { type: 'pkcs11', name: name.slice(0, -1) },
      { type: 'pkcs11', name: `${name}.` },
    ]) {
      const answer = await bench.call('managedKeys.testSign', { path, body: {} })
      await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(answer, `${path.type}/${path.name}`).toBeRefused())
    }
    await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
    const after = await testKey(bench, name)
    await bench.decide('MANAGED-KEYS-SIGN-07', () => expect(after, 'a key that was deleted').toBeRefused())
    await bench.decide('MANAGED-KEYS-SIGN-20', async () => expect(await place.token.keys(label), 'keys that were made').toEqual([]))
  },
)
