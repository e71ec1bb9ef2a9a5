import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import {
  accepts,
  administrativeOf,
  anyKind,
  comparableKey,
  fieldsOf,
  givenKey,
  goodBody,
  KINDS,
  type Kind,
  kindsOf,
  moduleBody,
  namesOf,
  type READABLE,
  readableOf,
  readKey,
  removeLater,
  rowOf,
  stateOf,
  writeOf,
} from '../fixtures.ts'

const CREATED = ['MANAGED-KEYS-WRITE-01', 'MANAGED-KEYS-WRITE-02', 'MANAGED-KEYS-WRITE-03', 'MANAGED-KEYS-WRITE-04']

for (const [index, kind] of KINDS.entries())
  check(`managed-keys/${kind}-created`, CREATED[index]!, `a key of kind ${kind} can be created`, async ({ bench, expect }) => {
    if (kind === 'pkcs11' && bench.lacks(kind)) {
      const tried = bench.fresh('key')
      removeLater(bench, kind, tried)
      const body = moduleBody(bench, bench.setting<string>('managedKeys.library') ?? 'library')
      bench.needing(kind, await bench.call(writeOf(kind), { path: { name: tried }, body }))
    }
    const name = await accepts({ bench, expect }, kind, goodBody(bench, kind), kind)
    if (kind !== 'cloudckms') expect((await readKey(bench, kind, name)).name, 'the key that is there').toBe(name)
    const stated = bench.fresh('key')
    removeLater(bench, kind, stated)
    const body = { ...goodBody(bench, kind), name: stated, type: kind }
    expect(await bench.call(writeOf(kind), { path: { name: stated }, body }), `${kind}, with name and type in the body, too`).toSucceed()
  })

/** A parameter of each kind that a read shows, and another value of it. */
const CHANGES: Record<(typeof READABLE)[number], JsonObject> = {
  pkcs11: { key_label: 'other', mechanism: '0x1041', force_rw_session: 'true', any_mount: 'true' },
  cloudakms: { any_mount: 'true', allow_store_key: 'true' },
  cloudbkeyvault: { any_mount: 'true', allow_replace_key: 'true' },
}

check(
  'managed-keys/update',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-WRITE-06', 'MANAGED-KEYS-WRITE-07'],
  'a second write updates one key',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const name = bench.fresh('key')
      const neighbours = [`${name}-2`, bench.fresh('key')]
      for (const one of [name, ...neighbours]) await givenKey(bench, kind, undefined, one)
      const before = await readKey(bench, kind, name)
      const beside = await Promise.all(neighbours.map((one) => readKey(bench, kind, one)))
      const written = await bench.call(writeOf(kind), { path: { name }, body: { ...goodBody(bench, kind), ...CHANGES[kind] } })
      const after = comparableKey(await readKey(bench, kind, name))
      await bench.decide('MANAGED-KEYS-WRITE-05', () => {
        expect(written, kind).toSucceed()
        for (const [field, value] of Object.entries(CHANGES[kind]))
          expect(after[field], `${field} after the update of kind ${kind}`).toBe(field === 'mechanism' ? Number(value) : value)
      })
      await bench.decide('MANAGED-KEYS-WRITE-06', async () => {
        for (const [index, one] of neighbours.entries()) expect(await readKey(bench, kind, one), 'a neighbour').toEqual(beside[index])
      })
      await bench.decide('MANAGED-KEYS-WRITE-07', () => expect(after.UUID, `UUID of kind ${kind}`).toBe(before.UUID))
    }
    // No row reads a key of this kind; what becomes of its values is seen where it signs.
    const unread = await givenKey(bench, 'cloudckms')
    await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
      const again = await bench.call(writeOf('cloudckms'), { path: { name: unread }, body: goodBody(bench, 'cloudckms') })
      expect(again, 'cloudckms').toSucceed()
    })
  },
)

check(
  'managed-keys/administrative',
  'MANAGED-KEYS-NS-01',
  'keys are administered in the administrative namespace',
  async ({ bench, expect }) => {
    const namespace = administrativeOf(bench)
    for (const kind of bench.few(kindsOf(bench), 2))
      for (const namespaceInPath of [0, 1]) {
        const name = bench.fresh('key')
        removeLater(bench, kind, name, { namespace })
        const [good, there] = [goodBody(bench, kind), { namespace, namespaceInPath }]
        const what = `of kind ${kind}, the namespace being in the ${namespaceInPath === 0 ? 'header' : 'path'}`
        expect(await bench.call(writeOf(kind), { path: { name }, body: good, ...there }), `a key ${what}`).toSucceed()
        if (kind === 'cloudckms') continue
        const path = { type: kind, name }
        const read = await bench.call('managedKeys.read', { path, ...there })
        expect(read, `a read ${what}`).toSucceed()
        const inner = fieldsOf(read)
        expect(inner.name).toBe(name)
        const outer = await readKey(bench, kind, await givenKey(bench, kind, good, name))
        expect(rowOf(inner), `what a read ${what}, shows beside one in the root`).toEqual(rowOf(outer))
        const body = { ...goodBody(bench, kind), any_mount: 'true' }
        expect(await bench.call(writeOf(kind), { path: { name }, body, ...there }), `an update ${what}`).toSucceed()
        expect(String((await readKey(bench, kind, name, { namespace })).any_mount), `any_mount, updated, ${what}`).toBe('true')
        const listed = await bench.call('managedKeys.list', { path: { type: kind }, ...there })
        expect(listed).toHaveStatus(200)
        expect(namesOf(listed), `the listing ${what}`).toContain(name)
        expect(await bench.call('managedKeys.delete', { path, ...there }), `a deletion ${what}`).toSucceed()
        expect(await stateOf(bench, kind, name, { namespace })).toEqual({ status: 404 })
      }
  },
)

