/** Connections, roles, static roles, and credentials of the engine: what happens to one never shows at another. */
import { apart, type Bench, type JsonObject, type View } from '../../harness/checks/index.ts'
import { needs, type Place, placeFor } from './fixtures.ts'
import { type Kind, kinds, runs } from './kinds.ts'
import { STATIC_ROLES } from './static-roles/static-checks.ts'
import { listed, read, readStatic, staticCredentials } from './views.ts'

const STATIC_A = ['credentials of static role A']

interface Named {
  one: string
  two: string
  other: string
}

const stepsOf = (bench: Bench, place: Place, { one, two, other }: Named) => [
  {
    what: 'after an update of the first role',
    run: () =>
      bench.given('database.writeRole', {
        path: { name: one },
        body: { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 90, max_ttl: 900 },
      }),
    changes: ['read of the first role'],
  },
  { what: 'after more credentials of the first role', run: () => place.credential(one) },
  { what: 'after a reset', run: () => bench.given('database.resetConnection', { path: { name: place.connection } }) },
  {
    what: 'after an update of the other connection',
    run: () =>
      bench.given('database.writeConnection', { path: { name: other }, body: { ...place.body, allowed_roles: ['nobody', one, two] } }),
    changes: ['read of the other connection'],
  },
  {
    what: 'after the other connection was deleted',
    run: () => bench.given('database.deleteConnection', { path: { name: other } }),
    changes: ['read of the other connection', 'connections listed'],
  },
  {
    what: 'after the second role was deleted',
    run: () => bench.given('database.deleteRole', { path: { name: two } }),
    // What becomes of its credentials is not said.
    changes: ['read of the second role', 'credentials of the second role', 'roles listed'],
  },
]

const staticSteps = (bench: Bench, place: Place, { one, two }: Named, statics: { a: string; b: string }) => [
  {
    what: 'after an update of the connection',
    run: () =>
      bench.given('database.writeConnection', {
        path: { name: place.connection },
        body: { ...place.body, allowed_roles: ['*', two, one] },
      }),
    changes: ['read of the connection'],
  },
  {
    what: 'after a role was written under the name of static role B',
    // Whether both may have one name is not said.
    run: () =>
      bench.call('database.writeRole', {
        path: { name: statics.b },
        body: { db_name: place.connection, creation_statements: place.texts.bareCreation },
      }),
    changes: ['roles listed'],
  },
  {
    what: 'after the role of that name was deleted',
    run: () => bench.call('database.deleteRole', { path: { name: statics.b } }),
    changes: ['roles listed'],
  },
  {
    what: 'after a rotation of static role A by hand',
    run: () => bench.given('database.rotateRole', { path: { name: statics.a } }),
    changes: STATIC_A,
  },
  {
    what: 'after an update of static role A',
    run: async () => {
      const { data } = await bench.given('database.readStaticRole', { path: { name: statics.a } })
      const body = { db_name: data.db_name!, username: data.username!, rotation_period: 43_200, rotation_statements: place.texts.rotation }
      await bench.given('database.writeStaticRole', { path: { name: statics.a }, body })
    },
    changes: ['read of static role A', ...STATIC_A],
  },
  {
    what: 'after a static role was written under the name of the first role',
    async run() {
      const { username } = await place.staticUser()
      place.keepStatic(one)
      const body: JsonObject = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
      // Whether both may have one name is not said.
      await bench.call('database.writeStaticRole', { path: { name: one }, body })
    },
  },
  {
    what: 'after the static role of that name was deleted',
    run: () => bench.call('database.deleteStaticRole', { path: { name: one } }),
  },
  {
    what: 'after static role A was deleted',
    run: () => bench.given('database.deleteStaticRole', { path: { name: statics.a } }),
    changes: ['read of static role A', 'static roles listed', ...STATIC_A],
  },
]

const world = (kind: Kind) => async (bench: Bench) => {
  // What is written, rotated or deleted alone has a name that those of its neighbours go on from.
  const [other, two, a] = [bench.mixedName('connection'), bench.mixedName('role'), bench.mixedName('static')]
  const [one, b] = [`${two}-2`, `${a}-2`]
  const place = await placeFor(bench, kind, { named: `${other}-2` })
  place.keepConnection(other)
  await place.role({ default_ttl: 600 }, one)
  await place.role({ creation_statements: place.texts.bareCreation }, two)
  const connection = { ...place.body, allowed_roles: [one, two, '*'] }
  await bench.given('database.writeConnection', { path: { name: place.connection }, body: connection })
  await bench.given('database.writeConnection', { path: { name: other }, body: { ...place.body, allowed_roles: ['nobody'] } })
  const elsewhere = await place.role({ db_name: other }, `${one}-2`)
  const [first, second] = [await place.credential(one), await place.credential(two)]
  const named = { one, two, other }
  const views: Record<string, View> = {
    'read of the connection': read(bench, 'database.readConnection', place.connection),
    'read of the other connection': read(bench, 'database.readConnection', other),
    'read of the first role': read(bench, 'database.readRole', one),
    'read of the second role': read(bench, 'database.readRole', two),
    'read of the role of the other connection': read(bench, 'database.readRole', elsewhere),
    'connections listed': listed(bench, 'database.listConnections', [place.connection, other]),
    'roles listed': listed(bench, 'database.listRoles', [one, two, elsewhere]),
    'connections among roles': listed(bench, 'database.listRoles', [place.connection, other]),
    'roles among connections': listed(bench, 'database.listConnections', [one, two, elsewhere]),
    'credentials of the first role': () => place.sql.login(first),
    'credentials of the second role': () => place.sql.login(second),
  }
  const atFirst = {
    'credentials of the first role': true,
    'credentials of the second role': true,
    'connections among roles': [],
    'roles among connections': [],
  }
  if (!runs(bench, kind, STATIC_ROLES)) return { views, atFirst, steps: stepsOf(bench, place, named) }
  const { user } = await place.staticRole({}, { name: a })
  await place.staticRole({ rotation_period: 7200 }, { name: b, username: `${user.username}_2` })
  const statics: Record<string, View> = {
    'read of static role A': readStatic(bench, a),
    'read of static role B': readStatic(bench, b),
    'static roles listed': listed(bench, 'database.listStaticRoles', [a, b]),
    'static roles among roles': listed(bench, 'database.listRoles', [a]),
    'roles among static roles': listed(bench, 'database.listStaticRoles', [two, elsewhere]),
    'credentials of static role A': staticCredentials(bench, place, a),
    'credentials of static role B': staticCredentials(bench, place, b),
  }
  return {
    views: { ...views, ...statics },
    atFirst: { ...atFirst, 'static roles among roles': [], 'roles among static roles': [] },
    steps: [...staticSteps(bench, place, named, { a, b }), ...stepsOf(bench, place, named)],
  }
}

for (const kind of kinds) {
  apart(
    `database/neighbours/${kind.id}`,
    'DATABASE-APART-01',
    `an operation changes what it names and nothing beside it, on ${kind.id}`,
    needs(kind),
    ({ bench }) => world(kind)(bench),
  )
}
