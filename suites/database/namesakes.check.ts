/** Roles, static roles and connections of one name in two mounts, in use by turns: each is served by what its own mount keeps of it. */
import { type Bench, check, type JsonObject } from '../../harness/checks/index.ts'
import { needs, type Place, placeFor } from './fixtures.ts'
import { type Kind, kinds, note, noted, runs } from './kinds.ts'
import { staticChecksOf } from './static-roles/static-checks.ts'

/** A place whose statements note its own word, in its own database: a strange word there is a statement of the other mount. */
interface Side {
  word: string
  place: Place
  mount: string
}

/** Two mounts with a connection of one name, each to a database of its own. */
const sidesOf = async (bench: Bench, kind: Kind): Promise<[Side, Side]> => {
  const [here, there] = [await bench.mount('database'), await bench.mount('database')]
  const place = await placeFor(bench, kind, { mount: here })
  const beside = await placeFor(bench, kind, { mount: there, named: place.connection })
  return [
    { word: 'here', place, mount: here },
    { word: 'there', place: beside, mount: there },
  ]
}

/** Makes or changes the role of this name on one side. */
const roleOn = (bench: Bench, { place, mount }: Side, name: string, more: JsonObject): Promise<unknown> => {
  const body = { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 600, max_ttl: 7200, ...more }
  return bench.given('database.writeRole', { path: { name }, body, mount })
}

