/** What a caller did before gives it no right to more: what it read, made, wrote, deleted or restored is its own no more than anybody's. */
import { type Bench, type CallInput, check, type Identity } from '../../harness/checks/index.ts'
import { meantBy, onVersions, store, VERSION_1, VERSION_2, type Version } from './fixtures.ts'

/** Keys: one that is read, one of which the only version is deleted, where there are versions, and one beside them. */
interface Keys {
  shown: string
  older: number
  newest: number
  hidden: string
  deleted: number
  /** In the directory of the first, and of nobody here. */
  beside: string
}

/** What nobody may do here, by the clause that says so. */
interface Asked {
  operation: string
  /** True where it is asked beside the keys that are a caller's own, of one who has a right to it there. */
  beside?: boolean
  clause: 'CORE-CAP-01' | 'CORE-CAP-04' | 'CORE-CAP-14' | 'CORE-CAP-18'
  input(keys: Keys): CallInput
}

/** A caller with a right to a few of the operations, and what it does with it. */
interface Kind {
  operations: string[]
  capabilities: ('create' | 'read' | 'update' | 'list')[]
  uses?(bench: Bench, as: Identity, keys: Keys): Promise<unknown>
  /** By operation on the keys that are its own, other clauses, where it has a right to the path; null for what is not judged. */
  clauses: Record<string, string | null>
}

const OTHER = { value: 'other' }
const at = (path: string, body?: CallInput['body']): CallInput => ({ path: { path }, ...(body === undefined ? {} : { body }) })

const besideOwn = (operation: string, body?: CallInput['body']): Asked => ({
  operation,
  clause: 'CORE-CAP-14',
  input: ({ beside }) => at(beside, body),
  beside: true,
})

const asking = (version: Version, remove: string): Asked[] => [
  { operation: version.read, clause: 'CORE-CAP-01', input: ({ shown }) => at(shown) },
  { operation: version.write, clause: 'CORE-CAP-04', input: ({ shown }) => at(shown, version.body(OTHER)) },
  { operation: version.write, clause: 'CORE-CAP-04', input: ({ shown }) => ({ ...at(shown, version.body(OTHER)), method: 'PUT' }) },
  { operation: remove, clause: 'CORE-CAP-18', input: ({ shown }) => at(shown) },
  besideOwn(version.read),
  besideOwn(version.write, version.body(OTHER)),
]

const ASKED_1 = asking(VERSION_1, 'kv1.delete')
const ASKED_2: Asked[] = [
  ...asking(VERSION_2, 'kv2.deleteLatest'),
  { operation: 'kv2.readMetadata', clause: 'CORE-CAP-01', input: ({ shown }) => at(shown) },
  { operation: 'kv2.writeMetadata', clause: 'CORE-CAP-04', input: ({ shown }) => at(shown, { max_versions: 1 }) },
  { operation: 'kv2.deleteVersions', clause: 'CORE-CAP-04', input: ({ shown, newest }) => at(shown, { versions: [newest] }) },
  { operation: 'kv2.undeleteVersions', clause: 'CORE-CAP-04', input: ({ hidden, deleted }) => at(hidden, { versions: [deleted] }) },
  { operation: 'kv2.destroyVersions', clause: 'CORE-CAP-04', input: ({ shown, newest }) => at(shown, { versions: [newest] }) },
  { operation: 'kv2.deleteMetadata', clause: 'CORE-CAP-18', input: ({ shown }) => at(shown) },
  ...['kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions'].map((route) => besideOwn(route, { versions: [1] })),
]

/** Callers of the object itself. Whether they may delete it, too, is advised only, and what no capability of theirs says is left out. */
const callers = (version: Version, remove: string): Record<string, Kind> => ({
  'who may create': {
    operations: [version.write],
    capabilities: ['create'],
    clauses: { [version.write]: 'CORE-CAP-07', [version.read]: 'CORE-CAP-05', [remove]: null },
  },
  'who may create and update': {
    operations: [version.write],
    capabilities: ['create', 'update'],
    clauses: { [version.write]: null, [version.read]: 'CORE-CAP-05', [remove]: null },
  },
})

const reader = (operations: string[], removals: string[]): Kind => ({
  operations,
  capabilities: ['read', 'list'],
  async uses(bench, as, { shown, hidden }) {
    for (const operation of operations) for (const path of [shown, hidden]) await bench.call(operation, { ...at(path), as })
  },
  clauses: Object.fromEntries([
    ...operations.map((operation) => [operation, null]),
    ...removals.map((removal) => [removal, 'CORE-CAP-21']),
  ]),
})

