/** Connections, roles and static roles of one name in two mounts: what happens in one of them never shows in the other. */
import { apart, type Bench, type JsonObject, type View } from '../../harness/checks/index.ts'
import { needs, type Place, placeFor } from './fixtures.ts'
import { type Kind, kinds, runs } from './kinds.ts'
import { STATIC_ROLES } from './static-roles/static-checks.ts'
import { read, readStatic, staticCredentials } from './views.ts'

/** Fresh credentials log in where they belong, and nobody comes to the other database by them. */
const asked = (place: Place, beside: Place, role: string): View => {
  return async () => {
    const elsewhere = (await beside.sql.grantees()).length
    const { answer, credential } = await place.ask(role)
    if (!answer.ok) return answer.status
    return { here: await place.sql.login(credential), there: (await beside.sql.grantees()).length - elsewhere }
  }
}

/** Gives both mounts a static role of one name, each for a user of its own database. */
const staticsOf = async (bench: Bench, places: readonly Place[], name: string): Promise<void> => {
  for (const { connection: db_name, keepStatic, mount, staticUser, texts } of places) {
    const { username } = await staticUser()
    keepStatic(name)
    const body = { db_name, username, rotation_period: 86_400, rotation_statements: texts.rotation }
    await bench.given('database.writeStaticRole', { path: { name }, body, mount: mount! })
  }
}

const world = (kind: Kind) => async (bench: Bench) => {
  const [here, there] = [await bench.mount('database'), await bench.mount('database')]
  const place = await placeFor(bench, kind, { mount: here })
  const beside = await placeFor(bench, kind, { mount: there, named: place.connection })
  const role = await place.role({ default_ttl: 600 })
  const made = await place.credential(role)
  const [path, connection, fixed] = [{ name: role }, { name: place.connection }, { name: bench.mixedName('static') }]
  const names = async (mount: string, operation: string) => (await bench.call(operation, { mount })).data.keys
  const inOther = (operation: string, named: { name: string }, body?: JsonObject) => () =>
    bench.given(operation, { path: named, mount: there, ...(body === undefined ? {} : { body }) })
  const other = { db_name: place.connection, creation_statements: beside.texts.bareCreation, default_ttl: 90, max_ttl: 900 }
  const hasStatics = runs(bench, kind, STATIC_ROLES)
  if (hasStatics) await staticsOf(bench, [place, beside], fixed.name)
  // Made when the others have all of it, it has nothing.
  const late = await bench.mount('database')
  return {
    views: {
      connections: () => names(here, 'database.listConnections'),
      roles: () => names(here, 'database.listRoles'),
      connection: read(bench, 'database.readConnection', connection.name, here),
      role: read(bench, 'database.readRole', role, here),
      'credentials issued before': () => place.sql.login(made),
      'new credentials': asked(place, beside, role),
      ...(hasStatics && {
        'static role': readStatic(bench, fixed.name, here),
        'static roles': () => names(here, 'database.listStaticRoles'),
        'credentials of the static role': staticCredentials(bench, place, fixed.name),
        'static role of a mount made afterwards': readStatic(bench, fixed.name, late),
      }),
    },
    atFirst: {
      'credentials issued before': true,
      'new credentials': { here: true, there: 0 },
      ...(hasStatics && { 'static role of a mount made afterwards': 404 }),
    },
    steps: [
      { what: 'after the other was listed', run: () => names(there, 'database.listConnections') },
      { what: 'after the other got a role of that name', run: inOther('database.writeRole', path, other) },
      { what: 'after credentials of that role', run: () => beside.credential(role) },
      { what: 'after a reset of the connection there', run: inOther('database.resetConnection', connection) },
      ...(hasStatics
        ? [
            { what: 'after a rotation of the static role there', run: inOther('database.rotateRole', fixed) },
            { what: 'after the static role was deleted there', run: inOther('database.deleteStaticRole', fixed) },
          ]
        : []),
      { what: 'after that role was deleted there', run: inOther('database.deleteRole', path) },
      {
        what: 'after the connection was written again there',
        run: inOther('database.writeConnection', connection, { ...beside.body, allowed_roles: ['nobody'] }),
      },
      { what: 'after the connection was deleted there', run: inOther('database.deleteConnection', connection) },
    ],
  }
}

for (const kind of kinds) {
  apart(
    `database/neighbours-mounts/${kind.id}`,
    'DATABASE-APART-01',
    `what happens in one mount does not show in another, on ${kind.id}`,
    needs(kind, { features: ['mounts'] }),
    ({ bench }) => world(kind)(bench),
  )
}
