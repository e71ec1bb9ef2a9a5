/** What a read shows of the parameters of a key in a module: each as it was written, alone and beside all others. */
import { type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { comparableKey, goodBody, inSlot, libraryOf, readKey, removeLater, writeOf } from '../fixtures.ts'

interface Shown {
  clause: string
  field: string
  /** Values as they are written and as they are read, which every target takes. */
  taken: [written: Json, read: Json][]
  /** Others, which a target may refuse: what it takes is read as it was written. */
  maybe?: [written: Json, read: Json][]
}

const same = (...values: string[]): [string, string][] => values.map((value) => [value, value])

/** Texts that a server might take for something else, or cut. */
const WORDS = [
  'one',
  'two words',
  'Three CAPS',
  'four-4_5.6',
  '0123',
  '1e3',
  'true',
  'null',
  '0x10',
  'a=b,c/d',
  'a:b;c',
  '[1]',
  '{}',
  '%41+%20',
]
const ODD = [
  ' begins',
  'ends ',
  ' both ',
  'two  blanks',
  'a\ttab',
  'clé',
  'cle\u0301',
  '鍵',
  '🔑',
  '"quoted"',
  "it's",
  'back\\slash',
  '<b>&amp;</b>',
]
const LONG = [33, 64, 65, 128, 200, 256].map((length) => 'x'.repeat(length - 1).concat('y'))

/** Numbers on both sides of where 31, 32 and 33 bits end. */
const LARGE = [0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000]

const SHOWN: Shown[] = [
  { clause: 'MANAGED-KEYS-PKCS-07', field: 'key_label', taken: same(...WORDS), maybe: same(...ODD, ...LONG) },
  { clause: 'MANAGED-KEYS-PKCS-08', field: 'token_label', taken: same(...WORDS), maybe: same(...ODD, ...LONG) },
  {
    clause: 'MANAGED-KEYS-PKCS-09',
    field: 'mechanism',
    taken: [
      ['0x1', 1],
      ['0x1041', 4161],
      ['0x9', 9],
      ['0xd', 13],
      ['0xD', 13],
      ['0x01', 1],
      ['0x0d', 13],
      ['0x00001041', 4161],
      ['0x0000000D', 13],
      ['0x0000000000000001', 1],
    ],
    maybe: [
      ['0x250', 0x250],
      ['0x40', 0x40],
      ['0x1042', 0x1042],
      ['0xabcdef', 0xabcdef],
      ['0xABCdef', 0xabcdef],
      ...LARGE.map((number): [string, number] => [`0x${number.toString(16)}`, number]),
    ],
  },
  {
    clause: 'MANAGED-KEYS-PKCS-10',
    field: 'slot',
    taken: [
      ['0', 0],
      ['1', 1],
      ['9', 9],
      ['10', 10],
      ['4711', 4711],
      ['2147483647', 2_147_483_647],
    ],
    maybe: [['010', 10], ['08', 8], ['0007', 7], ...LARGE.map((number): [string, number] => [String(number), number])],
  },
  {
    clause: 'MANAGED-KEYS-PKCS-11',
    field: 'curve',
    taken: [],
    maybe: same('P256', 'P384', 'P521', 'P224', 'p256', 'secp256r1', 'secp384r1', 'prime256v1', 'P-256', 'Other Curve'),
  },
  {
    clause: 'MANAGED-KEYS-PKCS-12',
    field: 'key_bits',
    taken: [
      [2048, 2048],
      [3072, 3072],
      [4096, 4096],
    ],
  },
  { clause: 'MANAGED-KEYS-PKCS-13', field: 'force_rw_session', taken: same('true', 'false', 'true') },
]

for (const { clause, field, taken, maybe = [] } of SHOWN)
  check(`managed-keys/shows-${field.replaceAll('_', '-')}`, clause, `${field} is read as it was written`, async ({ bench, expect }) => {
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    const body = field === 'slot' ? inSlot(bench, '0') : goodBody(bench, 'pkcs11')
    // A curve may be refused for a mechanism of RSA.
    if (field === 'curve') body.mechanism = '0x1041'
    const write = (value: Json) => bench.call(writeOf('pkcs11'), { path: { name }, body: { ...body, [field]: value } })
    for (const [written, read] of bench.few(taken, 5)) {
      expect(await write(written), `${field} ${JSON.stringify(written)}`).toSucceed()
      expect(comparableKey(await readKey(bench, 'pkcs11', name))[field], `${field} written as ${JSON.stringify(written)}`).toBe(read)
    }
    let shown = taken.length
    for (const [written, read] of bench.few(maybe, 5)) {
      if (!(await write(written)).ok) continue
      shown += 1
      expect(comparableKey(await readKey(bench, 'pkcs11', name))[field], `${field} written as ${JSON.stringify(written)}`).toBe(read)
    }
    if (shown === 0) bench.blocked(`no value of ${field} that is tried is taken`, 'add to the check a value that the target takes')
  })

check(
  'managed-keys/numbers-are-numbers',
  ['MANAGED-KEYS-READ-07', 'MANAGED-KEYS-READ-08'],
  'mechanism and slot are read as numbers, whatever else is given',
  async ({ bench, expect }) => {
    for (const body of [
      inSlot(bench, '12'),
      inSlot(bench, '0'),
      goodBody(bench, 'pkcs11'),
      { ...goodBody(bench, 'pkcs11'), mechanism: '0x1041' },
    ]) {
      const name = bench.fresh('key')
      removeLater(bench, 'pkcs11', name)
      await bench.given(writeOf('pkcs11'), { path: { name }, body })
      const fields = await readKey(bench, 'pkcs11', name)
      await bench.decide('MANAGED-KEYS-READ-07', () => expect(typeof fields.mechanism, 'type of mechanism').toBe('number'))
      // The table gives a slot no default.
      if ('slot' in body) await bench.decide('MANAGED-KEYS-READ-08', () => expect(typeof fields.slot, 'type of slot').toBe('number'))
    }
  },
)

/** A body that states every parameter but `slot`, which stands for `token_label`, and `curve`, whose values are not shown. */
const whole = (bench: Bench): JsonObject => ({
  ...goodBody(bench, 'pkcs11'),
  allow_generate_key: 'true',
  allow_replace_key: 'false',
  allow_store_key: 'true',
  any_mount: 'false',
  usages: 'sign',
  key_label: 'Label one',
  mechanism: '0x1',
  token_label: 'Token one',
  key_bits: 2048,
  force_rw_session: 'false',
  max_parallel: 2,
})

const NUMBERS = ['mechanism', 'slot']
const UNSHOWN = ['usages', 'max_parallel', 'pin']

const shownOf = (body: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(body)
      .filter(([field]) => !UNSHOWN.includes(field))
      .map(([field, value]) => [field, NUMBERS.includes(field) ? Number(value) : value]),
  ),
  pin: 'redacted',
})

