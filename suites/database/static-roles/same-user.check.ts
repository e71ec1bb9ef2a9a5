/** Users of one name in two databases: nothing but their name connects them. */
import { type Answer, type Bench, check } from '../../../harness/checks/index.ts'
import { type Place, placeFor } from '../fixtures.ts'
import { kinds, runs } from '../kinds.ts'
import { STATIC_ROLES } from './static-checks.ts'

/** A static role for a user of this name, and the answer to it. */
const roleFor = async (bench: Bench, place: Place, username: string): Promise<{ name: string; answer: Answer }> => {
  const name = bench.mixedName('static')
  const user = await place.staticUser('', username)
  place.keepStatic(name)
  const body = { db_name: place.connection, username: user.username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
  return { name, answer: await bench.call('database.writeStaticRole', { path: { name }, body }) }
}

const credentialsOf = async (bench: Bench, name: string) => {
  const { data } = await bench.given('database.readStaticCreds', { path: { name } })
  const login = { username: String(data.username), password: String(data.password) }
  bench.secret(login.password)
  return login
}

check(
  'database/static-user-elsewhere',
  'DATABASE-STATIC-24',
  'users of one name in two databases have a static role each',
  { needs: { backends: kinds.map(({ id }) => id) } },
  async ({ bench, expect }) => {
    if (!kinds.every((kind) => runs(bench, kind, STATIC_ROLES)))
      return bench.observe('DATABASE-STATIC-24', 'the plugin for one of the databases has no static roles')
    const [one, other] = [await placeFor(bench, kinds[0]!), await placeFor(bench, kinds[1]!)]
    const username = bench.fresh('user').replaceAll('-', '_')
    const roles = [await roleFor(bench, one, username), await roleFor(bench, other, username)]
    for (const { answer } of roles) expect(answer, 'a static role for a user of that name').toSucceed()
    const [first, second] = roles.map(({ name }) => name) as [string, string]
    const [here, there] = [await credentialsOf(bench, first), await credentialsOf(bench, second)]
    expect(await one.sql.login(here), 'the user of the first database').toBe(true)
    expect(await other.sql.login(there), 'the user of the second database').toBe(true)
    await bench.given('database.rotateRole', { path: { name: first } })
    expect(await credentialsOf(bench, second), 'credentials of the second, after the first was rotated').toEqual(there)
    expect(await other.sql.login(there), 'the user of the second database, after the first was rotated').toBe(true)
    await bench.given('database.rotateRole', { path: { name: second } })
    const [rotated, beside] = [await credentialsOf(bench, second), await credentialsOf(bench, first)]
    expect(rotated.password, 'the password after a rotation').not.toBe(there.password)
    expect(await other.sql.login(rotated), 'the user of the second database, once it was rotated').toBe(true)
    expect(await one.sql.login(beside), 'the user of the first database, after the second was rotated').toBe(true)
    await bench.given('database.deleteStaticRole', { path: { name: first } })
    expect(await credentialsOf(bench, second), 'credentials of the second, after the first was deleted').toEqual(rotated)
    expect(await other.sql.login(rotated), 'the user of the second database, after the first was deleted').toBe(true)
  },
)

for (const kind of kinds)
  check(
    `database/${kind.id}/static-users-alike`,
    'DATABASE-STATIC-01',
    'users whose names begin like one another have a static role each, whichever comes first',
    { needs: { backends: [kind.id] } },
    async ({ bench, expect }) => {
      if (!runs(bench, kind, STATIC_ROLES)) return bench.observe('DATABASE-STATIC-01', 'the plugin has no static roles')
      const place = await placeFor(bench, kind)
      const username = bench.fresh('user').replaceAll('-', '_')
      for (const like of [`${username}_2`, username, `${username}_23`]) {
        const { name, answer } = await roleFor(bench, place, like)
        expect(answer, `a static role for the user ${like}`).toSucceed()
        expect(await place.sql.login(await credentialsOf(bench, name)), `the user ${like}`).toBe(true)
      }
    },
  )
