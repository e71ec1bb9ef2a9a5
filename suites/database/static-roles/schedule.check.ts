/** The schedule of rotations: it goes on, whatever else happens. */
import type { Bench } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { staticChecksOf } from './static-checks.ts'
import { agrees, readStatic, rotatedAt } from './static-passwords.ts'

/** How many times in a row a schedule has to hold. */
const PERIODS = 3

/** The password changes by itself, period after period of five seconds. */
const goesOn = async (bench: Bench, place: Place, name: string, what: string): Promise<void> => {
  for (let period = 1; period <= PERIODS; period += 1) {
    const { password } = await readStatic(bench, name)
    await bench.eventually(async () => (await readStatic(bench, name)).password !== password, {
      within: 5000 + bench.grace,
      every: 500,
      because: `${what} is rotated, period ${period}`,
    })
  }
  await agrees(bench, place, name)
}

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`
  const check = staticChecksOf(kind)

  check(
    id('rotation-goes-on'),
    ['DATABASE-ROTATE-01', 'DATABASE-STATIC-02'],
    'the schedule goes on, period after period, whatever happens by hand, to a neighbour, to the period itself, or to the role before',
    { ...needs(kind), waits: true },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const often = { rotation_period: 5 }
      const [turned, beside, changed, deleted, again] = [
        await place.staticRole(often),
        await place.staticRole(often),
        await place.staticRole(),
        await place.staticRole(often),
        await place.staticRole(often),
      ]
      const { rotation: rotation_statements } = place.texts
      await bench.given('database.rotateRole', { path: { name: turned.name } })
      await bench.given('database.deleteStaticRole', { path: { name: deleted.name } })
      await bench.given('database.deleteStaticRole', { path: { name: again.name } })
      // The user goes with the role, stays, or is locked: all are legal.
      await place.userAgain(again.user.username)
      for (const { name, user } of [changed, again])
        await bench.given('database.writeStaticRole', {
          path: { name },
          body: { db_name: place.connection, username: user.username, rotation_statements, ...often },
        })
      await Promise.all([
        bench.decide('DATABASE-ROTATE-01', () => goesOn(bench, place, turned.name, 'a role that was rotated by hand')),
        bench.decide('DATABASE-ROTATE-01', () => goesOn(bench, place, beside.name, 'a role beside one that was deleted')),
        bench.decide('DATABASE-ROTATE-01', () => goesOn(bench, place, again.name, 'a role that was deleted and made again')),
        bench.decide('DATABASE-STATIC-02', () => goesOn(bench, place, changed.name, 'a role whose period was changed')),
      ])
      expect(await bench.call('database.readStaticRole', { path: { name: deleted.name } })).toHaveStatus(404)
    },
  )

  check(
    id('rotation-beside-connections'),
    'DATABASE-ROTATE-01',
    'the schedule goes on when the connection is reset, is written again, or has its own password rotated',
    { ...needs(kind), waits: true },
    async ({ bench }) => {
      // Each has its own administrator, who made its users: of another's it may not be let set passwords.
      const [reset, written, turned] = [await placeFor(bench, kind), await placeFor(bench, kind), await placeFor(bench, kind)]
      const roleOf = async (place: Place) => ({ place, name: (await place.staticRole({ rotation_period: 5 })).name })
      const roles = [await roleOf(reset), await roleOf(written), await roleOf(turned)]
      await bench.given('database.resetConnection', { path: { name: reset.connection } })
      const body = { ...written.body, allowed_roles: ['*', 'one'] }
      await bench.given('database.writeConnection', { path: { name: written.connection }, body })
      await bench.given('database.rotateRoot', { path: { name: turned.connection } })
      const whats = ['was reset', 'was written again', 'has a new password']
      await Promise.all(roles.map(({ place, name }, index) => goesOn(bench, place, name, `a role whose connection ${whats[index]}`)))
    },
  )

  check(
    id('rotation-after-hand'),
    'DATABASE-ROTATE-04',
    'after a rotation by hand the next one by schedule comes a whole period later',
    { ...needs(kind), waits: true },
    async ({ bench, expect }) => {
      const period = 12
      const place = await placeFor(bench, kind)
      const { name } = await place.staticRole({ rotation_period: period })
      // By the target's own times: however slow the machine is, two rotations by schedule are never nearer than that.
      await bench.eventually(async () => Number((await readStatic(bench, name)).ttl) <= period / 2, {
        within: period * 1000 + bench.grace,
        every: 500,
        because: 'half of the period is over',
      })
      await bench.given('database.rotateRole', { path: { name } })
      const byHand = rotatedAt(await readStatic(bench, name))
      let next = byHand
      await bench.eventually(
        async () => {
          next = rotatedAt(await readStatic(bench, name))
          return next > byHand
        },
        { within: period * 1000 + bench.grace, every: 500, because: 'the schedule goes on' },
      )
      expect((next - byHand) / 1000, 'seconds from the rotation by hand to the next').toBeGreaterThanOrEqual(period - 2)
    },
  )

  check(
    id('rotation-after-failure'),
    'DATABASE-ROTATE-01',
    'the schedule goes on after a rotation by hand that the database refused',
    { ...needs(kind), waits: true },
    async ({ bench }) => {
      const place = await placeFor(bench, kind)
      const rotation_statements = ['UPDATE asked_of SET n = 1', ...place.texts.rotation]
      await place.sql.as(place.sql.admin, 'CREATE TABLE asked_of (n INTEGER)')
      const { name } = await place.staticRole({ rotation_period: 6, rotation_statements })
      await place.sql.as(place.sql.admin, 'ALTER TABLE asked_of RENAME TO not_there')
      const refused = await bench.call('database.rotateRole', { path: { name } })
      await place.sql.as(place.sql.admin, 'ALTER TABLE not_there RENAME TO asked_of')
      if (refused.ok) bench.blocked('no rotation was refused', 'see the clause of refused rotations first')
      const before = await readStatic(bench, name)
      const rotated = async () => (await readStatic(bench, name)).password !== before.password
      await bench.eventually(rotated, { within: 2 * 6000 + bench.grace, every: 500, because: 'the schedule goes on' })
    },
  )
}
