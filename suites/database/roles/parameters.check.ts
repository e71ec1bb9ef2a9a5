/** Parameters of roles that are refused, and defaults: nothing here needs a database. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { unverified } from '../unverified.ts'

const roleBody = (connection: string): JsonObject => ({ db_name: connection, creation_statements: ['CREATE ROLE "{{username}}"'] })

const refusedRole = (behaviour: string, clause: string, title: string, bad: (good: JsonObject) => JsonObject): void =>
  check(`database/${behaviour}`, clause, title, async ({ bench }) => {
    const path = { name: bench.mixedName('role') }
    const good = roleBody(await unverified(bench))
    await bench.refuses('database.writeRole', {
      bad: { path, body: bad(good) },
      control: { path, body: good },
      unchanged: { operation: 'database.readRole', input: { path } },
    })
  })

refusedRole('role-db-missing', 'DATABASE-ROLE-10', 'no role without a connection', ({ db_name: _name, ...rest }) => rest)
refusedRole('role-db-object', 'DATABASE-ROLE-13', 'an object is not a connection name', (good) => ({ ...good, db_name: { a: {} } }))
refusedRole('role-db-unknown-write', 'DATABASE-ROLE-12', 'a role of an unknown connection is refused', (good) => ({
  ...good,
  db_name: 'no-such-connection',
}))
for (const [field, clause] of [
  ['default_ttl', 'DATABASE-TTL-05'],
  ['max_ttl', 'DATABASE-TTL-11'],
] as const) {
  const name = field.replace('_', '-')
  refusedRole(`${name}-object`, clause, 'an object is not a duration', (good) => ({ ...good, [field]: { a: {} } }))
  refusedRole(`${name}-words`, clause, 'words are not a duration', (good) => ({ ...good, [field]: 'soon' }))
  refusedRole(`${name}-unknown-unit`, clause, 'a unit that nobody knows makes no duration', (good) => ({ ...good, [field]: '1 fortnight' }))
}
refusedRole(
  'creation-missing-write',
  'DATABASE-STMT-03',
  'no role without creation statements',
  ({ creation_statements: _none, ...rest }) => rest,
)
refusedRole('creation-object', 'DATABASE-STMT-05', 'objects as creation statements are refused', (good) => ({
  ...good,
  creation_statements: [{ a: {} }],
}))
refusedRole('revocation-object', 'DATABASE-STMT-09', 'objects as revocation statements are refused', (good) => ({
  ...good,
  revocation_statements: [{ a: {} }],
}))
refusedRole('rollback-object', 'DATABASE-STMT-12', 'objects as rollback statements are refused', (good) => ({
  ...good,
  rollback_statements: [{ a: {} }],
}))
refusedRole('renewal-object', 'DATABASE-STMT-15', 'objects as renewal statements are refused', (good) => ({
  ...good,
  renew_statements: [{ a: {} }],
}))

check(
  'database/role-defaults',
  [
    'DATABASE-ROLE-01',
    'DATABASE-ROLE-03',
    'DATABASE-ROLE-09',
    'DATABASE-TTL-01',
    'DATABASE-TTL-06',
    'DATABASE-STMT-04',
    'DATABASE-STMT-07',
    'DATABASE-STMT-11',
    'DATABASE-STMT-14',
  ],
  'a role with nothing but what is required reads back with the defaults',
  async ({ bench, expect }) => {
    const connection = await unverified(bench)
    const path = { name: bench.mixedName('role') }
    const written = await bench.call('database.writeRole', { path, body: roleBody(connection) })
    const answer = await bench.call('database.readRole', { path })
    await bench.decide('DATABASE-ROLE-01', () => {
      expect(written).toSucceed()
      expect(answer).toSucceed()
    })
    await bench.decide('DATABASE-ROLE-03', () => expect(answer).toHaveStatus(200))
    const { data } = answer
    await bench.decide('DATABASE-ROLE-09', () => expect(data.db_name).toBe(connection))
    await bench.decide('DATABASE-TTL-01', () => expect(data.default_ttl).toBe(0))
    await bench.decide('DATABASE-TTL-06', () => expect(data.max_ttl).toBe(0))
    await bench.decide('DATABASE-STMT-04', () => expect(data.creation_statements).toEqual(['CREATE ROLE "{{username}}"']))
    await bench.decide('DATABASE-STMT-07', () => expect(data.revocation_statements).toEqual([]))
    await bench.decide('DATABASE-STMT-11', () => expect(data.rollback_statements).toEqual([]))
    await bench.decide('DATABASE-STMT-14', () => expect(data.renew_statements).toEqual([]))
  },
)

check(
  'database/role-round-trip',
  ['DATABASE-ROLE-02', 'DATABASE-TTL-04', 'DATABASE-TTL-10', 'DATABASE-STMT-04', 'DATABASE-STMT-16'],
  'what is written to a role again is read back',
  async ({ bench, expect }) => {
    const connection = await unverified(bench)
    const path = { name: bench.mixedName('role') }
    await bench.given('database.writeRole', { path, body: { ...roleBody(connection), default_ttl: 60, max_ttl: 120 } })
    const statements = (what: string): string[] => [`${what} ONE, TWO ON a,b;`, `${what} THREE "{{username}}", 'Four$$ é 日本'`]
    const body = {
      ...roleBody(connection),
      // White space within a statement may stand within quotes, and so may letters beyond ASCII.
      creation_statements: [
        `CREATE ROLE "{{username}}"  LOGIN\n\tPASSWORD '{{password}}'`,
        'COMMENT ON ROLE "{{username}}" IS \'two  blanks, a comma; ü 🔑\';',
      ],
      default_ttl: '90m',
      max_ttl: '3h',
      revocation_statements: statements('REVOKE'),
      rollback_statements: statements('ROLLBACK'),
      renew_statements: statements('RENEW'),
    }
    const written = await bench.call('database.writeRole', { path, body })
    const { data } = await bench.given('database.readRole', { path })
    await bench.decide('DATABASE-ROLE-02', () => {
      expect(written).toSucceed()
      expect(data.default_ttl).not.toBe(60)
    })
    await bench.decide('DATABASE-TTL-04', () => expect(data.default_ttl).toBe(5400))
    await bench.decide('DATABASE-TTL-10', () => expect(data.max_ttl).toBe(10_800))
    await bench.decide('DATABASE-STMT-04', () => expect(data.creation_statements).toEqual(body.creation_statements))
    await bench.decide('DATABASE-STMT-16', () =>
      expect([data.revocation_statements, data.rollback_statements, data.renew_statements]).toEqual([
        body.revocation_statements,
        body.rollback_statements,
        body.renew_statements,
      ]),
    )
  },
)

check('database/roles-listed', 'DATABASE-ROLE-05', 'the listing holds the names of the roles', async ({ bench, expect }) => {
  const connection = await unverified(bench)
  const names = [bench.mixedName('role'), bench.mixedName('role')]
  for (const name of names) await bench.given('database.writeRole', { path: { name }, body: roleBody(connection) })
  const { data } = await bench.given('database.listRoles')
  expect(data.keys).toEqual(expect.arrayContaining(names))
})
