import { comesToHold, type JsonObject, secondsOf } from '../../../harness/checks/index.ts'
import { givesNone, REFUSED_WELL } from '../connections/not-allowed.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds, note, noted, runs } from '../kinds.ts'
import { staticChecksOf } from './static-checks.ts'

const bodyFor = async (place: Place): Promise<JsonObject> => ({
  db_name: place.connection,
  username: (await place.staticUser()).username,
  rotation_period: 86_400,
  rotation_statements: place.texts.rotation,
})

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`
  const check = staticChecksOf(kind)

  check(
    id('static-role'),
    ['DATABASE-STATIC-01', 'DATABASE-STATIC-03', 'DATABASE-STATIC-04', 'DATABASE-STATIC-05'],
    'a static role reads back as written',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.mixedName('static') }
      place.keepStatic(path.name)
      // PostgreSQL takes names of 63 letters, other kinds fewer.
      const end = kind.id === 'postgres' ? `_${'Long'.repeat(6)}_Ab` : '_Ab'
      const username = (await place.staticUser(end)).username
      // What divides other lists stands within a statement, too, and letters beyond ASCII do.
      const rotation_statements = [...place.texts.rotation, "INSERT INTO marker\n\tVALUES ('kept', 'one, two,three  é {{username}}')"]
      const body: JsonObject = { ...(await bodyFor(place)), username, rotation_statements }
      const written = await bench.call('database.writeStaticRole', { path, body })
      const read = await bench.call('database.readStaticRole', { path })
      await bench.decide('DATABASE-STATIC-01', () => {
        expect(written).toSucceed()
        expect(read).toSucceed()
      })
      const { data } = read
      await bench.decide('DATABASE-STATIC-03', () => expect([data.db_name, data.username]).toEqual([body.db_name, body.username]))
      await bench.decide('DATABASE-STATIC-04', () => expect(data.rotation_statements).toEqual(rotation_statements))
      await bench.decide('DATABASE-STATIC-05', () => expect(secondsOf(data.rotation_period)).toBe(86_400))
    },
  )

  check(
    id('static-role-update'),
    [
      ...['DATABASE-STATIC-02', 'DATABASE-STATIC-04', 'DATABASE-STATIC-07', 'DATABASE-STATIC-18'],
      ...['DATABASE-SCREDS-03', 'DATABASE-SCREDS-04', 'DATABASE-SCREDS-05'],
    ],
    'a static role is listed, and another write changes it, which is not a rotation where the password stays',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      const path = { name }
      const listed = await bench.call('database.listStaticRoles')
      await bench.decide('DATABASE-STATIC-07', () => expect(listed.data.keys).toEqual(expect.arrayContaining([name])))
      const creds = async () => (await bench.given('database.readStaticCreds', { path })).data
      const before = await creds()
      bench.secret(String(before.password))
      // Long enough for a new time to differ, where a server counts in whole seconds. That the time runs is for another check.
      await comesToHold(bench, async () => Number((await creds()).ttl) <= Number(before.ttl) - 2, { within: 5000, every: 500 })
      const rotation_statements = [note('before', 'one, two'), ...place.texts.rotation]
      const body = { db_name: place.connection, username: user.username, rotation_period: '2h', rotation_statements }
      const again = await bench.call('database.writeStaticRole', { path, body })
      await bench.decide('DATABASE-STATIC-18', () => expect(again).toSucceed())
      const changed = await bench.call('database.readStaticRole', { path })
      await bench.decide('DATABASE-STATIC-02', () => expect(secondsOf(changed.data.rotation_period)).toBe(7200))
      await bench.decide('DATABASE-STATIC-04', () => expect(changed.data.rotation_statements).toEqual(rotation_statements))
      const after = await creds()
      bench.secret(String(after.password))
      await bench.decide('DATABASE-SCREDS-04', () => expect(after.rotation_period, 'the period of the credentials').toBe(7200))
      await bench.decide('DATABASE-SCREDS-05', () => expect(Number(after.ttl), 'ttl under a shorter period').toBeLessThanOrEqual(7200))
      // Whether an update rotates is not said.
      if (after.password !== before.password) return bench.observe('DATABASE-SCREDS-03', 'the update was a rotation')
      await bench.decide('DATABASE-SCREDS-03', () => expect(after.last_service_rotation).toBe(before.last_service_rotation))
    },
  )

  const refused = (behaviour: string, clause: string, title: string, bad: (good: JsonObject) => JsonObject): void =>
    check(id(behaviour), clause, title, needs(kind), async ({ bench }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.mixedName('static') }
      place.keepStatic(path.name)
      const good = await bodyFor(place)
      await bench.refuses('database.writeStaticRole', {
        bad: { path, body: bad(good) },
        control: { path, body: good },
        unchanged: { operation: 'database.readStaticRole', input: { path } },
      })
    })

  refused('static-user-missing', 'DATABASE-STATIC-11', 'no static role without a user', ({ username: _name, ...rest }) => rest)
  refused('static-user-object', 'DATABASE-STATIC-12', 'an object is not a user name', (good) => ({ ...good, username: { a: {} } }))
  refused('static-db-missing', 'DATABASE-STATIC-13', 'no static role without a connection', ({ db_name: _name, ...rest }) => rest)
  refused(
    'static-period-missing',
    'DATABASE-STATIC-15',
    'no static role without a rotation period',
    ({ rotation_period: _period, ...rest }) => rest,
  )
  check(
    id('static-period-changed'),
    'DATABASE-STATIC-16',
    'less than 5 seconds is refused in an update as well',
    needs(kind),
    async ({ bench }) => {
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      const path = { name }
      const good = { db_name: place.connection, username: user.username, rotation_statements: place.texts.rotation }
      for (const rotation_period of [0, 2, 4, '4s', '0s', '4600ms'])
        await bench.refuses('database.writeStaticRole', {
          label: `rotation_period ${rotation_period}`,
          bad: { path, body: { ...good, rotation_period } },
          control: { path, body: { ...good, rotation_period: 7200 } },
          unchanged: { operation: 'database.readStaticRole', input: { path } },
        })
    },
  )

  for (const period of [0, '0s'])
    refused(`static-period-none-${period}`, 'DATABASE-STATIC-16', `a rotation period of ${period} is refused`, (good) => ({
      ...good,
      rotation_period: period,
    }))
  refused('static-period-short', 'DATABASE-STATIC-16', 'less than 5 seconds is refused', (good) => ({ ...good, rotation_period: 4 }))
  for (const period of ['4s', '1s', '4'])
    refused(`static-period-short-${period}`, 'DATABASE-STATIC-16', `a rotation period of ${period} as text is refused`, (good) => ({
      ...good,
      rotation_period: period,
    }))
  refused('static-period-object', 'DATABASE-STATIC-19', 'an object is not a duration', (good) => ({ ...good, rotation_period: { a: {} } }))
  refused('static-statements-object', 'DATABASE-STATIC-22', 'objects as rotation statements are refused', (good) => ({
    ...good,
    rotation_statements: [{ a: {} }],
  }))

  check(
    id('static-db-unknown'),
    'DATABASE-STATIC-14',
    'a static role of an unknown connection gives nothing',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.mixedName('static') }
      place.keepStatic(path.name)
      const good = await bodyFor(place)
      const written = await bench.call('database.writeStaticRole', { path, body: { ...good, db_name: bench.fresh('unknown') } })
      expect(written.ok ? await bench.call('database.readStaticCreds', { path }) : written).toBeRefused()
      await bench.given('database.writeStaticRole', { path, body: good })
    },
  )

  check(
    id('static-delete'),
    ['DATABASE-STATIC-08', 'DATABASE-STATIC-09'],
    'deleting a static role ends its credentials and its user',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      // Whatever became of it: the user goes with the role that was rotated as with any other.
      await bench.call('database.rotateRole', { path: { name } })
      const { data } = await bench.given('database.readStaticCreds', { path: { name } })
      const last = { username: user.username, password: String(data.password) }
      bench.secret(last.password)
      const gone = await bench.call('database.deleteStaticRole', { path: { name } })
      await bench.decide('DATABASE-STATIC-08', async () => {
        expect(gone).toSucceed()
        expect(await bench.call('database.readStaticRole', { path: { name } })).toHaveStatus(404)
        expect(await bench.call('database.readStaticCreds', { path: { name } })).toHaveStatus(400, 404)
      })
      await bench.decide('DATABASE-STATIC-09', async () => void (await bench.eventually(async () => !(await place.sql.login(last)))))
    },
  )

  check(
    id('static-delete-disallowed'),
    ['DATABASE-STATIC-09', 'DATABASE-ALLOWED-11', REFUSED_WELL],
    'a static role that its connection no longer allows gives no credentials, and deleting it ends its user',
    needs(kind),
    async (context) => {
      const { bench } = context
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      const { data } = await bench.given('database.readStaticCreds', { path: { name } })
      const last = { username: user.username, password: String(data.password) }
      bench.secret(last.password)
      for (const allowed_roles of [[], [bench.fresh('other')]]) {
        await bench.given('database.writeConnection', { path: { name: place.connection }, body: { ...place.body, allowed_roles } })
        const creds = await bench.call('database.readStaticCreds', { path: { name } })
        await givesNone(context, 'DATABASE-ALLOWED-11', creds, `a static role beside ${allowed_roles.length} others`)
      }
      await bench.given('database.deleteStaticRole', { path: { name } })
      await bench.decide('DATABASE-STATIC-09', async () => void (await bench.eventually(async () => !(await place.sql.login(last)))))
    },
  )

  check(
    id('rotation-statements'),
    'DATABASE-STATIC-20',
    'rotation statements are what a rotation runs',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      // Each of several is run, wherever the one stands that sets the password.
      const rotation_statements = [note('first', '{{username}}'), ...place.texts.rotation, note('last', '{{username}}')]
      // The role stands before it has statements, so that an error afterwards speaks of these.
      const { name, user } = await place.staticRole({ rotation_statements: [] })
      const body = { db_name: place.connection, username: user.username, rotation_period: 86_400, rotation_statements }
      const written = await bench.call('database.writeStaticRole', { path: { name }, body })
      const before = (await noted(place.sql, 'last')).length
      const turned = await bench.call('database.rotateRole', { path: { name } })
      const after = await noted(place.sql, 'last')
      if (!runs(bench, kind, 'rotation_statements')) return bench.observe('DATABASE-STATIC-20', after.length)
      expect(written, 'a role with statements').toSucceed()
      expect(turned, 'a rotation by statements').toSucceed()
      expect(after.length).toBeGreaterThan(before)
      expect(await noted(place.sql, 'first'), 'what the first statement noted').toEqual(after)
      expect(new Set(after)).toEqual(new Set([user.username]))
      const { data } = await bench.given('database.readStaticCreds', { path: { name } })
      bench.secret(String(data.password))
      expect(await place.sql.login({ username: user.username, password: String(data.password) }), 'the password that is read').toBe(true)
    },
  )

  check(
    id('rotation-default'),
    'DATABASE-STATIC-21',
    'without rotation statements the list is empty and rotation works',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      // Of a name with letters of either case and signs every one counts.
      for (const end of ['', '-Up.Case']) {
        const { rotation_statements: _statements, ...rest } = await bodyFor(place)
        const body = { ...rest, username: (await place.staticUser(end)).username }
        const path = { name: bench.mixedName('static') }
        place.keepStatic(path.name)
        expect(await bench.call('database.writeStaticRole', { path, body }), `a role of ${body.username}`).toSucceed()
        expect((await bench.given('database.readStaticRole', { path })).data.rotation_statements).toEqual([])
        expect(await bench.call('database.rotateRole', { path })).toSucceed()
        const { data } = await bench.given('database.readStaticCreds', { path })
        bench.secret(String(data.password))
        expect(await place.sql.login({ username: body.username, password: String(data.password) })).toBe(true)
      }
    },
  )

  check(id('static-shared-user'), 'DATABASE-STATIC-23', 'a database user has one static role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    // The one whose user is wanted twice is the first, one between, and the last.
    const roles = [await place.staticRole(), await place.staticRole(), await place.staticRole()]
    for (const { name, user } of roles) {
      const passwordNow = async () => {
        const { data } = await bench.given('database.readStaticCreds', { path: { name } })
        bench.secret(String(data.password))
        return String(data.password)
      }
      const password = await passwordNow()
      const path = { name: bench.mixedName('static') }
      place.keepStatic(path.name)
      const body = {
        db_name: place.connection,
        username: user.username,
        rotation_period: 86_400,
        rotation_statements: place.texts.rotation,
      }
      expect(await bench.call('database.writeStaticRole', { path, body }), 'a second role for the user').toBeRefused()
      expect(await bench.call('database.readStaticRole', { path }), 'a read of the second role').toHaveStatus(404)
      expect((await passwordNow()) === password, 'the first role keeps its password').toBe(true)
      expect(await place.sql.login({ username: user.username, password })).toBe(true)
    }
    await place.staticRole()
  })
}