/** The words noted under a tag in the database of a side. */
const wordsOf = async ({ place }: Side, tag: string): Promise<string[]> => [...new Set(await noted(place.sql, tag))].sort()

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('namesakes-creation'),
    'DATABASE-APART-01',
    'roles of one name in two mounts make users by their own statements, whichever was asked before',
    needs(kind, { features: ['mounts'] }),
    async ({ bench, expect }) => {
      const sides = await sidesOf(bench, kind)
      const name = bench.mixedName('role')
      const creating = ({ word, place }: Side, version: string): JsonObject => ({
        creation_statements: [...place.texts.bareCreation, note('made', `${version} ${word}`)],
      })
      for (const side of sides) await roleOn(bench, side, name, creating(side, 'first'))
      // Each comes after the other once; and what the second has is not what the update of the first left.
      for (const turn of ['first', 'second']) {
        for (const side of sides) {
          const { answer, credential } = await side.place.ask(name)
          expect(answer, `credentials ${side.word}, ${turn} turn`).toSucceed()
          expect(await side.place.sql.login(credential), `a login ${side.word}, ${turn} turn`).toBe(true)
          expect(await wordsOf(side, 'made'), `what was run ${side.word}, ${turn} turn`).toEqual([`first ${side.word}`])
        }
      }
      const [changed, kept] = sides
      await roleOn(bench, changed, name, creating(changed, 'second'))
      for (const side of [changed, kept, changed]) expect((await side.place.ask(name)).answer, 'after an update of one').toSucceed()
      expect(await wordsOf(changed, 'made'), 'what was run by the role that was updated').toEqual(['first here', 'second here'])
      expect(await wordsOf(kept, 'made'), 'what was run by its namesake').toEqual(['first there'])
      if (!runs(bench, kind, 'rollback_statements')) return
      for (const side of sides) {
        const creation_statements = [...side.place.texts.bareCreation, 'INSERT INTO no_such_table VALUES (1)']
        const undoing = kind.id === 'postgres' ? [] : side.place.texts.revocation
        await roleOn(bench, side, name, { creation_statements, rollback_statements: [note('undone', side.word), ...undoing] })
      }
      for (const { word, place } of sides) expect((await place.ask(name)).answer.ok, `a creation that fails, ${word}`).toBe(false)
      for (const side of sides)
        await bench.eventually(async () => expect(await wordsOf(side, 'undone'), 'what undoes a failure').toEqual([side.word]))
    },
  )

  check(
    id('namesakes-leases'),
    'DATABASE-APART-01',
    'leases of roles of one name in two mounts are renewed and ended by the statements of their own',
    needs(kind, { features: ['mounts', 'leases'] }),
    async ({ bench, expect }) => {
      const sides = await sidesOf(bench, kind)
      const name = bench.mixedName('role')
      for (const side of sides)
        await roleOn(bench, side, name, {
          renew_statements: [note('renewed', side.word)],
          revocation_statements: [note('ended', side.word), ...side.place.texts.revocation],
        })
      const made = [await sides[0].place.credential(name), await sides[1].place.credential(name)]
      const renews = runs(bench, kind, 'renew_statements')
      for (const [index, side] of sides.entries()) {
        const { lease } = made[index]!
        if (renews) {
          const renewed = await bench.leases.renew(lease, 1800)
          if (!renewed.ok) bench.blocked(`renewing a lease answered ${renewed.status}`, 'give a token that may use the lease endpoints')
          await bench.eventually(async () => expect(await wordsOf(side, 'renewed'), 'what renews').toEqual([side.word]))
        }
        await bench.leases.revoke(lease)
        await bench.eventually(async () => expect(await wordsOf(side, 'ended'), 'what ends').toEqual([side.word]))
        await bench.eventually(async () => !(await side.place.sql.login(made[index]!)), { because: 'a revoked credential is refused' })
        if (index === 0) expect(await sides[1].place.sql.login(made[1]!), 'a credential of the namesake').toBe(true)
      }
    },
  )

  check(
    id('namesakes-root'),
    'DATABASE-APART-01',
    'the root of each of two connections of one name is rotated by the statements of its own mount',
    needs(kind, { allow: 'rotateRoot', features: ['mounts'] }),
    async ({ bench, expect }) => {
      const sides = await sidesOf(bench, kind)
      const path = { name: sides[0].place.connection }
      for (const { word, place, mount } of sides) {
        const body = { ...place.body, root_rotation_statements: [...place.texts.rootRotation, note('root', word)] }
        await bench.given('database.writeConnection', { path, body, mount })
      }
      for (const side of sides) {
        expect(await bench.call('database.rotateRoot', { path, mount: side.mount }), `a rotation ${side.word}`).toSucceed()
        expect(await wordsOf(side, 'root'), `what was run ${side.word}`).toEqual([side.word])
      }
    },
  )

  staticChecksOf(kind)(
    id('namesakes-static'),
    'DATABASE-APART-01',
    'static roles of one name in two mounts are rotated by schedule and by hand, each by its own statements, and one outlasts the other',
    { ...needs(kind, { features: ['mounts'] }), waits: true },
    async ({ bench, expect }) => {
      const sides = await sidesOf(bench, kind)
      const name = bench.mixedName('static')
      const written = async (side: Side, more: JsonObject): Promise<void> => {
        const rotation_statements = [...side.place.texts.rotation, note('turned', side.word)]
        const body = { db_name: side.place.connection, rotation_period: 5, rotation_statements, ...more }
        await bench.given('database.writeStaticRole', { path: { name }, body, mount: side.mount })
      }
      const users: string[] = []
      for (const side of sides) {
        const { username } = await side.place.staticUser()
        users.push(username)
        side.place.keepStatic(name)
        await written(side, { username })
      }
      const passwordOf = async ({ mount }: Side): Promise<string> => {
        const { data } = await bench.given('database.readStaticCreds', { path: { name }, mount })
        bench.secret(String(data.password))
        return String(data.password)
      }
      const isRotated = async (side: Side, when: string): Promise<void> => {
        const password = await passwordOf(side)
        await bench.eventually(async () => (await passwordOf(side)) !== password, {
          within: 5000 + bench.grace,
          every: 500,
          because: `the static role ${side.word} is rotated ${when}`,
        })
      }
      const [first, second] = sides
      await Promise.all([isRotated(first, 'once both are written'), isRotated(second, 'once both are written')])
      // Whichever of the two was written last, the other goes on.
      await written(first, { username: users[0]! })
      await Promise.all([isRotated(first, 'once it is updated'), isRotated(second, 'once its namesake is updated')])
      await bench.given('database.rotateRole', { path: { name }, mount: first.mount })
      await bench.given('database.rotateRole', { path: { name }, mount: second.mount })
      await Promise.all([isRotated(first, 'after rotations by hand'), isRotated(second, 'after rotations by hand')])
      await bench.given('database.deleteStaticRole', { path: { name }, mount: second.mount })
      await isRotated(first, 'once its namesake is deleted')
      if (!runs(bench, kind, 'rotation_statements')) return
      for (const side of sides) expect(await wordsOf(side, 'turned'), `what was run ${side.word}`).toEqual([side.word])
    },
  )
}
