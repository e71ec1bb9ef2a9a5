import { isDeepStrictEqual } from 'node:util'
import { type Bench, check } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { staticChecksOf } from '../static-roles/static-checks.ts'
import { givesNone, REFUSED_WELL } from './not-allowed.ts'

/** Three names for a list, and names like them: longer, shorter, the end of one, two in one, and with a star. */
const namesAndLike = (bench: Bench): { names: string[]; like: string[] } => {
  const [first, second, end] = [bench.mixedName('role'), bench.mixedName('role'), bench.mixedName('role')]
  const third = `${bench.fresh('app')}.${end}`
  const like = [`${first}x`, second.slice(0, -1), end, `${first}-${second}`, `${first},${second}`, `${third}*`]
  return { names: [first, second, third], like }
}

/** What belongs to every role of a connection but does not name one. */
const besideName = ({ connection, sql }: Place): string[] => [connection, sql.admin.username]

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('allowed-none'),
    ['DATABASE-ALLOWED-02', REFUSED_WELL],
    'with an empty list no role gives credentials',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind, { settle: true })
      // What another connection allows says nothing of this one.
      await place.second()
      const role = await place.role({ default_ttl: 2 })
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: { ...place.body, allowed_roles: [] } })
      const users = await place.sql.grantees()
      await givesNone(context, 'DATABASE-ALLOWED-02', (await place.ask(role)).answer, 'a role of a connection that allows none')
      await bench.decide('DATABASE-ALLOWED-02', async () => expect(await place.sql.grantees(), 'users of the database').toEqual(users))
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: place.body })
      await place.credential(role)
    },
  )

  check(
    id('allowed-named'),
    ['DATABASE-ALLOWED-03', 'DATABASE-ALLOWED-04', REFUSED_WELL],
    'a role that is named gives credentials, another does not',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      await place.second()
      const [named, other] = [await place.role(), await place.role()]
      const path = { name: place.connection }
      // A star within a name is not a star of its own, whether it is one letter of the name or stands for others; and what is named is a role.
      for (const allowed_roles of [[named], [`${other}-*`, named, `*-${other}`, `no*${other}`, ...besideName(place)]]) {
        const written = await bench.call('database.writeConnection', { path, body: { ...place.body, allowed_roles } })
        if (!written.ok && allowed_roles.length > 1) continue
        await bench.decide('DATABASE-ALLOWED-03', async () => {
          expect(written).toSucceed()
          expect((await place.ask(named)).answer).toSucceed()
        })
        const users = await place.sql.grantees()
        await givesNone(context, 'DATABASE-ALLOWED-04', (await place.ask(other)).answer, `a role that is not among ${allowed_roles}`)
        await bench.decide('DATABASE-ALLOWED-04', async () => expect(await place.sql.grantees()).toEqual(users))
      }
    },
  )

  check(
    id('allowed-names'),
    ['DATABASE-ALLOWED-03', 'DATABASE-ALLOWED-04', REFUSED_WELL],
    'each of several names is allowed, and no name that is like one',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      const { names, like } = namesAndLike(bench)
      const body = { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 60, max_ttl: 120 }
      const kept: string[] = []
      for (const name of [...names, ...like]) {
        bench.defer(() => bench.call('database.deleteRole', { path: { name } }))
        // Not every server takes an asterisk or a comma in a name.
        if ((await bench.call('database.writeRole', { path: { name }, body })).ok) kept.push(name)
      }
      // Names that differ by case alone may mean one role: a write of the second name then changes the first.
      const [listed, upper] = [names.at(-1)!, names.at(-1)!.toUpperCase()]
      const read = async () => (await bench.call('database.readRole', { path: { name: listed } })).data
      const before = await read()
      bench.defer(() => bench.call('database.deleteRole', { path: { name: upper } }))
      const written = await bench.call('database.writeRole', { path: { name: upper }, body: { ...body, default_ttl: 61 } })
      const isAnother = written.ok && isDeepStrictEqual(await read(), before)
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: { ...place.body, allowed_roles: names } })
      await bench.decide('DATABASE-ALLOWED-03', async () => {
        for (const name of names) expect((await place.ask(name)).answer, 'a name on the list').toSucceed()
      })
      for (const name of [...like.filter((one) => kept.includes(one)), ...(isAnother ? [upper] : [])])
        await givesNone(context, 'DATABASE-ALLOWED-04', (await place.ask(name)).answer, 'a name like one on the list')
    },
  )

  staticChecksOf(kind)(
    id('allowed-static-names'),
    ['DATABASE-ALLOWED-08', 'DATABASE-ALLOWED-09', REFUSED_WELL],
    'each of several names is allowed as a static role, no name that is like one, and with an empty list none',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const { names, like } = namesAndLike(bench)
      const place = await placeFor(bench, kind, { connection: { allowed_roles: names } })
      const write = async (name: string) => {
        const { username } = await place.staticUser()
        place.keepStatic(name)
        const body = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
        const written = await bench.call('database.writeStaticRole', { path: { name }, body })
        return written.ok ? bench.call('database.readStaticCreds', { path: { name } }) : written
      }
      await bench.decide('DATABASE-ALLOWED-09', async () => {
        for (const name of names) expect(await write(name), 'a name on the list').toSucceed()
      })
      for (const name of like) await givesNone(context, 'DATABASE-ALLOWED-08', await write(name), 'a name like one on the list')
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: { ...place.body, allowed_roles: [] } })
      await givesNone(context, 'DATABASE-ALLOWED-08', await write(bench.mixedName('static')), 'a static role, with an empty list')
    },
  )

  check(id('allowed-star'), 'DATABASE-ALLOWED-05', 'a star among the names allows every role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind, { connection: { allowed_roles: ['another', '*'] } })
    expect((await place.ask(await place.role())).answer).toSucceed()
  })

  staticChecksOf(kind)(
    id('allowed-star-static'),
    'DATABASE-ALLOWED-05',
    'a star among the names allows every static role, wherever it stands',
    needs(kind),
    async ({ bench, expect }) => {
      for (const allowed_roles of [['another', '*'], ['*', 'another'], ['*']]) {
        const place = await placeFor(bench, kind, { connection: { allowed_roles } })
        const { username } = await place.staticUser()
        const path = { name: bench.mixedName('static') }
        place.keepStatic(path.name)
        const body = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
        expect(await bench.call('database.writeStaticRole', { path, body }), `allowed: ${allowed_roles}`).toSucceed()
        expect(await bench.call('database.readStaticCreds', { path }), `credentials, allowed: ${allowed_roles}`).toSucceed()
      }
    },
  )

  staticChecksOf(kind)(
    id('allowed-static'),
    ['DATABASE-ALLOWED-08', REFUSED_WELL],
    'a static role that is not named gives no credentials, though its user and its connection are',
    needs(kind),
    async (context) => {
      const { bench } = context
      const place = await placeFor(bench, kind)
      const { username } = await place.staticUser()
      const allowed_roles = ['another', 'no*such', '*-another', username, ...besideName(place)]
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: { ...place.body, allowed_roles } })
      const path = { name: bench.mixedName('static') }
      place.keepStatic(path.name)
      const body = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
      const written = await bench.call('database.writeStaticRole', { path, body })
      const creds = written.ok ? await bench.call('database.readStaticCreds', { path }) : written
      await givesNone(context, 'DATABASE-ALLOWED-08', creds, 'a static role that is not named')
    },
  )
}