const attemptsOn = (bench: Bench, paths: Record<string, string>[]): [string, object][] => [
  ...paths.flatMap((path): [string, object][] => [
    ['managedKeys.list', { path: { type: path.type } }],
    ['managedKeys.read', { path }],
    ['managedKeys.testSign', { path, body: {} }],
    ['managedKeys.delete', { path }],
  ]),
  ...kindsOf(bench).map((kind: Kind): [string, object] => [
    writeOf(kind),
    { path: { name: bench.fresh('key') }, body: goodBody(bench, kind) },
  ]),
]

/** Asserts that every operation is refused in a namespace, however it is named. */
const refusedIn = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  namespace: string,
  paths: Record<string, string>[],
): Promise<void> => {
  for (const [operation, input] of attemptsOn(bench, paths))
    for (const [place, namespaceInPath] of [
      ['header', 0],
      ['path', namespace.split('/').length - 1],
    ] as const) {
      const answer = await bench.call(operation, { ...input, namespace, namespaceInPath })
      expect(answer, `${operation} in another namespace, named in the ${place}`).toBeRefused()
    }
}

check(
  'managed-keys/other-namespaces',
  'MANAGED-KEYS-NS-02',
  'keys are administered nowhere else',
  { kind: 'security', needs: { features: ['namespaces'] } },
  async ({ bench, expect }) => {
    const first = await bench.namespace()
    const below = await bench.namespace(first)
    for (const namespace of [first, below]) {
      const paths: { type: (typeof READABLE)[number]; name: string }[] = []
      for (const type of readableOf(bench)) paths.push({ type, name: await givenKey(bench, type) })
      const seen = () => Promise.all(paths.map(({ type, name }) => readKey(bench, type, name)))
      const before = await seen()
      await refusedIn({ bench, expect }, namespace, paths)
      expect(await seen(), 'the keys of the root').toEqual(before)
      const path = paths[0]!
      await bench.refuses('managedKeys.read', {
        bad: { path, namespace },
        control: { path },
        unchanged: null,
        because: 'a read changes nothing',
      })
    }
  },
)

/** Asserts that a key of the administrative namespace is out of reach in others, and that none is made there. */
const refusedBeside = async (context: Pick<CheckContext, 'bench' | 'expect'>, namespaces: string[]): Promise<void> => {
  const { bench, expect } = context
  const administrative = { namespace: administrativeOf(bench) }
  const kind = anyKind(bench)
  for (const namespace of namespaces) {
    const name = await givenKey(bench, kind, undefined, undefined, administrative)
    const before = await readKey(bench, kind, name, administrative)
    await refusedIn(context, namespace, [{ type: kind, name }])
    expect(await readKey(bench, kind, name, administrative), 'the key of the administrative namespace').toEqual(before)
  }
}

check(
  'managed-keys/below-administrative',
  'MANAGED-KEYS-NS-02',
  'keys are administered in no namespace below the administrative one',
  { kind: 'security', needs: { features: ['namespaces'] } },
  async (context) => {
    const first = await context.bench.namespace(administrativeOf(context.bench))
    await refusedBeside(context, [first, await context.bench.namespace(first)])
  },
)

check(
  'managed-keys/beside-administrative',
  'MANAGED-KEYS-NS-02',
  'keys are administered in no namespace that is called as the administrative one is, elsewhere, or nearly so',
  { kind: 'security', needs: { features: ['namespaces'] } },
  async (context) => {
    const { bench } = context
    const segments = administrativeOf(bench)
      .split('/')
      .filter((segment) => segment !== '')
    const own = segments.pop()!
    const parent = segments.map((segment) => `${segment}/`).join('')
    const elsewhere = [await bench.namespace(administrativeOf(bench)), await bench.namespace(parent)]
    await refusedBeside(context, [
      await bench.namespace(elsewhere[0], own),
      await bench.namespace(elsewhere[1], own),
      await bench.namespace(parent, `${own}-${bench.fresh('ns')}`),
      await bench.namespace(parent, `${bench.fresh('ns')}-${own}`),
    ])
  },
)
