import { check } from '../../../harness/checks/index.ts'
import {
  administrativeOf,
  anyKind,
  comparableKey,
  fieldsOf,
  givenKey,
  goodBody,
  kindsOf,
  namesOf,
  READABLE,
  readableOf,
  readKey,
  removeLater,
  stateOf,
  writeOf,
} from '../fixtures.ts'

check('managed-keys/name-unique', 'MANAGED-KEYS-NAME-01', 'a name is unique across all kinds', async ({ bench }) => {
  for (const first of readableOf(bench))
    for (const second of kindsOf(bench).filter((kind) => kind !== first)) {
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
  const any = anyKind(bench)
  for (const [kind, second] of [
    [any, any],
    ['cloudbkeyvault', 'cloudbkeyvault'],
    [any, 'cloudbkeyvault'],
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
      const kind = anyKind(bench)
      for (const one of [name, name.replace(upper, lower)]) removeLater(bench, kind, one)
      // Whether names may have such letters is not said.
      await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind) })
      const listed = namesOf(await bench.call('managedKeys.list', { path: { type: kind } }))
      expect(
        listed.filter((one) => one.includes(upper)),
        'names with upper-case letters',
      ).toEqual([])
    }
  },
)

check('managed-keys/name-in-namespaces', 'MANAGED-KEYS-NAME-04', 'two namespaces may use one name', async ({ bench, expect }) => {
  const namespace = administrativeOf(bench)
  const pairs = readableOf(bench).flatMap((one) => readableOf(bench).map((other) => [one, other] as const))
  for (const [first, second] of bench.few(pairs)) {
    const name = await givenKey(bench, first)
    const before = comparableKey(await readKey(bench, first, name))
    removeLater(bench, second, name, { namespace })
    const body = goodBody(bench, second)
    expect(await bench.call(writeOf(second), { path: { name }, body, namespace }), `the same name for kind ${second}`).toSucceed()
    expect((await readKey(bench, second, name, { namespace })).type, 'kind of the second key').toBe(second)
    expect(comparableKey(await readKey(bench, first, name)), 'the first key').toEqual(before)
  }
})

check('managed-keys/name-freed', 'MANAGED-KEYS-NAME-05', 'the name of a deleted key may be used again', async ({ bench, expect }) => {
  for (const first of readableOf(bench))
    for (const second of bench.few(kindsOf(bench), 1)) {
      const name = await givenKey(bench, first)
      await bench.given('managedKeys.delete', { path: { type: first, name } })
      removeLater(bench, second, name)
      const what = `a key of kind ${second} under the name of a deleted one of kind ${first}`
      expect(await bench.call(writeOf(second), { path: { name }, body: goodBody(bench, second) }), what).toSucceed()
      if (second !== 'cloudckms') expect((await readKey(bench, second, name)).type, `kind of ${what}`).toBe(second)
      if (second !== first) expect(await stateOf(bench, first, name), 'the old key').toEqual({ status: 404 })
    }
})

check(
  'managed-keys/name-refused-is-free',
  'MANAGED-KEYS-NAME-07',
  'a name whose creation was refused is free, for every kind, and not listed',
  async ({ bench, expect }) => {
    for (const first of bench.few(kindsOf(bench), 1))
      for (const second of bench.few(kindsOf(bench), 2)) {
        const name = bench.fresh('key')
        for (const kind of [first, second]) removeLater(bench, kind, name)
        const bad = { ...goodBody(bench, first), usages: 'dance' }
        for (const round of ['once', 'twice'])
          expect(
            await bench.call(writeOf(first), { path: { name }, body: bad, invalid: true }),
            `a bad key of kind ${first}, ${round}`,
          ).toBeRefused()
        for (const kind of readableOf(bench))
          expect(namesOf(await bench.call('managedKeys.list', { path: { type: kind } })), `the listing of kind ${kind}`).not.toContain(name)
        const what = `a key of kind ${second} under a name that was refused to one of kind ${first}`
        expect(await bench.call(writeOf(second), { path: { name }, body: goodBody(bench, second) }), what).toSucceed()
        if (second !== 'cloudckms') expect((await readKey(bench, second, name)).type, `kind of ${what}`).toBe(second)
      }
  },
)

