/** Concurrent requests: whatever order they took, what was answered is true in the database. */
import { check } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'
import { kinds } from './kinds.ts'
import { staticChecksOf } from './static-roles/static-checks.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('race-creds-delete'),
    'DATABASE-RACE-01',
    'credentials asked for while their role is deleted log in, or are refused',
    { ...needs(kind), kind: 'race' },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      // Rights on one table, granted by several sessions at once, are more than PostgreSQL itself puts up with.
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      const earlier = await place.credential(role)
      const [deleted, ...made] = await Promise.all([
        bench.call('database.deleteRole', { path: { name: role } }),
        ...Array.from({ length: 4 }, () => place.ask(role)),
      ])
      expect(deleted).toSucceed()
      // A target that ends what a deleted role issued ends these too, and may.
      if (await place.sql.login(earlier)) {
        const logins = await Promise.all(made.filter(({ answer }) => answer.ok).map(({ credential }) => place.sql.login(credential)))
        expect(logins.every((loggedIn) => loggedIn)).toBe(true)
      }
      for (const { answer } of made) expect([200, 400, 404]).toContain(answer.status)
      expect((await place.ask(role)).answer).toHaveStatus(400, 404)
    },
  )

  check(
    id('race-creds'),
    ['DATABASE-CREDS-02', 'DATABASE-CREDS-07'],
    'of credentials asked for at once each has a user and a lease of its own',
    { ...needs(kind, { features: ['leases'] }), kind: 'race' },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      const asked = await Promise.all(Array.from({ length: 5 }, () => place.ask(role)))
      const made = asked.filter(({ answer }) => answer.ok).map(({ credential }) => credential)
      if (made.length < 2) return bench.blocked('fewer than two of the requests were served', 'see the clauses of credentials first')
      await bench.decide('DATABASE-CREDS-02', () => {
        for (const part of ['username', 'password'] as const)
          expect(new Set(made.map((one) => one[part])).size, `different values of ${part} in ${made.length} credentials`).toBe(made.length)
      })
      const [ended, ...others] = made
      await bench.leases.revoke(ended!.lease)
      await bench.decide('DATABASE-CREDS-07', async () => {
        await bench.eventually(async () => expect(await place.sql.login(ended!), 'the one that was revoked').toBe(false))
        for (const one of others) expect(await place.sql.login(one), 'another one of them').toBe(true)
      })
    },
  )

  staticChecksOf(kind)(
    id('race-rotate-read'),
    'DATABASE-RACE-01',
    'after rotations by several callers the password that is read logs in',
    { ...needs(kind), kind: 'race' },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name, user } = await place.staticRole()
      const path = { name }
      const read = async (): Promise<string> => {
        const { data } = await bench.given('database.readStaticCreds', { path })
        bench.secret(String(data.password))
        return String(data.password)
      }
      const before = await read()
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 3 }, () => bench.call('database.rotateRole', { path }))),
        Promise.all(Array.from({ length: 3 }, read)),
      ])
      expect(
        answers.some(({ ok }) => ok),
        'one of the rotations succeeds',
      ).toBe(true)
      expect((await read()) === before, 'the password is the old one').toBe(false)
      await bench.eventually(async () => place.sql.login({ username: user.username, password: await read() }))
    },
  )

  check(
    id('race-root-creds'),
    'DATABASE-RACE-01',
    'credentials asked for during a root rotation log in, and come afterwards',
    { ...needs(kind, { allow: 'rotateRoot' }), kind: 'race' },
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      // Rights on one table, granted by several sessions at once, are more than PostgreSQL itself puts up with.
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      const asked = Array.from({ length: 3 }, () => place.ask(role))
      const rotated = bench.call('database.rotateRoot', { path: { name: place.connection } })
      const more = Array.from({ length: 3 }, () => place.ask(role))
      const [rotation, ...made] = await Promise.all([rotated, ...asked, ...more])
      const logins = await Promise.all(made.filter(({ answer }) => answer.ok).map(({ credential }) => place.sql.login(credential)))
      expect(logins.every((loggedIn) => loggedIn)).toBe(true)
      expect(rotation).toSucceed()
      expect((await place.ask(role)).answer).toSucceed()
    },
  )
}