/** Each parameter with another value; those that no read shows change nothing that one shows. */
const CHANGES: JsonObject = {
  allow_generate_key: 'false',
  allow_replace_key: 'true',
  allow_store_key: 'false',
  any_mount: 'true',
  usages: 'sign,verify',
  key_label: 'Label two',
  mechanism: '0xd',
  token_label: 'Token two',
  key_bits: 4096,
  force_rw_session: 'true',
  max_parallel: 3,
  pin: 'another pin',
}

check(
  'managed-keys/update-by-field',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-WRITE-06'],
  'an update changes the parameter that differs and no other, and can be undone',
  async ({ bench, expect }) => {
    const body = whole(bench)
    const [name, beside] = [bench.fresh('key'), bench.fresh('key')]
    for (const one of [name, beside]) {
      removeLater(bench, 'pkcs11', one)
      await bench.given(writeOf('pkcs11'), { path: { name: one }, body })
    }
    const seen = async (wanted: JsonObject): Promise<JsonObject> => {
      const fields = comparableKey(await readKey(bench, 'pkcs11', name))
      return Object.fromEntries(Object.keys(wanted).map((field) => [field, fields[field] ?? null]))
    }
    const before = await readKey(bench, 'pkcs11', beside)
    for (const [field, value] of Object.entries(CHANGES))
      for (const [what, now] of [
        [`${field} changed`, { ...body, [field]: value }],
        [`${field} as before`, body],
      ] as const) {
        const written = await bench.call(writeOf('pkcs11'), { path: { name }, body: now })
        await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
          expect(written, what).toSucceed()
          expect(await seen(shownOf(now)), what).toEqual(shownOf(now))
        })
      }
    expect(libraryOf(bench), 'the library').toBe(String(before.library))
    await bench.decide('MANAGED-KEYS-WRITE-06', async () => expect(await readKey(bench, 'pkcs11', beside), 'its neighbour').toEqual(before))
  },
)

check(
  'managed-keys/slot-beside-label',
  'MANAGED-KEYS-PKCS-28',
  'whether slot and token_label may stand beside each other',
  async ({ bench }) => {
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    const body = { ...goodBody(bench, 'pkcs11'), slot: '0' }
    bench.observe('MANAGED-KEYS-PKCS-28', (await bench.call(writeOf('pkcs11'), { path: { name }, body, observing: true })).status)
  },
)
