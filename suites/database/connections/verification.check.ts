import { type Bench, check, isBackendFailure, type JsonObject } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

/** The connection of a place under another name and with a password that the database does not know. */
const wrongPassword = (bench: Bench, place: Place, verify: JsonObject): { path: { name: string }; body: JsonObject } => {
  const path = { name: bench.mixedName('wrong') }
  bench.defer(() => bench.call('database.deleteConnection', { path }))
  return { path, body: { ...place.body, password: bench.canary('wrong'), ...verify } }
}

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  for (const [name, clause, verify] of [
    ['verify-default', 'DATABASE-VERIFY-01', {}],
    ['verify-true', 'DATABASE-VERIFY-02', { verify_connection: true }],
  ] as const)
    check(
      id(name),
      [clause, 'DATABASE-VERIFY-04', 'DATABASE-SECRET-02', 'DATABASE-SECRET-04'],
      'a connection that cannot log in is refused and not stored',
      needs(kind),
      async ({ bench, expect }) => {
        const place = await placeFor(bench, kind)
        const { path, body } = wrongPassword(bench, place, verify)
        const answer = await bench.call('database.writeConnection', { path, body })
        await bench.decide(clause, () =>
          expect(isBackendFailure(answer.status), `refused: 4xx, 500 or 502; it was ${answer.status}`).toBe(true),
        )
        const read = await bench.call('database.readConnection', { path })
        await bench.decide('DATABASE-VERIFY-04', () => expect(read).toHaveStatus(404))
        const listed = await bench.call('database.listConnections')
        await bench.decide('DATABASE-SECRET-02', () => expect(listed.text).not.toContain(place.sql.admin.password))
        await bench.decide('DATABASE-SECRET-04', () => expect(answer.text).not.toContain(String(body.password)))
      },
    )

  check(
    id('verify-keeps'),
    'DATABASE-VERIFY-04',
    'a connection that works is kept when its replacement cannot log in',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      const path = { name: place.connection }
      const before = (await bench.given('database.readConnection', { path })).data.allowed_roles
      const body = { ...place.body, password: bench.canary('wrong'), allowed_roles: [bench.fresh('other')] }
      const answer = await bench.call('database.writeConnection', { path, body })
      expect(isBackendFailure(answer.status), `refused: 4xx, 500 or 502; it was ${answer.status}`).toBe(true)
      const kept = await bench.call('database.readConnection', { path })
      expect(kept, 'the connection after a refused change').toSucceed()
      expect(kept.data.allowed_roles, 'the roles that it allows').toEqual(before)
      // The refused change may have closed the pool: the server may need a moment to open it again.
      await bench.eventually(async () => expect((await place.ask(role)).answer).toSucceed(), {
        because: 'the connection that worked gives credentials',
      })
    },
  )

  check(
    id('verify-false'),
    'DATABASE-VERIFY-03',
    'without verification a connection is stored as it is',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { path, body } = wrongPassword(bench, place, { verify_connection: false })
      expect(await bench.call('database.writeConnection', { path, body })).toSucceed()
      expect(await bench.call('database.readConnection', { path })).toHaveStatus(200)
    },
  )

  check(
    id('verify-object'),
    'DATABASE-VERIFY-05',
    'an object is not a boolean, though the connection would work whichever it were read as',
    needs(kind),
    async ({ bench }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.mixedName('connection') }
      place.keepConnection(path.name)
      for (const verify_connection of [{ a: {} }, { value: true }, {}] as JsonObject[])
        await bench.refuses('database.writeConnection', {
          bad: { path, body: { ...place.body, verify_connection } },
          control: { path, body: { ...place.body, verify_connection: true } },
          unchanged: { operation: 'database.readConnection', input: { path } },
        })
    },
  )
}
