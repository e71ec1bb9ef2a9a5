import { check } from '../../../harness/checks/index.ts'
import {
  administrativeOf,
  comparableKey,
  fieldsOf,
  givenKey,
  goodBody,
  KINDS,
  namesOf,
  READABLE,
  readKey,
  removeLater,
  stateOf,
  writeOf,
} from '../fixtures.ts'

check('managed-keys/name-unique', 'MANAGED-KEYS-NAME-01', 'a name is unique across all kinds', async ({ bench }) => {
  for (const first of READABLE)
    for (const second of KINDS.filter((kind) => kind !== first)) {
      const name = await givenKey(bench, first)
      removeLater(bench, second, name)
      const other = bench.fresh('key')
      removeLater(bench, second, other)
      const body = goodBody(bench, second)
      await bench.refuses(writeOf(second), {
        bad: { path: { name }, body },
        control: { path: { name: other }, body },
        unchanged: () => stateOf(bench, first, name),
        label: `the name of a key of kind ${first} for one of kind ${second}`,
      })
    }
})

check('managed-keys/name-case', ['MANAGED-KEYS-NAME-02', 'MANAGED-KEYS-NAME-03'], 'names are lower case', async ({ bench, expect }) => {
  for (const [kind, second] of [
    ['pkcs11', 'pkcs11'],
    ['cloudakms', 'cloudakms'],
    ['pkcs11', 'cloudbkeyvault'],
  ] as const) {
    const name = `${bench.fresh('key')}-abc`
    const upper = name.replace('-abc', '-ABc')
    for (const one of [name, upper]) for (const of of [kind, second]) removeLater(bench, of, one)
    await bench.given(writeOf(kind), { path: { name }, body: goodBody(bench, kind) })
    await bench.call(writeOf(second), { path: { name: upper }, body: goodBody(bench, second) })
    const alone = `${bench.fresh('key')}-Alone`
    removeLater(bench, kind, alone)
    removeLater(bench, kind, alone.toLowerCase())
    await bench.call(writeOf(kind), { path: { name: alone }, body: goodBody(bench, kind) })
    const listed = [
      ...namesOf(await bench.given('managedKeys.list', { path: { type: kind } })),
      ...namesOf(await bench.call('managedKeys.list', { path: { type: second } })),
    ]
    const same = (wanted: string) => [...new Set(listed)].filter((one) => one.toLowerCase() === wanted.toLowerCase())
    await bench.decide('MANAGED-KEYS-NAME-02', () => expect(same(name), 'names that differ by case only').toEqual([name]))
    await bench.decide('MANAGED-KEYS-NAME-03', () =>
      expect(
        [...same(name), ...same(alone)].filter((one) => one !== one.toLowerCase()),
        'names with upper-case letters',
      ).toEqual([]),
    )
    await bench.decide('MANAGED-KEYS-NAME-03', async () => {
      const read = await bench.call('managedKeys.read', { path: { type: kind, name: alone } })
      const shown = read.ok ? String(fieldsOf(read).name) : ''
      expect(shown, 'the name that a read shows').toBe(shown.toLowerCase())
    })
  }
})

check(
  'managed-keys/name-case-of-any-script',
  'MANAGED-KEYS-NAME-03',
  'letters of other scripts are lower case too',
  async ({ bench, expect }) => {
    for (const [upper, lower] of [
      ['ÄÖ', 'äö'],
      ['Ж', 'ж'],
      ['Ω', 'ω'],
    ] as const) {
      const name = `${bench.fresh('key')}-${upper}`
      for (const one of [name, name.replace(upper, lower)]) removeLater(bench, 'pkcs11', one)
      // Whether names may have such letters is not said.
      await bench.call(writeOf('pkcs11'), { path: { name }, body: goodBody(bench, 'pkcs11') })
      const listed = namesOf(await bench.call('managedKeys.list', { path: { type: 'pkcs11' } }))
      expect(
        listed.filter((one) => one.includes(upper)),
        'names with upper-case letters',
      ).toEqual([])
    }
  },
)

check('managed-keys/name-in-namespaces', 'MANAGED-KEYS-NAME-04', 'two namespaces may use one name', async ({ bench, expect }) => {
  const namespace = administrativeOf(bench)
  for (const second of ['pkcs11', 'cloudakms'] as const) {
    const name = await givenKey(bench, 'pkcs11')
    const before = comparableKey(await readKey(bench, 'pkcs11', name))
    removeLater(bench, second, name, { namespace })
    const body = goodBody(bench, second)
    expect(await bench.call(writeOf(second), { path: { name }, body, namespace }), `the same name for kind ${second}`).toSucceed()
    expect((await readKey(bench, second, name, { namespace })).type, 'kind of the second key').toBe(second)
    expect(comparableKey(await readKey(bench, 'pkcs11', name)), 'the first key').toEqual(before)
  }
})

check('managed-keys/name-freed', 'MANAGED-KEYS-NAME-05', 'the name of a deleted key may be used again', async ({ bench, expect }) => {
  for (const [first, second] of [
    ['pkcs11', 'cloudakms'],
    ['cloudbkeyvault', 'pkcs11'],
    ['cloudakms', 'cloudbkeyvault'],
  ] as const) {
    const name = await givenKey(bench, first)
    await bench.given('managedKeys.delete', { path: { type: first, name } })
    removeLater(bench, second, name)
    expect(await bench.call(writeOf(second), { path: { name }, body: goodBody(bench, second) })).toSucceed()
    expect((await readKey(bench, second, name)).type, 'kind of the new key').toBe(second)
    expect(await stateOf(bench, first, name), 'the old key').toEqual({ status: 404 })
  }
})

check('managed-keys/name-whole', 'MANAGED-KEYS-NAME-06', 'a key is reached under its whole name only', async ({ bench, expect }) => {
  const name = await givenKey(bench, 'pkcs11')
  for (const other of [name.slice(0, -1), `${name}x`, name.slice(1), `x${name}`])
    expect(await stateOf(bench, 'pkcs11', other), other).toEqual({ status: 404 })
  expect((await readKey(bench, 'pkcs11', name)).name).toBe(name)
})

check('managed-keys/unknown-kind', 'MANAGED-KEYS-WRITE-08', 'a key of an unknown kind is refused', async ({ bench, expect }) => {
  const good = await givenKey(bench, 'pkcs11')
  for (const type of ['pkcs12', 'cloudxkms'])
    for (const [operation, path] of [
      ['managedKeys.read', { type, name: good }],
      ['managedKeys.testSign', { type, name: good }],
    ] as const)
      expect(
        await bench.call(operation, { path, ...(operation === 'managedKeys.testSign' ? { body: {} } : {}) }),
        `${operation} of ${type}`,
      ).toBeRefused()
  expect((await readKey(bench, 'pkcs11', good)).name, 'the key of a kind that there is').toBe(good)
})

check('managed-keys/disagreement', ['MANAGED-KEYS-WRITE-09', 'MANAGED-KEYS-WRITE-10'], 'path and body that disagree', async ({ bench }) => {
  const outcome = async (change: object) => {
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    const { status } = await bench.call('managedKeys.writePkcs11', { path: { name }, body: { ...goodBody(bench, 'pkcs11'), ...change } })
    return { status, stored: (await bench.call('managedKeys.read', { path: { type: 'pkcs11', name } })).status }
  }
  bench.observe('MANAGED-KEYS-WRITE-09', await outcome({ name: bench.fresh('other') }))
  bench.observe('MANAGED-KEYS-WRITE-10', await outcome({ type: 'cloudakms' }))
})
