import { comesToHold, isBackendFailure, secondsOf } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { staticChecksOf } from './static-checks.ts'
import { agrees, loginOf, readStatic, rotatedAt } from './static-passwords.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`
  const check = staticChecksOf(kind)

  check(
    id('static-creds'),
    ['DATABASE-SCREDS-01', 'DATABASE-SCREDS-03', 'DATABASE-SCREDS-04', 'DATABASE-SCREDS-05', 'DATABASE-POLICY-06'],
    'static credentials say when they were and will be rotated',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const begun = Date.now()
      const { name, user } = await place.staticRole({ rotation_period: 3600 })
      const data = await readStatic(bench, name)
      const answered = Date.now()
      await bench.decide('DATABASE-SCREDS-01', () => expect(data.username).toBe(user.username))
      await bench.decide('DATABASE-SCREDS-03', () => {
        const at = rotatedAt(data) - bench.clockSkew * 1000
        expect(at).toBeGreaterThanOrEqual(begun - 5000)
        expect(at).toBeLessThanOrEqual(answered + 5000)
      })
      await bench.decide('DATABASE-SCREDS-04', () => expect(data.rotation_period).toBe(3600))
      await bench.decide('DATABASE-SCREDS-05', () => {
        expect(Number(data.ttl)).toBeLessThanOrEqual(3600)
        expect(Number(data.ttl)).toBeGreaterThan(3600 - 60 - (Date.now() - begun) / 1000)
      })
      await bench.decide('DATABASE-POLICY-06', () => {
        expect(String(data.password).length).toBe(20)
        for (const pattern of [/[A-Z]/, /[a-z]/, /\d/, /-/]) expect(pattern.test(String(data.password)), `it holds ${pattern}`).toBe(true)
      })
    },
  )

  check(
    id('static-creds-live'),
    ['DATABASE-SCREDS-02', 'DATABASE-SCREDS-06'],
    'static credentials log in, and their time runs',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name } = await place.staticRole({ rotation_period: 3600 })
      const { ttl } = await readStatic(bench, name)
      await bench.decide('DATABASE-SCREDS-02', () => agrees(bench, place, name))
      await bench.decide('DATABASE-SCREDS-06', async () => {
        await bench.eventually(async () => expect(Number((await readStatic(bench, name)).ttl)).toBeLessThan(Number(ttl)), { every: 1000 })
      })
    },
  )

  check(
    id('rotation-by-hand'),
    'DATABASE-ROTATE-02',
    'after a rotation by hand nobody logs in with the password of before',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name } = await place.staticRole({ rotation_period: 3600 })
      const first = await readStatic(bench, name)
      await bench.given('database.rotateRole', { path: { name } })
      expect(await place.sql.login(loginOf(first))).toBe(false)
    },
  )

  check(
    id('static-period-long'),
    ['DATABASE-ROTATE-01', 'DATABASE-SCREDS-05', 'DATABASE-STATIC-05'],
    'a period of more than a month is kept, and its password for as long',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const period = 35 * 86_400
      const { name } = await place.staticRole({ rotation_period: period })
      const { data } = await bench.given('database.readStaticRole', { path: { name } })
      await bench.decide('DATABASE-STATIC-05', () => expect(secondsOf(data.rotation_period)).toBe(period))
      const first = await readStatic(bench, name)
      const rotates = await comesToHold(bench, async () => (await readStatic(bench, name)).password !== first.password, { within: 3000 })
      await bench.decide('DATABASE-ROTATE-01', () => expect(rotates, 'the password changes within seconds').toBe(false))
      await bench.decide('DATABASE-SCREDS-05', () => {
        expect(Number(first.ttl)).toBeGreaterThan(period - 120)
        expect(Number(first.ttl)).toBeLessThanOrEqual(period)
      })
    },
  )

  check(
    id('static-passwords'),
    ['DATABASE-POLICY-06', 'DATABASE-SCREDS-05', 'DATABASE-ROTATE-03'],
    'each rotation by hand gives another password, which follows the default policy, and whose time is the whole period',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const begun = Date.now()
      const { name } = await place.staticRole({ rotation_period: 86_400 })
      const passwords = new Set<unknown>()
      for (let rotation = 0; rotation < 6; rotation += 1) {
        const data = await readStatic(bench, name)
        passwords.add(data.password)
        await bench.decide('DATABASE-SCREDS-05', () => {
          expect(Number(data.ttl)).toBeLessThanOrEqual(86_400)
          expect(Number(data.ttl)).toBeGreaterThan(86_400 - 60 - (Date.now() - begun) / 1000)
        })
        await bench.decide('DATABASE-POLICY-06', () => {
          expect(String(data.password).length).toBe(20)
          for (const pattern of [/[A-Z]/, /[a-z]/, /\d/, /-/]) expect(pattern.test(String(data.password)), `it holds ${pattern}`).toBe(true)
        })
        await bench.given('database.rotateRole', { path: { name } })
      }
      await bench.decide('DATABASE-ROTATE-03', async () => {
        expect(passwords.size, 'different passwords before six rotations').toBe(6)
        await agrees(bench, place, name)
      })
    },
  )

  check(
    id('rotation-by-hand-period'),
    ['DATABASE-ROTATE-04', 'DATABASE-ROTATE-07'],
    'a rotation by hand starts the period again',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name } = await place.staticRole({ rotation_period: 3600 })
      let before = await readStatic(bench, name)
      for (const which of ['first', 'second']) {
        // The ttl counts whole seconds: let some pass, so that its reset shows.
        const passed = Math.min(Number(before.ttl), 3600) - 4
        await bench.eventually(async () => expect(Number((await readStatic(bench, name)).ttl)).toBeLessThanOrEqual(passed), { every: 1000 })
        const begun = performance.now()
        await bench.given('database.rotateRole', { path: { name } })
        const after = await readStatic(bench, name)
        const elapsed = (performance.now() - begun) / 1000
        await bench.decide('DATABASE-ROTATE-04', () =>
          expect(Number(after.ttl), `after the ${which} rotation by hand`).toBeGreaterThanOrEqual(3600 - 2 - elapsed),
        )
        await bench.decide('DATABASE-ROTATE-07', () => expect(rotatedAt(after)).toBeGreaterThan(rotatedAt(before)))
        before = after
      }
    },
  )

  check(
    id('rotation-by-schedule'),
    ['DATABASE-ROTATE-01', 'DATABASE-ROTATE-03', 'DATABASE-STATIC-08', 'DATABASE-STATIC-17'],
    'with a period of 5 seconds the password changes by itself, and then by hand, and the role can be deleted',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { username } = await place.staticUser()
      const name = bench.mixedName('static')
      place.keepStatic(name)
      const body = { db_name: place.connection, username, rotation_period: 5, rotation_statements: place.texts.rotation }
      const written = await bench.call('database.writeStaticRole', { path: { name }, body })
      await bench.decide('DATABASE-STATIC-17', () => expect(written).toSucceed())
      const first = await readStatic(bench, name)
      await bench.decide('DATABASE-ROTATE-01', async () => {
        await bench.eventually(async () => (await readStatic(bench, name)).password !== first.password, {
          within: 5000 + bench.grace,
          every: 500,
        })
        await agrees(bench, place, name)
        expect(await place.sql.login(loginOf(first))).toBe(false)
      })
      const byHand = await bench.call('database.rotateRole', { path: { name } })
      await bench.decide('DATABASE-ROTATE-03', async () => {
        expect(byHand, 'a rotation by hand after one by schedule').toSucceed()
        await agrees(bench, place, name)
      })
      const gone = await bench.call('database.deleteStaticRole', { path: { name } })
      await bench.decide('DATABASE-STATIC-08', () => expect(gone, 'a deletion after a rotation by schedule').toSucceed())
    },
  )

  check(
    id('rotation-failed'),
    ['DATABASE-ROTATE-06', 'DATABASE-SCREDS-03'],
    'when the database refuses a rotation the password that is read stays in use, and its time is what it was',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      const body = { db_name: place.connection, username: user.username, rotation_period: 86_400 }
      const broken = { ...body, rotation_statements: ['UPDATE no_such_table SET n = 1'] }
      await bench.given('database.writeStaticRole', { path: { name }, body: broken })
      const before = await readStatic(bench, name)
      const answer = await bench.call('database.rotateRole', { path: { name } })
      await bench.decide('DATABASE-ROTATE-06', async () => {
        expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
        await agrees(bench, place, name)
      })
      const after = await readStatic(bench, name)
      // Where the server tries again by itself the password may have changed since.
      if (after.password !== before.password) return bench.observe('DATABASE-SCREDS-03', 'the password was rotated meanwhile')
      await bench.decide('DATABASE-SCREDS-03', () => expect(rotatedAt(after), 'the last rotation').toBe(rotatedAt(before)))
    },
  )
}
