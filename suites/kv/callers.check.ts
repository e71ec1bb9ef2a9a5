import { check, type JsonObject } from '../../harness/checks/index.ts'
import { meantBy, store, VERSION_1, VERSION_2 } from './fixtures.ts'

const ONE = { value: 'first' }
const SEVERAL = { value: 'first', other: 1, third: null }

/** What is there, and by which verb the caller who may create made it, where it was not root. */
const MADE: [kind: string, object: JsonObject, method?: 'POST' | 'PUT'][] = [
  ['one member', ONE],
  ['several members', SEVERAL],
  ['its own, made by POST', ONE, 'POST'],
  ['its own, made by PUT', SEVERAL, 'PUT'],
]

for (const [name, version] of Object.entries({ v1: VERSION_1, v2: VERSION_2 })) {
  check(
    `kv/${name}-create-or-update`,
    ['CORE-CAP-07', 'CORE-CAP-10'],
    'an object of one member exists as one of several does: replacing it takes update, not create, for any author',
    { needs: { features: ['identities'] } },
    async ({ bench, expect }) => {
      for (const [kind, object, made] of MADE) {
        const path = { path: bench.mixedName('key') }
        const creator = await bench.identity([{ operation: version.write, path, capabilities: ['create'] }])
        const updater = await bench.identity([{ operation: version.write, path, capabilities: ['update'] }])
        // A server may take every write for an update: then the creator makes nothing.
        const isMade =
          made !== undefined && (await bench.call(version.write, { path, body: version.body(object), as: creator, method: made })).ok
        if (!isMade) await store(bench, version, path.path, object)
        const replaced = { value: 'second' }
        await bench.decide('CORE-CAP-07', async () => {
          for (const method of ['POST', 'PUT'])
            for (const body of version.changes(replaced))
              expect(
                await bench.call(version.write, { path, body, as: creator, method }),
                `${kind}, by ${method} of ${JSON.stringify(body)}`,
              ).toBeRefused()
          expect(meantBy(version, await bench.call(version.read, { path })), `${kind}, after the refusal`).toContainEqual(object)
        })
        await bench.decide('CORE-CAP-10', async () => {
          expect(await bench.call(version.write, { path, body: version.body(replaced), as: updater }), kind).toSucceed()
          expect(meantBy(version, await bench.call(version.read, { path })), kind).toContainEqual(replaced)
        })
      }
    },
  )
}

for (const [name, version] of Object.entries({ v1: VERSION_1, v2: VERSION_2 }))
  check(
    `kv/${name}-create-beside-others`,
    'CORE-CAP-08',
    'a caller with create alone writes a new key, whatever is there beside, above and below it',
    { needs: { features: ['identities'] } },
    async ({ bench, expect }) => {
      const directory = bench.fresh('dir')
      for (const key of [`${directory}/beside`, `${directory}/deep/er`]) await store(bench, version, key, { value: 'old' })
      for (const key of [`${directory}/key`, `${directory}/beside-more`, `${directory}/beside/below`, `${directory}/deep`, directory]) {
        const path = { path: key }
        const creator = await bench.identity([{ operation: version.write, path, capabilities: ['create'] }])
        expect(await bench.call(version.write, { path, body: version.body({ value: 'new' }), as: creator }), key).toSucceed()
        expect(meantBy(version, await bench.call(version.read, { path })), key).toContainEqual({ value: 'new' })
      }
    },
  )

/** Seconds that the token of a writer lives. */
const SHORT = 3

for (const [name, version] of Object.entries({ v1: VERSION_1, v2: VERSION_2 }))
  check(
    `kv/${name}-outlives-writer`,
    name === 'v1' ? 'KV-V1-02' : 'KV-V2-01',
    'an object stays once the token that wrote it has ended',
    { needs: { features: ['identities'] }, waits: true },
    async ({ bench, expect }) => {
      const path = { path: bench.mixedName('key') }
      const grant = { operation: version.write, path, capabilities: ['create' as const, 'update' as const] }
      const written = { path, body: version.body({ value: 'stays' }) }
      for (const ttl of [SHORT, 3600]) {
        const writer = await bench.identity([grant], { ttl })
        const until = performance.now() + SHORT * 1000 + bench.grace
        const answer = await bench.call(version.write, { ...written, as: writer })
        // On a machine too slow for the short life nothing was written, and nothing shown.
        if (!answer.ok && ttl === SHORT) continue
        expect(answer, 'a write by somebody who may').toSucceed()
        if (ttl === SHORT)
          await bench.eventually(async () => performance.now() > until, { within: 2 * SHORT * 1000 + bench.grace, every: 500 })
        else await bench.endToken(writer)
        const read = await bench.call(version.read, { path })
        expect(meantBy(version, read), 'the object once its writer has ended').toContainEqual({ value: 'stays' })
      }
    },
  )

check(
  'kv/v2-version-by-stranger',
  'CORE-CAP-01',
  'a caller who may do nothing on a key is shown no version of it, asked for by its number or not',
  { kind: 'security', needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    const path = { path: bench.mixedName('key') }
    const values = [bench.canary('first'), bench.canary('second')]
    for (const value of values) await store(bench, VERSION_2, path.path, { value })
    const beside = { path: `${path.path}-beside` }
    const as = await bench.identity([
      { operation: VERSION_2.read, path: beside, capabilities: ['create', 'read', 'update', 'delete', 'list'] },
    ])
    for (const carrier of ['token', 'bearer'] as const)
      for (const version of [undefined, '0', '1', '2']) {
        const query = version === undefined ? {} : { query: { version } }
        const answer = await bench.call(VERSION_2.read, { path, as, carrier, ...query })
        expect(answer, `a read of version ${version ?? 'now'} with the ${carrier} header`).toHaveStatus(403, 404)
        for (const value of values) expect(answer.text).not.toContain(value)
      }
  },
)
