/** What one caller changes is seen by another who has read the key before. */
import { type Bench, type Caller, check, type Expect, type JsonObject } from '../../harness/checks/index.ts'
import { meantBy, VERSION_1, VERSION_2, type Version } from './fixtures.ts'

/** Somebody who reads, and somebody else who changes what is read. */
interface Pair {
  reads: Caller
  changes: Caller
  path: string
}

const pairs = async (bench: Bench, version: Version, changing: readonly string[]): Promise<Pair[]> => {
  const directory = bench.fresh('dir')
  const path = { path: `${directory}/*` }
  const reader = await bench.identity([{ operation: version.read, path, capabilities: ['read'] }])
  const writer = await bench.identity(
    changing.map((operation) => ({ operation, path, capabilities: ['create' as const, 'update' as const, 'delete' as const] })),
  )
  return [
    { reads: reader, changes: 'root', path: `${directory}/${bench.mixedName('key')}` },
    { reads: 'root', changes: writer, path: `${directory}/${bench.mixedName('key')}` },
  ]
}

/** What somebody reads of a key who has read it before each change, now and as each of its versions. */
const following = (bench: Bench, expect: Expect, version: Version, { reads, path }: Pair) => {
  // Once a change is not seen nothing is left to wait for.
  let follows = true
  const read = async (query?: Record<string, string>) =>
    meantBy(version, await bench.call(version.read, { path: { path }, as: reads, ...(query === undefined ? {} : { query }) }))
  const sees = async (clause: string, because: string, condition: () => Promise<void>): Promise<void> => {
    if (!follows) return
    follows = false
    await bench.decide(clause, async () => {
      await bench.eventually(condition, { because })
      follows = true
    })
  }
  return {
    read,
    shown: (clause: string, value: JsonObject, after: string, query?: Record<string, string>) =>
      sees(clause, `a reader sees ${after} by somebody else`, async () =>
        expect(await read(query), `what is read after ${after}`).toContainEqual(value),
      ),
    gone: (clause: string, value: JsonObject, after: string, query?: Record<string, string>) =>
      sees(clause, `a reader sees ${after} by somebody else`, async () =>
        expect(await read(query), `what is read after ${after}`).not.toContainEqual(value),
      ),
  }
}

const [A, B, C, D, E]: JsonObject[] = ['a', 'b', 'c', 'd', 'e'].map((value) => ({ value }))

check(
  'kv/v1-changes-of-others',
  ['KV-V1-01', 'KV-V1-04'],
  'a caller who has read a key sees what others write there since, by either verb',
  { needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    for (const pair of await pairs(bench, VERSION_1, ['kv1.write', 'kv1.delete'])) {
      const { read, shown } = following(bench, expect, VERSION_1, pair)
      const request = { path: { path: pair.path }, as: pair.changes }
      await read()
      await bench.given('kv1.write', { ...request, body: A! })
      await shown('KV-V1-01', A!, 'the first write')
      for (const [method, value] of [
        ['PUT', B!],
        ['POST', C!],
      ] as const) {
        await bench.given('kv1.write', { ...request, body: value, method })
        await shown('KV-V1-04', value, `a write with ${method}`)
      }
      // What a deletion does is open: what is written after it is read.
      await bench.call('kv1.delete', request)
      await read()
      await bench.given('kv1.write', { ...request, body: D! })
      await shown('KV-V1-01', D!, 'a write after a deletion')
    }
  },
)

const CHANGING_2 = ['write', 'deleteVersions', 'undeleteVersions', 'destroyVersions', 'deleteLatest', 'deleteMetadata'].map(
  (name) => `kv2.${name}`,
)

check(
  'kv/v2-changes-of-others',
  ['KV-V2-02', 'KV-V2-06', 'KV-V2-08', 'KV-V2-09', 'KV-V2-10', 'KV-V2-14'],
  'a caller who has read a key sees what others write, delete, restore and destroy there since',
  { needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    for (const pair of await pairs(bench, VERSION_2, CHANGING_2)) {
      const { read, shown, gone } = following(bench, expect, VERSION_2, pair)
      const request = { path: { path: pair.path }, as: pair.changes }
      const write = (data: JsonObject, method = 'POST') => bench.given('kv2.write', { ...request, body: { data }, method })
      await read()
      await write(A!)
      await shown('KV-V2-02', A!, 'the first write')
      const { data } = await write(B!, 'PUT')
      await shown('KV-V2-06', B!, 'the second write')
      const versions = [typeof data.version === 'number' ? data.version : 2]
      const query = { version: String(versions[0]) }
      // Whether a version is read by its number is open; where it is, it comes and goes there, too.
      const isNumbered = JSON.stringify(await read(query)) === JSON.stringify([B])
      for (const [route, clause] of [
        ['delete', 'KV-V2-08'],
        ['undelete', 'KV-V2-09'],
        ['destroy', 'KV-V2-10'],
      ] as const) {
        await bench.given(`kv2.${route}Versions`, { ...request, body: { versions } })
        const expected = route === 'undelete' ? shown : gone
        await expected(clause, B!, route)
        if (isNumbered) await expected(clause, B!, route, query)
      }
      await write(C!)
      await shown('KV-V2-14', C!, 'a write after all that')
      // What these do is open: what is written after them is read.
      for (const [operation, value] of [
        ['kv2.deleteLatest', D!],
        ['kv2.deleteMetadata', E!],
      ] as const) {
        await bench.call(operation, request)
        await read()
        await write(value)
        await shown('KV-V2-14', value, `a write after ${operation}`)
      }
    }
  },
)