/** Lengths of names: a server may take none so long, but if it does, the last letter counts. */
const LENGTHS = [48, 63, 100, 200, 250]

check(
  'managed-keys/name-long',
  ['MANAGED-KEYS-NAME-06', 'MANAGED-KEYS-LIST-01'],
  'of a long name every letter counts',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench))
      for (const length of LENGTHS) {
        const stem = bench.fresh('key')
        const long = `${stem}-${'x'.repeat(Math.max(1, length - stem.length - 2))}`
        const [first, second, absent] = [`${long}a`, `${long}b`, `${long}c`]
        for (const name of [first, second]) removeLater(bench, kind, name)
        const body = goodBody(bench, kind)
        const answers = []
        for (const [name, any_mount] of [
          [first, 'true'],
          [second, 'false'],
        ] as const)
          answers.push(await bench.call(writeOf(kind), { path: { name }, body: { ...body, any_mount } }))
        // How long a name may be is not said.
        if (answers.some(({ ok }) => !ok)) continue
        const what = `names of ${first.length} letters, of kind ${kind}`
        await bench.decide('MANAGED-KEYS-NAME-06', async () => {
          const seen = []
          for (const name of [first, second]) seen.push(comparableKey(await readKey(bench, kind, name)))
          expect(
            seen.map(({ name, any_mount }) => [name, any_mount]),
            what,
          ).toEqual([
            [first, 'true'],
            [second, 'false'],
          ])
          for (const name of [absent, long]) expect(await stateOf(bench, kind, name), `${what}: another`).toEqual({ status: 404 })
        })
        await bench.decide('MANAGED-KEYS-LIST-01', async () => {
          const listed = namesOf(await bench.given('managedKeys.list', { path: { type: kind } }))
          expect(listed.filter((name) => name.startsWith(stem)).sort(), `${what}, listed`).toEqual([first, second])
        })
        await bench.given('managedKeys.delete', { path: { type: kind, name: first } })
        await bench.decide('MANAGED-KEYS-NAME-06', async () => {
          expect(await stateOf(bench, kind, first), `${what}: the deleted one`).toEqual({ status: 404 })
          expect((await readKey(bench, kind, second)).name, `${what}: the other one`).toBe(second)
        })
      }
  },
)

check('managed-keys/name-of-digits', 'MANAGED-KEYS-NAME-06', 'a name of digits is a text', async ({ bench, expect }) => {
  for (const kind of bench.few(readableOf(bench), 1)) {
    const digits = Array.from({ length: 18 }, () => bench.random.integer(1, 9)).join('')
    const names = [bench.fresh('key'), digits, `0${digits}`, `00${digits}`, `${digits}e1`, `${digits}.0`, `-${digits}`]
    const taken: string[] = []
    for (const name of names) {
      removeLater(bench, kind, name)
      // Which signs a name may begin and end with is not said.
      if ((await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind) })).ok) taken.push(name)
    }
    expect(taken, `names of keys of kind ${kind}`).toContain(names[0])
    for (const name of taken) expect((await readKey(bench, kind, name)).name, `the name that a read of kind ${kind} shows`).toBe(name)
    const listed = namesOf(await bench.given('managedKeys.list', { path: { type: kind } }))
    expect(
      names.filter((name) => listed.includes(name)),
      `those that the listing of kind ${kind} has`,
    ).toEqual(taken)
  }
})

