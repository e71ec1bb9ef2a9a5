import {
  type Answer,
  type Bench,
  check,
  comesToHold,
  isBackendFailure,
  type JsonObject,
  outlivesCallers,
} from '../../../harness/checks/index.ts'
import { type Credential, needs, placeFor } from '../fixtures.ts'
import { type Kind, kinds, runs } from '../kinds.ts'
import { STATIC_ROLES } from '../static-roles/static-checks.ts'

/** Credentials of one role, asked for one after the other. */
const several = async (bench: Bench, kind: Kind): Promise<Credential[]> => {
  const place = await placeFor(bench, kind)
  const role = await place.role()
  return [await place.credential(role), await place.credential(role), await place.credential(role)]
}

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('creds'),
    ['DATABASE-CREDS-01', 'DATABASE-STMT-01'],
    'credentials log in and may do what the statements grant',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const made = await place.credential(await place.role())
      await bench.decide('DATABASE-CREDS-01', async () => expect(await place.sql.login(made)).toBe(true))
      await bench.decide('DATABASE-STMT-01', async () => {
        expect(await place.sql.as(made, 'SELECT n FROM granted')).toEqual([{ n: 7 }])
        expect(await place.sql.as(made, 'SELECT n FROM denied')).toBe('refused')
        expect(await place.sql.as(made, 'INSERT INTO granted VALUES (8)')).toBe('refused')
      })
    },
  )

  check(
    id('creds-long-name'),
    'DATABASE-CREDS-01',
    'credentials of a role with a long name log in as those of any other',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const short = await place.role()
      const { data } = await bench.given('database.readRole', { path: { name: short } })
      const path = { name: `${bench.fresh('role')}-${'long'.repeat(40)}` }
      const body = { db_name: data.db_name!, creation_statements: data.creation_statements! }
      // How long a name may be is for the server to say; what it took it gives credentials of.
      if (!(await bench.call('database.writeRole', { path, body })).ok) return bench.observe('DATABASE-CREDS-01', 'the name is refused')
      // Twice: a database that cuts names makes one of two that begin alike.
      for (const turn of ['first', 'second']) {
        const { answer, credential } = await place.ask(path.name)
        expect(answer, `the ${turn} credentials of a role whose name has ${path.name.length} characters`).toSucceed()
        expect(await place.sql.login(credential), `the ${turn} user logs in`).toBe(true)
      }
    },
  )

  check(
    id('creds-new'),
    ['DATABASE-CREDS-02', 'DATABASE-CREDS-03'],
    'credentials are new each time, with a lease of their own',
    needs(kind),
    async ({ bench, expect }) => {
      const made = await several(bench, kind)
      await bench.decide('DATABASE-CREDS-02', () => {
        expect(new Set(made.map(({ username }) => username)).size).toBe(made.length)
        expect(new Set(made.map(({ password }) => password)).size).toBe(made.length)
      })
      await bench.decide('DATABASE-CREDS-03', () => {
        expect(new Set(made.map(({ lease }) => lease)).size).toBe(made.length)
        for (const { lease, duration } of made) {
          expect(lease).not.toBe('')
          expect(duration).toBeGreaterThan(0)
        }
      })
    },
  )

  check(
    id('creds-expiry'),
    ['DATABASE-CREDS-05', 'DATABASE-CREDS-06', 'DATABASE-STMT-08'],
    'a credential logs in until its lease ends, and not any more then',
    { ...needs(kind), waits: true },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      // No end date in the database itself: it is the service that must end the login.
      const role = await place.role({
        default_ttl: 8,
        max_ttl: 60,
        creation_statements: place.texts.bareCreation,
        revocation_statements: [],
      })
      const earlier = await place.credential(role)
      const begun = performance.now()
      const made = await place.credential(role)
      const inTime = !(await comesToHold(bench, async () => !(await place.sql.login(made)), { within: 4000, every: 700 }))
      // On a machine too slow to ask in time nothing was shown.
      if (!inTime && performance.now() - begun > 6500)
        bench.blocked('logging in took as long as the lease lasts', 'run on a quicker machine')
      await bench.decide('DATABASE-CREDS-06', () => expect(inTime).toBe(true))
      const later = await place.credential(role)
      const ended = (one: Credential) =>
        bench.eventually(async () => !(await place.sql.login(one)), { within: 8000 + bench.grace, every: 1000 })
      // Each of several of one role, and not the one that was issued last alone.
      await bench.decide('DATABASE-CREDS-05', async () => {
        for (const one of [made, earlier, later]) await ended(one)
      })
      await bench.decide('DATABASE-STMT-08', async () => void (await ended(made)))
      expect(await place.sql.login(made)).toBe(false)
    },
  )

  check(
    id('creds-of-two-callers'),
    'DATABASE-CREDS-06',
    'a credential stays where the token of another caller of the role ends',
    needs(kind, { features: ['leases', 'identities'] }),
    async (context) => {
      const place = await placeFor(context.bench, kind)
      const path = { name: await place.role() }
      await outlivesCallers(context, 'database.readCreds', { path }, place.keep, (made) => place.sql.login(made))
    },
  )

  check(
    id('creds-revocation'),
    'DATABASE-CREDS-07',
    'a revoked credential no longer logs in, though its role or connection was written again since, and others log in',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role()
      const since: (() => Promise<unknown>)[] = [
        async () => undefined,
        () =>
          bench.given('database.writeRole', {
            path: { name: role },
            body: { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 1800, max_ttl: 3600 },
          }),
        () => bench.given('database.writeConnection', { path: { name: place.connection }, body: place.body }),
      ]
      for (const happens of since) {
        const [made, kept] = [await place.credential(role), await place.credential(role)]
        expect(await place.sql.login(made)).toBe(true)
        await happens()
        // A revocation that fails for what happened since has failed to revoke.
        await bench.leases.revoke(made.lease).catch((error: Error) => {
          if (happens === since[0]) throw error
        })
        await bench.eventually(async () => !(await place.sql.login(made)), { because: 'a new login is refused' })
        expect(await place.sql.login(kept), 'a credential that was not revoked').toBe(true)
      }
    },
  )

  check(
    id('creds-secrecy'),
    'DATABASE-SECRET-03',
    'no read and no listing shows an issued password',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role()
      const passwords = [(await place.credential(role)).password]
      const answers = [
        await bench.given('database.readRole', { path: { name: role } }),
        await bench.given('database.listRoles'),
        await bench.given('database.readConnection', { path: { name: place.connection } }),
      ]
      if (runs(bench, kind, STATIC_ROLES)) {
        const { name } = await place.staticRole()
        const { data } = await bench.given('database.readStaticCreds', { path: { name } })
        passwords.push(String(data.password))
        answers.push(await bench.given('database.readStaticRole', { path: { name } }), await bench.given('database.listStaticRoles'))
        answers.push(await bench.given('database.readConnection', { path: { name: place.connection } }))
      }
      for (const { text } of answers) for (const password of passwords) expect(text).not.toContain(password)
    },
  )

  check(
    id('creds-failed'),
    ['DATABASE-CREDS-08', 'DATABASE-CREDS-12'],
    'when the database refuses a statement the request fails and no user remains',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ creation_statements: [...place.texts.creation, 'INSERT INTO no_such_table VALUES (1)'] })
      const before = await place.sql.grantees()
      const { answer } = await place.ask(role)
      await bench.decide('DATABASE-CREDS-08', () =>
        expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true),
      )
      await bench.decide('DATABASE-CREDS-12', () => bench.eventually(async () => expect(await place.sql.grantees()).toEqual(before)))
    },
  )

  check(
    id('role-db-unknown'),
    'DATABASE-ROLE-11',
    'a role of an unknown connection gives no credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.mixedName('role') }
      const body = { db_name: bench.fresh('unknown'), creation_statements: place.texts.creation }
      const written = await bench.call('database.writeRole', { path, body })
      if (!written.ok) expect(written).toBeRefused()
      else {
        const { status } = (await place.ask(path.name)).answer
        expect(isBackendFailure(status), `no credentials; it was ${status}`).toBe(true)
      }
      await bench.given('database.writeRole', { path, body: { ...body, db_name: place.connection } })
      await place.credential(path.name)
    },
  )

  check(
    id('role-db-of-another-mount'),
    'DATABASE-ROLE-11',
    'a role of a connection that only another mount has gives no credentials',
    needs(kind, { mounts: { database: { type: 'database' }, other: { type: 'database' } } }),
    async ({ bench, expect }) => {
      const other = await placeFor(bench, kind, { mount: 'other' })
      const before = await other.sql.grantees()
      const path = { name: bench.mixedName('role') }
      const body = { db_name: other.connection, creation_statements: other.texts.creation }
      if ((await bench.call('database.writeRole', { path, body })).ok) {
        const { answer } = await (await placeFor(bench, kind)).ask(path.name)
        expect(isBackendFailure(answer.status), `no credentials; it was ${answer.status}`).toBe(true)
      }
      expect(await other.sql.grantees(), 'users of the other mount’s database').toEqual(before)
      await other.credential(await other.role())
    },
  )

  check(
    id('role-delete'),
    ['DATABASE-ROLE-06', 'DATABASE-ROLE-08'],
    'a deleted role gives no credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const path = { name: await place.role() }
      const before = await place.credential(path.name)
      await bench.given('database.deleteRole', { path })
      const [read, creds] = [await bench.call('database.readRole', { path }), (await place.ask(path.name)).answer]
      await bench.decide('DATABASE-ROLE-06', () => {
        expect(read).toHaveStatus(404)
        expect(creds).toHaveStatus(400, 404)
      })
      bench.observe('DATABASE-ROLE-08', (await place.sql.login(before)) ? 'they still log in' : 'they no longer log in')
    },
  )

  check(
    id('creation-missing'),
    'DATABASE-STMT-02',
    'a role without creation statements gives no credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const answers: Answer[] = []
      for (const statements of [{}, { creation_statements: [] }] as JsonObject[]) {
        const path = { name: bench.mixedName('role') }
        const body = { db_name: place.connection, ...statements }
        const written = await bench.call('database.writeRole', { path, body, invalid: true })
        answers.push(written.ok ? (await place.ask(path.name)).answer : written)
      }
      await place.credential(await place.role())
      for (const { status } of answers) expect(isBackendFailure(status), `no credentials; it was ${status}`).toBe(true)
    },
  )
}
