import { type Answer, check, type Json } from '../../../harness/checks/index.ts'
import {
  administrativeOf,
  anyKind,
  comparableKey,
  fieldsOf,
  givenKey,
  goodBody,
  isTrue,
  type KINDS,
  placesOf,
  readableOf,
  readKey,
  stateOf,
  writeOf,
} from '../fixtures.ts'

const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']
const DEFAULTS = ['MANAGED-KEYS-FLAG-01', 'MANAGED-KEYS-FLAG-02', 'MANAGED-KEYS-FLAG-03', 'MANAGED-KEYS-FLAG-04']
const WRITTEN = ['MANAGED-KEYS-FLAG-05', 'MANAGED-KEYS-FLAG-06', 'MANAGED-KEYS-FLAG-07', 'MANAGED-KEYS-FLAG-08']

check('managed-keys/flag-defaults', DEFAULTS, 'flags are false where they are not given', async ({ bench, expect }) => {
  for (const kind of readableOf(bench)) {
    // A key of the kind that has them all, right before: what a key leaves out is not as it was in the last one.
    await givenKey(bench, kind, {
      ...goodBody(bench, kind),
      key_bits: kind === 'pkcs11' ? 2048 : '2048',
      ...Object.fromEntries(FLAGS.map((flag) => [flag, 'true'])),
    })
    const fields = await readKey(bench, kind, await givenKey(bench, kind))
    for (const [index, flag] of FLAGS.entries())
      await bench.decide(DEFAULTS[index]!, () => expect(String(fields[flag]), `${flag} of kind ${kind}`).toBe('false'))
  }
})

for (const [index, flag] of FLAGS.entries())
  check(`managed-keys/${flag.replaceAll('_', '-')}`, WRITTEN[index]!, `${flag} is read as it was written`, async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const body = { ...goodBody(bench, kind), key_bits: kind === 'pkcs11' ? 2048 : '2048' }
      const name = await givenKey(bench, kind, { ...body, [flag]: 'true' })
      const set = await readKey(bench, kind, name)
      await givenKey(bench, kind, { ...body, [flag]: 'false' }, name)
      const unset = await readKey(bench, kind, name)
      expect(
        FLAGS.map((other) => isTrue(set[other])),
        `flags of kind ${kind} where ${flag} is true`,
      ).toEqual(FLAGS.map((other) => other === flag))
      expect(String(unset[flag]), `${flag} of kind ${kind} once it is false again`).toBe('false')
    }
  })

check('managed-keys/library-shown', 'MANAGED-KEYS-PKCS-06', 'library is read as it was written', async ({ bench, expect }) => {
  const body = goodBody(bench, 'pkcs11')
  expect((await readKey(bench, 'pkcs11', await givenKey(bench, 'pkcs11', body))).library).toBe(body.library)
})

check(
  'managed-keys/pkcs11-defaults',
  ['MANAGED-KEYS-PKCS-14', 'MANAGED-KEYS-PKCS-15', 'MANAGED-KEYS-PKCS-16'],
  'what was not given has its default',
  async ({ bench, expect }) => {
    await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), key_bits: 2048, force_rw_session: 'true' })
    const fields = await readKey(bench, 'pkcs11', await givenKey(bench, 'pkcs11'))
    await bench.decide('MANAGED-KEYS-PKCS-14', () => expect(fields.curve, 'curve').toBe(''))
    await bench.decide('MANAGED-KEYS-PKCS-15', () => expect(fields.key_bits, 'key_bits').toBe(0))
    await bench.decide('MANAGED-KEYS-PKCS-16', () => expect(String(fields.force_rw_session), 'force_rw_session').toBe('false'))
  },
)

check(
  'managed-keys/read',
  [
    'MANAGED-KEYS-READ-01',
    'MANAGED-KEYS-READ-04',
    'MANAGED-KEYS-READ-05',
    'MANAGED-KEYS-READ-06',
    'MANAGED-KEYS-READ-10',
    'MANAGED-KEYS-READ-12',
  ],
  'a key is read with its number, name and kind',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const name = await givenKey(bench, kind)
      const answer = await bench.call('managedKeys.read', { path: { type: kind, name } })
      const fields = fieldsOf(answer)
      await bench.decide('MANAGED-KEYS-READ-01', () => expect(answer, kind).toHaveStatus(200))
      await bench.decide('MANAGED-KEYS-READ-04', () =>
        expect(typeof fields.UUID === 'string' && fields.UUID !== '', `UUID of kind ${kind} is a text`).toBe(true),
      )
      await bench.decide('MANAGED-KEYS-READ-05', () => expect(fields.name, 'name').toBe(name))
      await bench.decide('MANAGED-KEYS-READ-06', () => expect(fields.type, 'type').toBe(kind))
      if (kind === anyKind(bench)) bench.observe('MANAGED-KEYS-READ-10', fields === answer.data ? 'under data' : 'at the top level')
      if (kind === 'cloudakms') bench.observe('MANAGED-KEYS-READ-12', Object.keys(fields).sort())
    }
  },
)

