/** Who may do what with keys of each kind: the sweeps over all operations ask with a key of one kind. */
import { type Bench, type CallInput, check } from '../../../harness/checks/index.ts'
import {
  administrativeOf,
  fieldsOf,
  givenKey,
  goodBody,
  placesOf,
  type READABLE,
  readableOf,
  readKey,
  removeLater,
  stateOf,
  writeOf,
} from '../fixtures.ts'

type Kind = (typeof READABLE)[number]

/** Requests about one key, each of which a caller who may do so has granted, but for the test: its key is in no module. */
const attempts = (bench: Bench, type: Kind, name: string): [string, CallInput][] => [
  ['managedKeys.list', { path: { type } }],
  ['managedKeys.read', { path: { type, name } }],
  [writeOf(type), { path: { name }, body: { ...goodBody(bench, type), any_mount: 'true' } }],
  ['managedKeys.testSign', { path: { type, name }, body: {} }],
  ['managedKeys.delete', { path: { type, name } }],
]

const REFUSED = [403, 404]

check(
  'managed-keys/callers-without-token',
  'MANAGED-KEYS-CALLER-01',
  'nothing is done with a key of any kind for a caller without a good token',
  { kind: 'security' },
  async ({ bench, expect }) => {
    for (const kind of bench.few(readableOf(bench), 1)) {
      const name = await givenKey(bench, kind)
      const before = await readKey(bench, kind, name)
      for (const as of ['none', 'wrong'] as const)
        for (const [operation, input] of attempts(bench, kind, name)) {
          const answer = await bench.call(operation, { ...input, as })
          expect(answer, `${operation} of kind ${kind}, ${as === 'none' ? 'without a token' : 'with a wrong token'}`).toBeRefused()
          expect(answer.text, 'the answer').not.toContain(String(before.UUID))
        }
      expect(await readKey(bench, kind, name), `the key of kind ${kind}`).toEqual(before)
    }
  },
)

check(
  'managed-keys/callers-of-another',
  'MANAGED-KEYS-CALLER-02',
  'who may do all with one key may do nothing with another',
  { kind: 'security', needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const own = await givenKey(bench, kind)
      const grants: Parameters<Bench['identity']>[0] = [
        { operation: 'managedKeys.read', path: { type: kind, name: own }, capabilities: ['create', 'read', 'update', 'delete'] },
        { operation: 'managedKeys.testSign', path: { type: kind, name: own }, capabilities: ['create', 'update'] },
      ]
      const as = await bench.identity(grants)
      for (const other of readableOf(bench))
        for (const name of other === kind ? [bench.fresh('key'), `${own}-2`] : [bench.fresh('key')]) {
          await givenKey(bench, other, undefined, name)
          const before = await readKey(bench, other, name)
          for (const [operation, input] of attempts(bench, other, name)) {
            const answer = await bench.call(operation, { ...input, as })
            const what = `${operation} of kind ${other} for one who may do it with a key of kind ${kind}`
            expect(answer, what).toHaveStatus(...REFUSED)
            expect(answer.text, what).not.toContain(String(before.UUID))
          }
          expect(await readKey(bench, other, name), `the key of kind ${other}`).toEqual(before)
        }
      const [[, read], [write, written]] = attempts(bench, kind, own).slice(1, 3) as [[string, CallInput], [string, CallInput]]
      expect(await bench.call('managedKeys.read', { ...read, as }), `a read of the own key of kind ${kind}`).toSucceed()
      expect(await bench.call(write, { ...written, as }), `a write of the own key of kind ${kind}`).toSucceed()
    }
  },
)

/** All that is granted on one key and its listing, in the root or below the path of a namespace. */
const everything = (type: Kind, name: string, namespace = ''): Parameters<Bench['identity']>[0] => {
  const where = namespace === '' ? {} : { namespace }
  return [
    { operation: 'managedKeys.read', path: { type, name }, capabilities: ['create', 'read', 'update', 'delete'], ...where },
    { operation: 'managedKeys.testSign', path: { type, name }, capabilities: ['create', 'update'], ...where },
    { operation: 'managedKeys.list', path: { type }, capabilities: ['read', 'list'], ...where },
  ]
}