/** A caller of one of the routes of versions, who has a right to no other path. */
const ofRoute = (operation: string, uses: Kind['uses']): Kind => ({
  operations: [operation],
  capabilities: ['create', 'update'],
  uses,
  clauses: { [operation]: null },
})

const onOlder = (operation: string): Kind =>
  ofRoute(operation, (bench, as, { shown, older }) => bench.given(operation, { ...at(shown, { versions: [older] }), as }))

const KINDS_1 = { 'who may read': reader(['kv1.read'], ['kv1.delete']), ...callers(VERSION_1, 'kv1.delete') }
const KINDS_2: Record<string, Kind> = {
  'who may read': reader(['kv2.read', 'kv2.readMetadata'], ['kv2.deleteLatest', 'kv2.deleteMetadata']),
  ...callers(VERSION_2, 'kv2.deleteLatest'),
  'who may delete versions': onOlder('kv2.deleteVersions'),
  'who may destroy versions': onOlder('kv2.destroyVersions'),
  'who may undelete versions': ofRoute('kv2.undeleteVersions', async (bench, as, { hidden, deleted }) => {
    await bench.given('kv2.undeleteVersions', { ...at(hidden, { versions: [deleted] }), as })
    await onVersions(bench, 'delete', hidden, [deleted])
  }),
}

/** Makes keys, by the caller itself as far as it may. */
const made = async (bench: Bench, version: Version, as: Identity, directory: string, [shown, hidden]: [string, string]): Promise<Keys> => {
  const write = async (path: string, value: string, expected: number): Promise<number> => {
    const request = at(path, version.body({ value }))
    const answer = await bench.call(version.write, { ...request, as })
    const { data } = answer.ok ? answer : await bench.given(version.write, request)
    return typeof data.version === 'number' ? data.version : expected
  }
  const keys = {
    shown,
    older: await write(shown, 'older', 1),
    newest: await write(shown, 'newest', 2),
    hidden,
    deleted: await write(hidden, 'hidden', 1),
    beside: `${directory}/${bench.mixedName('beside')}`,
  }
  await store(bench, version, keys.beside, { value: 'beside' })
  if (version === VERSION_2) await onVersions(bench, 'delete', hidden, [keys.deleted])
  return keys
}

for (const [name, version, asked, kinds] of [
  ['v1', VERSION_1, ASKED_1, KINDS_1],
  ['v2', VERSION_2, ASKED_2, KINDS_2],
] as const)
  for (const [who, kind] of Object.entries<Kind>(kinds)) {
    const judged = asked.flatMap(({ operation, clause, input, beside }) => {
      if (beside) return kind.operations.includes(operation) ? [{ operation, clause, input }] : []
      const own = kind.clauses[operation]
      return own === null ? [] : [{ operation, clause: own ?? clause, input }]
    })
    check(
      `kv/${name}-used-rights-${who.replace('who may ', '').replaceAll(' ', '-')}`,
      [...new Set([...judged.map(({ clause }) => clause), 'CORE-CAP-04'])],
      `a caller ${who} may do no more once it has`,
      { kind: 'security', needs: { features: ['identities'] } },
      async ({ bench, expect }) => {
        const directory = bench.fresh('dir')
        const paths: [string, string] = [`${directory}/${bench.mixedName('shown')}`, `${directory}/${bench.mixedName('hidden')}`]
        const { operations, capabilities } = kind
        const as = await bench.identity(
          operations.flatMap((operation) => paths.map((path) => ({ operation, path: { path }, capabilities: [...capabilities] }))),
        )
        const keys = await made(bench, version, as, directory, paths)
        await kind.uses?.(bench, as, keys)
        for (const { operation, clause, input } of judged) {
          const answer = await bench.call(operation, { ...input(keys), as })
          await bench.decide(clause, () => expect(answer, `${operation} by a caller ${who}, who has`).toBeRefused())
        }
        const shownIn = async (path: string) => meantBy(version, await bench.call(version.read, { path: { path } }))
        await bench.decide('CORE-CAP-04', async () => {
          expect(await shownIn(keys.shown), 'the object, after all that was refused').toContainEqual({ value: 'newest' })
          expect(await shownIn(keys.beside), 'the object beside it, after all that was refused').toContainEqual({ value: 'beside' })
          if (version === VERSION_2)
            expect(await shownIn(keys.hidden), 'the deleted object, after all that was refused').not.toContainEqual({ value: 'hidden' })
        })
      },
    )
  }