check('managed-keys/numbers', 'MANAGED-KEYS-READ-09', 'no two keys have one number', async ({ bench, expect }) => {
  const numbers: Json[] = []
  for (const where of [{}, { namespace: administrativeOf(bench) }])
    for (const kind of bench.few([...readableOf(bench), ...readableOf(bench), ...readableOf(bench)], 5))
      numbers.push((await readKey(bench, kind, await givenKey(bench, kind, undefined, undefined, where), where)).UUID ?? null)
  expect(new Set(numbers).size, 'different numbers').toBe(numbers.length)
})

check(
  'managed-keys/read-unknown',
  ['MANAGED-KEYS-READ-02', 'MANAGED-KEYS-READ-03'],
  'what is not there is not read',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const unknown = await bench.call('managedKeys.read', { path: { type: kind, name: bench.fresh('unknown') } })
      await bench.decide('MANAGED-KEYS-READ-02', () => expect(unknown, kind).toHaveStatus(404))
      const name = await givenKey(bench, kind)
      for (const other of readableOf(bench).filter((one) => one !== kind)) {
        const answer = await bench.call('managedKeys.read', { path: { type: other, name } })
        await bench.decide('MANAGED-KEYS-READ-03', () => expect(answer, `a key of kind ${kind} as one of kind ${other}`).toHaveStatus(404))
      }
      expect(await bench.call('managedKeys.read', { path: { type: kind, name } }), 'the key under its own kind').toHaveStatus(200)
    }
  },
)

const SECRETS: [(typeof KINDS)[number], string, string][] = [
  ['pkcs11', 'pin', 'MANAGED-KEYS-SECRET-02'],
  ['cloudakms', 'secret_key', 'MANAGED-KEYS-SECRET-03'],
  ['cloudbkeyvault', 'client_secret', 'MANAGED-KEYS-SECRET-04'],
]

for (const [kind, field, clause] of SECRETS)
  check(
    `managed-keys/${kind}-secret`,
    [clause, 'MANAGED-KEYS-SECRET-05'],
    `no answer shows the ${field} of kind ${kind}`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      for (const where of placesOf(bench)) {
        const body = goodBody(bench, kind)
        const name = await givenKey(bench, kind, body, undefined, where)
        const at = { ...where, path: { type: kind, name } }
        const written = { ...where, path: { name } }
        const write = writeOf(kind)
        const later = bench.canary('secret')
        const answers = [
          await bench.call(write, { ...written, body }),
          await bench.call(write, { ...written, body: { ...body, [field]: later } }),
          await bench.call('managedKeys.read', at),
          await bench.call('managedKeys.list', { ...where, path: { type: kind } }),
          await bench.call(write, { ...where, path: { name: bench.fresh('bad') }, body: { ...body, usages: 'dance' }, invalid: true }),
          await bench.call(write, { ...written, body: { ...body, key_bits: '17', allow_generate_key: 'true' }, invalid: true }),
          await bench.call('managedKeys.testSign', { ...at, body: { hash_algorithm: 'md2' }, invalid: true }),
          await bench.call('managedKeys.delete', at),
        ]
        const shows = ({ operation }: Answer): boolean => ['managedKeys.read', 'managedKeys.list'].includes(operation)
        for (const answer of answers)
          await bench.decide(shows(answer) ? clause : 'MANAGED-KEYS-SECRET-05', () => {
            for (const secret of [String(body[field]), later])
              expect(answer.text, `the answer of ${answer.operation} with status ${answer.status}`).not.toContain(secret)
          })
      }
    },
  )

check('managed-keys/pin-redacted', 'MANAGED-KEYS-SECRET-01', 'a PIN is read as redacted', async ({ bench, expect }) => {
  const name = bench.fresh('key')
  for (const where of placesOf(bench)) {
    const pin = bench.canary('pin')
    const before = await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), pin }, undefined, where)
    expect((await readKey(bench, 'pkcs11', before, where)).pin, `a PIN in ${where.namespace ?? 'the root'}`).toBe('redacted')
  }
  for (const pin of [bench.canary('pin'), '8642097531', '0000', ' spaced\tpin ', 'Redacted', 'redacted', 'x'.repeat(300)]) {
    await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), pin }, name)
    expect((await readKey(bench, 'pkcs11', name)).pin, `a PIN of ${pin.length} characters`).toBe('redacted')
  }
})

check(
  'managed-keys/namespaces-apart',
  'MANAGED-KEYS-NS-03',
  'a key of one namespace is none of another',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const namespace = administrativeOf(bench)
    for (const kind of readableOf(bench))
      for (const [own, other] of [
        [{}, { namespace }],
        [{ namespace }, {}],
      ]) {
        const name = await givenKey(bench, kind, undefined, undefined, own)
        const before = comparableKey(await readKey(bench, kind, name, own))
        expect(await stateOf(bench, kind, name, other), `the key of kind ${kind} in the other namespace`).toEqual({ status: 404 })
        await bench.call('managedKeys.delete', { ...other, path: { type: kind, name } })
        expect(comparableKey(await readKey(bench, kind, name, own)), 'the key after a deletion in the other namespace').toEqual(before)
      }
  },
)