check(
  'managed-keys/callers-of-another-namespace',
  'MANAGED-KEYS-CALLER-02',
  'who may do all with a key of one namespace may do nothing with its namesake in the other',
  { kind: 'security', needs: { features: ['identities', 'namespaces'] } },
  async ({ bench, expect }) => {
    const administrative = administrativeOf(bench)
    for (const kind of bench.few(readableOf(bench), 1))
      for (const [granted, asked] of [
        ['', administrative],
        [administrative, ''],
      ] as const) {
        const [own, other] = [granted, asked].map((namespace) => (namespace === '' ? {} : { namespace }))
        const name = await givenKey(bench, kind, undefined, undefined, own)
        await givenKey(bench, kind, undefined, name, other)
        const before = await readKey(bench, kind, name, other)
        const as = await bench.identity(everything(kind, name, granted))
        for (const [operation, input] of attempts(bench, kind, name))
          for (const namespaceInPath of [0, 1]) {
            const answer = await bench.call(operation, { ...input, ...other, namespaceInPath, as })
            const what = `${operation} of kind ${kind} in ${asked || 'the root'} for one who may do it in ${granted || 'the root'}`
            expect(answer, what).toHaveStatus(...REFUSED)
            expect(answer.text, what).not.toContain(String(before.UUID))
          }
        expect(await readKey(bench, kind, name, other), `the key of kind ${kind} in ${asked || 'the root'}`).toEqual(before)
        // What was refused was refused for its place.
        await bench.given('managedKeys.read', { ...own, path: { type: kind, name }, as })
      }
  },
)

check(
  'managed-keys/callers-bound-alike',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-NAME-01', 'MANAGED-KEYS-USAGE-02', 'MANAGED-KEYS-SECRET-01'],
  'what holds for the root holds for a caller who has policies, too',
  { kind: 'security', needs: { features: ['identities', 'tuning', 'mounts'] } },
  async ({ bench, expect }) => {
    if (bench.lacks('pkcs11')) bench.observe('MANAGED-KEYS-SECRET-01', 'the target has no keys with a PIN')
    for (const [index, kind] of readableOf(bench).entries())
      for (const where of bench.few(placesOf(bench), 1)) {
        const other = readableOf(bench)[(index + 1) % readableOf(bench).length]!
        const name = await givenKey(bench, kind, undefined, undefined, where)
        removeLater(bench, other, name, where)
        const as = await bench.identity([...everything(kind, name, where.namespace), ...everything(other, name, where.namespace)])
        const alias = await bench.mount('kv1', { ...where, config: { allowedManagedKeys: [name] } })
        const [path, before] = [{ type: kind, name }, await readKey(bench, kind, name, where)]
        const what = `of kind ${kind} in ${where.namespace ?? 'the root'}, by a caller with policies`
        const refused = async (operation: string, input: CallInput, words: string): Promise<void> => {
          expect(await bench.call(operation, { ...where, ...input, as }), `${words} ${what}`).toBeRefused()
          expect(await stateOf(bench, kind, name, where), `the key after ${words} ${what}`).toEqual(before)
        }
        if (kind === 'pkcs11')
          await bench.decide('MANAGED-KEYS-SECRET-01', async () =>
            expect(fieldsOf(await bench.given('managedKeys.read', { ...where, path, as })).pin, `pin ${what}`).toBe('redacted'),
          )
        const body = goodBody(bench, kind)
        await bench.decide('MANAGED-KEYS-USAGE-02', () =>
          refused(
            writeOf(kind),
            { path: { name }, body: { ...body, any_mount: 'true', usages: 'sign,dance' } },
            'a write with an unknown use',
          ),
        )
        await bench.decide('MANAGED-KEYS-NAME-01', () =>
          refused(writeOf(other), { path: { name }, body: goodBody(bench, other) }, 'a write as another kind'),
        )
        await bench.decide('MANAGED-KEYS-DELETE-05', () =>
          refused('managedKeys.delete', { path }, 'a deletion while a mount lists the key'),
        )
        // What was refused was refused for these reasons: the caller may do each of it otherwise.
        await bench.given(writeOf(kind), { ...where, path: { name }, body: { ...body, usages: 'sign' }, as })
        await bench.tune(alias, { allowedManagedKeys: [] })
        const gone = await bench.call('managedKeys.delete', { ...where, path, as })
        await bench.decide('MANAGED-KEYS-DELETE-06', async () => {
          expect(gone, `a deletion once no mount lists the key ${what}`).toSucceed()
          expect(await stateOf(bench, kind, name, where), `the key ${what}`).toEqual({ status: 404 })
        })
        await bench.given(writeOf(other), { ...where, path: { name }, body: goodBody(bench, other), as })
        await bench.unmount(alias)
      }
  },
)
