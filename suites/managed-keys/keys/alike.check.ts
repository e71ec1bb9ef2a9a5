/** Keys whose names are alike, and names that have to be escaped in a path. */
import { type Bench, check, collection, type JsonObject } from '../../../harness/checks/index.ts'
import { fieldsOf, goodBody, namesOf, READABLE, readableOf, readKey, removeLater, writeOf } from '../fixtures.ts'

/** Parameters that a read of the kind shows, each time others. */
const different = (bench: Bench, kind: (typeof READABLE)[number]): JsonObject[] => {
  const good = { ...goodBody(bench, kind), key_bits: kind === 'pkcs11' ? 2048 : '2048' }
  const flags: JsonObject[] = [
    { any_mount: 'true', allow_store_key: 'true' },
    { allow_replace_key: 'true', any_mount: 'false' },
    {},
    { allow_store_key: 'true', allow_replace_key: 'true' },
    { any_mount: 'true' },
  ]
  const labels: JsonObject[] = [{ key_label: 'first' }, { key_label: 'Second' }, {}, { token_label: 'other' }, { mechanism: '0x1041' }]
  return flags.map((flag, index) => ({ ...good, ...flag, ...(kind === 'pkcs11' ? labels[index] : {}) }))
}

for (const kind of READABLE)
  collection(`managed-keys/alike/${kind}`, `keys of kind ${kind} whose names are alike are kept apart`, {
    clauses: { read: 'MANAGED-KEYS-WRITE-06', listed: 'MANAGED-KEYS-LIST-01', deleted: 'MANAGED-KEYS-DELETE-01' },
    operations: { write: writeOf(kind), read: 'managedKeys.read', remove: 'managedKeys.delete', list: 'managedKeys.list' },
    at: { type: kind },
    lowerCase: true,
    changing: ['UUID', 'name'],
    fieldsOf: (answer) =>
      Array.isArray(answer.data.keys) || answer.operation === 'managedKeys.list' ? { keys: namesOf(answer) } : fieldsOf(answer),
    more: kind === 'pkcs11' ? 110 : 35,
    bodies: async (bench) => different(bench, kind),
  })

/** Ends of names, each of which a URL spells otherwise. */
const ESCAPED = [' and more', '+plus', '@at', ':colon', '%41', 'é']

check(
  'managed-keys/escaped',
  'MANAGED-KEYS-LIST-01',
  'names that a path has to escape are listed as they are',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench)) {
      const names: string[] = []
      for (const name of ['', ...ESCAPED].map((end) => `${bench.fresh('key')}${end}`)) {
        removeLater(bench, kind, name)
        // Which letters a name may have is not said.
        if ((await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind) })).ok) names.push(name)
      }
      const listed = namesOf(await bench.given('managedKeys.list', { path: { type: kind } }))
      expect(names, `names of kind ${kind} that were accepted`).not.toEqual([])
      expect(
        names.filter((name) => !listed.includes(name)),
        `names of kind ${kind} that are not listed`,
      ).toEqual([])
      for (const name of names) expect((await readKey(bench, kind, name)).name, `a read of ${JSON.stringify(name)}`).toBe(name)
    }
  },
)