check('managed-keys/name-whole', 'MANAGED-KEYS-NAME-06', 'a key is reached under its whole name only', async ({ bench, expect }) => {
  for (const kind of readableOf(bench)) {
    const name = await givenKey(bench, kind)
    const before = await readKey(bench, kind, name)
    for (const other of [name.slice(0, -1), `${name}x`, name.slice(1), `x${name}`, `${name}-2`, name.replaceAll('-', '_')]) {
      expect(await stateOf(bench, kind, other), `${other} of kind ${kind}`).toEqual({ status: 404 })
      await bench.call('managedKeys.delete', { path: { type: kind, name: other } })
      expect(
        await bench.call('managedKeys.testSign', { path: { type: kind, name: other }, body: {} }),
        `the test of ${other}`,
      ).toBeRefused()
    }
    expect(await readKey(bench, kind, name), `the key of kind ${kind}`).toEqual(before)
  }
})

check('managed-keys/disagreement', ['MANAGED-KEYS-WRITE-09', 'MANAGED-KEYS-WRITE-10'], 'path and body that disagree', async ({ bench }) => {
  const outcome = async (change: object) => {
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    const body = { ...goodBody(bench, 'pkcs11'), ...change }
    const { status } = await bench.call('managedKeys.writePkcs11', { path: { name }, body, observing: true })
    return { status, stored: (await bench.call('managedKeys.read', { path: { type: 'pkcs11', name }, observing: true })).status }
  }
  bench.observe('MANAGED-KEYS-WRITE-09', await outcome({ name: bench.fresh('other') }))
  bench.observe('MANAGED-KEYS-WRITE-10', await outcome({ type: 'cloudakms' }))
})

/** Ends of names: those that every target takes, and others. */
const FORMS = ['a1', '1a', '-with-hyphen', '-2b']
const OPEN_FORMS = ['with_underscore', 'with.period', 'a.b-c_d.e1']

check(
  'managed-keys/name-forms',
  ['MANAGED-KEYS-NAME-08', 'MANAGED-KEYS-NAME-10'],
  'names may hold digits and hyphens',
  async ({ bench, expect }) => {
    const seen: Record<string, number> = {}
    for (const kind of kindsOf(bench))
      for (const form of [...bench.few(FORMS), ...bench.few(OPEN_FORMS, 1)]) {
        const isOpen = OPEN_FORMS.includes(form)
        const name = `${bench.fresh('key')}${form}`
        removeLater(bench, kind, name)
        const written = await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind), ...(isOpen && { observing: true }) })
        if (isOpen) {
          seen[`${form} of kind ${kind}`] = written.status
          continue
        }
        const isListed = READABLE.includes(kind as (typeof READABLE)[number])
        const names = isListed ? namesOf(await bench.given('managedKeys.list', { path: { type: kind } })) : [name]
        await bench.decide('MANAGED-KEYS-NAME-08', () => {
          expect(written, `a key of kind ${kind} named ...${form}`).toSucceed()
          expect(names, `the names of kind ${kind}`).toContain(name)
        })
      }
    bench.observe('MANAGED-KEYS-NAME-10', seen)
  },
)

/** How many letters are tried: one may be the name of a key that no listing shows. */
const TRIED = 3

check('managed-keys/name-of-one-letter', 'MANAGED-KEYS-NAME-09', 'whether a name may be one letter', async ({ bench }) => {
  const namespace = administrativeOf(bench)
  const listed = async (kind: string) => namesOf(await bench.call('managedKeys.list', { path: { type: kind }, namespace }))
  const taken = (await Promise.all(readableOf(bench).map(listed))).flat()
  const free = bench.random.shuffle([...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !taken.includes(letter)))
  if (free.length < readableOf(bench).length * TRIED) bench.blocked('most names of one letter are taken', 'delete some of these keys')
  const seen: Record<string, string> = {}
  for (const [index, kind] of readableOf(bench).entries()) {
    seen[kind] = 'refused'
    for (const name of free.slice(index * TRIED, (index + 1) * TRIED)) {
      const { ok } = await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind), namespace, observing: true })
      if (!ok) continue
      removeLater(bench, kind, name, { namespace })
      seen[kind] = 'taken'
      break
    }
  }
  bench.observe('MANAGED-KEYS-NAME-09', seen)
})
