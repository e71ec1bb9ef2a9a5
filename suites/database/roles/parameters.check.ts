/** Parameters of roles that are refused, and defaults: nothing here needs a database. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { unverified } from '../unverified.ts'

const roleBody = (connection: string): JsonObject => ({ db_name: connection, creation_statements: ['CREATE ROLE "{{name}}"'] })

const refusedRole = (behaviour: string, clause: string, title: string, bad: (good: JsonObject) => JsonObject): void =>
  check(`database/${behaviour}`, clause, title, async ({ bench }) => {
    const path = { name: bench.fresh('role') }
    const good = roleBody(await unverified(bench))
    await bench.refuses('database.writeRole', {
      bad: { path, body: bad(good) },
      control: { path, body: good },
      unchanged: { operation: 'database.readRole', input: { path } },
    })
  })

refusedRole('role-db-missing', 'DB-ROLE-10', 'no role without a connection', ({ db_name: _name, ...rest }) => rest)
refusedRole('role-db-object', 'DB-ROLE-13', 'an object is no connection name', (good) => ({ ...good, db_name: { a: {} } }))
refusedRole('role-db-unknown-write', 'DB-ROLE-12', 'a role of an unknown connection is refused', (good) => ({
  ...good,
  db_name: 'no-such-connection',
}))
refusedRole('default-ttl-object', 'DB-TTL-05', 'an object is no duration', (good) => ({ ...good, default_ttl: { a: {} } }))
refusedRole('max-ttl-object', 'DB-TTL-11', 'an object is no duration', (good) => ({ ...good, max_ttl: { a: {} } }))
refusedRole(
  'creation-missing-write',
  'DB-STMT-03',
  'no role without creation statements',
  ({ creation_statements: _none, ...rest }) => rest,
)
refusedRole('creation-object', 'DB-STMT-05', 'objects are no statements', (good) => ({ ...good, creation_statements: [{ a: {} }] }))
refusedRole('revocation-object', 'DB-STMT-09', 'objects are no statements', (good) => ({ ...good, revocation_statements: [{ a: {} }] }))
refusedRole('rollback-object', 'DB-STMT-12', 'objects are no statements', (good) => ({ ...good, rollback_statements: [{ a: {} }] }))
refusedRole('renewal-object', 'DB-STMT-15', 'objects are no statements', (good) => ({ ...good, renew_statements: [{ a: {} }] }))

check(
  'database/role-defaults',
  ['DB-ROLE-01', 'DB-ROLE-03', 'DB-ROLE-09', 'DB-TTL-01', 'DB-TTL-06', 'DB-STMT-04', 'DB-STMT-07', 'DB-STMT-11', 'DB-STMT-14'],
  'a role with nothing but what is required reads back with the defaults',
  async ({ bench, expect }) => {
    const connection = await unverified(bench)
    const path = { name: bench.fresh('role') }
    const written = await bench.call('database.writeRole', { path, body: roleBody(connection) })
    const answer = await bench.call('database.readRole', { path })
    await bench.decide('DB-ROLE-01', () => {
      expect(written).toSucceed()
      expect(answer).toSucceed()
    })
    await bench.decide('DB-ROLE-03', () => expect(answer).toHaveStatus(200))
    const { data } = answer
    await bench.decide('DB-ROLE-09', () => expect(data.db_name).toBe(connection))
    await bench.decide('DB-TTL-01', () => expect(data.default_ttl).toBe(0))
    await bench.decide('DB-TTL-06', () => expect(data.max_ttl).toBe(0))
    await bench.decide('DB-STMT-04', () => expect(data.creation_statements).toEqual(['CREATE ROLE "{{name}}"']))
    await bench.decide('DB-STMT-07', () => expect(data.revocation_statements).toEqual([]))
    await bench.decide('DB-STMT-11', () => expect(data.rollback_statements).toEqual([]))
    await bench.decide('DB-STMT-14', () => expect(data.renew_statements).toEqual([]))
  },
)

check(
  'database/role-round-trip',
  ['DB-ROLE-02', 'DB-TTL-04', 'DB-TTL-10', 'DB-STMT-16'],
  'what is written to a role again is read back',
  async ({ bench, expect }) => {
    const connection = await unverified(bench)
    const path = { name: bench.fresh('role') }
    await bench.given('database.writeRole', { path, body: { ...roleBody(connection), default_ttl: 60, max_ttl: 120 } })
    const statements = (what: string): string[] => [`${what} ONE, TWO ON a,b`, `${what} THREE "{{name}}", 'Four$$'`]
    const body = {
      ...roleBody(connection),
      default_ttl: '90m',
      max_ttl: '3h',
      revocation_statements: statements('REVOKE'),
      rollback_statements: statements('ROLLBACK'),
      renew_statements: statements('RENEW'),
    }
    const written = await bench.call('database.writeRole', { path, body })
    const { data } = await bench.given('database.readRole', { path })
    await bench.decide('DB-ROLE-02', () => {
      expect(written).toSucceed()
      expect(data.default_ttl).not.toBe(60)
    })
    await bench.decide('DB-TTL-04', () => expect(data.default_ttl).toBe(5400))
    await bench.decide('DB-TTL-10', () => expect(data.max_ttl).toBe(10_800))
    await bench.decide('DB-STMT-16', () =>
      expect([data.revocation_statements, data.rollback_statements, data.renew_statements]).toEqual([
        body.revocation_statements,
        body.rollback_statements,
        body.renew_statements,
      ]),
    )
  },
)

check('database/roles-listed', 'DB-ROLE-05', 'the listing holds the names of the roles', async ({ bench, expect }) => {
  const connection = await unverified(bench)
  const names = [bench.fresh('role'), bench.fresh('role')]
  for (const name of names) await bench.given('database.writeRole', { path: { name }, body: roleBody(connection) })
  const { data } = await bench.given('database.listRoles')
  expect(data.keys).toEqual(expect.arrayContaining(names))
})
