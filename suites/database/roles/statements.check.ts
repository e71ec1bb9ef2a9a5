import { check, isBackendFailure } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds, note, noted, runs, timeOf } from '../kinds.ts'

/** Two notes of one tag: each of several statements is run, in full, with all its templates. */
const twoNotes = (tag: string): string[] => [note(tag, 'one: {{username}}, {{username}}'), note(tag, 'two: {{username}}')]

const bothOf = (username: string): string[] => [`one: ${username}, ${username}`, `two: ${username}`]

/** An item of a list is one statement, whatever its texts hold: looked at apart, for a server that divides it runs nothing of it. */
const divided = (tag: string): string => note(tag, '{{username}}; and more')

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('templates'),
    ['DATABASE-TEMPLATE-01', 'DATABASE-TEMPLATE-02', 'DATABASE-TEMPLATE-03', 'DATABASE-TEMPLATE-04', 'DATABASE-TEMPLATE-05'],
    'the four templates of statements stand for the user that is made',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const notes = ['name', 'username', 'password', 'expiration'].map((template) => note(template, `{{${template}}} and {{${template}}}`))
      const role = await place.role({ creation_statements: [...place.texts.bareCreation, ...notes], default_ttl: 1800, max_ttl: 3600 })
      const asked = Date.now()
      const made = await place.credential(role)
      const answered = Date.now()
      const value = async (tag: string): Promise<string | undefined> => (await noted(place.sql, tag))[0]
      const twice = (text: string) => `${text} and ${text}`
      const [name, username] = [await value('name'), await value('username')]
      const [password, expiration] = [await value('password'), await value('expiration')]
      await bench.decide('DATABASE-TEMPLATE-01', () => expect(name).toBe(twice(made.username)))
      await bench.decide('DATABASE-TEMPLATE-02', () => expect(username).toBe(twice(made.username)))
      await bench.decide('DATABASE-TEMPLATE-03', () =>
        expect(password === twice(made.password), 'the password in the statement is the one returned').toBe(true),
      )
      const [once = '', again] = (expiration ?? '').split(' and ')
      await bench.decide('DATABASE-TEMPLATE-04', () => {
        expect(once, 'what is filled in').not.toMatch(/^$|expiration/)
        expect(again, 'the second of a statement').toBe(once)
      })
      await bench.decide('DATABASE-TEMPLATE-05', () => {
        const end = timeOf(once) - bench.clockSkew * 1000
        expect(end).toBeGreaterThanOrEqual(asked + 1_740_000)
        expect(end).toBeLessThanOrEqual(answered + 1_860_000)
      })
    },
  )

  check(id('creation-statements'), 'DATABASE-STMT-01', 'each creation statement is run', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const role = await place.role({ creation_statements: [...twoNotes('made'), ...place.texts.bareCreation] })
    const { answer, credential: made } = await place.ask(role)
    expect(answer).toSucceed()
    expect(await noted(place.sql, 'made')).toEqual(bothOf(made.username))
    expect(await place.sql.login(made)).toBe(true)
  })

  check(
    id('creation-statement-text'),
    'DATABASE-STMT-01',
    'a creation statement is run whole, whatever its texts hold',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ creation_statements: [divided('whole'), ...place.texts.bareCreation] })
      const { answer, credential: made } = await place.ask(role)
      expect(answer).toSucceed()
      expect(await noted(place.sql, 'whole')).toEqual([`${made.username}; and more`])
    },
  )

  check(
    id('creation-statement-lines'),
    'DATABASE-STMT-01',
    'a creation statement is run as it is written: its lines, its comments and the blanks in its texts',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const lines = `-- what is noted\n${note('lines', '{{username}}:  two blanks\n  a line\ta tab').replace(' VALUES', '\n  -- and here\n  VALUES')}`
      const role = await place.role({ creation_statements: [...place.texts.bareCreation, lines] })
      const { answer, credential: made } = await place.ask(role)
      expect(answer).toSucceed()
      expect(await noted(place.sql, 'lines')).toEqual([`${made.username}:  two blanks\n  a line\ta tab`])
      expect(await place.sql.login(made)).toBe(true)
    },
  )

  check(
    id('revocation-statement-text'),
    'DATABASE-STMT-06',
    'a revocation statement is run whole, whatever its texts hold',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const statements = [divided('ended'), ...place.texts.revocation]
      const made = await place.credential(await place.role({ default_ttl: 2, max_ttl: 60, revocation_statements: statements }))
      await bench.eventually(async () => expect(await noted(place.sql, 'ended')).toEqual([`${made.username}; and more`]), {
        within: 2000 + bench.grace,
      })
    },
  )

  check(
    id('revocation-of-each-role'),
    'DATABASE-STMT-07',
    'a role without revocation statements ends its users without those of another',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const plain = await place.role({ creation_statements: place.texts.bareCreation })
      const other = await place.role({ revocation_statements: [note('strange', '{{username}}'), ...place.texts.revocation] })
      const [own, strange] = [await place.credential(plain), await place.credential(other)]
      for (const { lease } of [strange, own]) await bench.leases.revoke(lease)
      await bench.eventually(async () => !(await place.sql.login(own)), { because: 'a revoked credential is refused' })
      expect(await noted(place.sql, 'strange')).toEqual([strange.username])
    },
  )

  check(
    id('revocation-statements'),
    'DATABASE-STMT-06',
    'revocation statements are run at the end of a lease',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const statements = [...twoNotes('revoked'), ...place.texts.revocation]
      const made = await place.credential(await place.role({ default_ttl: 2, max_ttl: 60, revocation_statements: statements }))
      await bench.eventually(async () => expect(await noted(place.sql, 'revoked')).toEqual(bothOf(made.username)), {
        within: 2000 + bench.grace,
      })
      await bench.eventually(async () => !(await place.sql.login(made)), { because: 'the last statement ends the login' })
    },
  )

  check(
    id('rollback-statements'),
    'DATABASE-STMT-10',
    'rollback statements, each of them, are run when a creation fails, for its user and for no other of the role',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const statements = [...twoNotes('rolled-back'), ...(kind.id === 'postgres' ? [] : place.texts.revocation)]
      // What takes credentials back is another list, and has no part in it.
      const revocation = { revocation_statements: [note('revoked', '{{username}}'), ...place.texts.revocation] }
      const name = await place.role({ ...revocation, rollback_statements: statements })
      const before = await place.credential(name)
      const failing = {
        db_name: place.connection,
        creation_statements: [...place.texts.creation, 'INSERT INTO no_such_table VALUES (1)'],
        ...revocation,
        rollback_statements: statements,
      }
      await bench.given('database.writeRole', { path: { name }, body: failing })
      const answer = await bench.call('database.readCreds', { path: { name } })
      expect(isBackendFailure(answer.status)).toBe(true)
      if (!runs(bench, kind, 'rollback_statements'))
        return bench.observe('DATABASE-STMT-10', (await noted(place.sql, 'rolled-back')).length)
      await bench.eventually(async () => expect((await noted(place.sql, 'rolled-back')).length).toBe(2))
      const undone = await noted(place.sql, 'rolled-back')
      const user = undone[0]?.split(' ').at(-1) ?? ''
      expect(undone, 'what the rollback statements noted').toEqual(bothOf(user))
      expect(user, 'the user that was rolled back').not.toBe(before.username)
      expect(await noted(place.sql, 'revoked'), 'users of whom a lease ended').toEqual([])
      expect(await place.sql.login(before), 'a user that the role issued before').toBe(true)
    },
  )

  check(
    id('renew-statements'),
    'DATABASE-STMT-13',
    'renewal statements are run when a lease is renewed',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const made = await place.credential(await place.role({ renew_statements: twoNotes('renewed') }))
      const wanted: string[] = []
      for (let renewal = 1; renewal <= 3; renewal += 1) {
        const renewed = await bench.leases.renew(made.lease, 1800)
        if (!renewed.ok) bench.blocked(`renewing a lease answered ${renewed.status}`, 'give a token that may use the lease endpoints')
        if (!runs(bench, kind, 'renew_statements')) return bench.observe('DATABASE-STMT-13', (await noted(place.sql, 'renewed')).length)
        wanted.push(...bothOf(made.username))
        await bench.eventually(async () =>
          expect((await noted(place.sql, 'renewed')).sort(), `renewal ${renewal}`).toEqual(wanted.toSorted()),
        )
      }
    },
  )

  check(
    id('renewal-expiration'),
    ['DATABASE-STMT-13', 'DATABASE-TEMPLATE-05'],
    'renewal statements have the end that the lease has after its renewal',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = { default_ttl: 600, max_ttl: 7200, renew_statements: [note('end', '{{expiration}}')] }
      const made = await place.credential(await place.role(role))
      // The second goes beyond what the role allows: granted or refused, no statement says more than the lease.
      for (const [turn, increment] of [3600, 864_000].entries()) {
        const asked = Date.now()
        const renewed = await bench.leases.renew(made.lease, increment)
        const answered = Date.now()
        if (!renewed.ok && turn > 0) return
        if (!renewed.ok) bench.blocked(`renewing a lease answered ${renewed.status}`, 'give a token that may use the lease endpoints')
        if (!runs(bench, kind, 'renew_statements')) {
          for (const clause of ['DATABASE-STMT-13', 'DATABASE-TEMPLATE-05']) bench.observe(clause, (await noted(place.sql, 'end')).length)
          return
        }
        const seconds = Number((renewed.body as { lease_duration?: unknown }).lease_duration)
        const ends = async () => noted(place.sql, 'end')
        await bench.decide('DATABASE-STMT-13', async () => {
          await bench.eventually(async () => expect((await ends()).length).toBeGreaterThan(turn), {
            because: 'the renewal is told to the database',
          })
        })
        const end = timeOf((await ends()).at(-1) ?? '') - bench.clockSkew * 1000
        await bench.decide('DATABASE-TEMPLATE-05', () => {
          expect(end, 'the end in the statement, not before the lease').toBeGreaterThanOrEqual(asked + (seconds - 60) * 1000)
          expect(end, 'the end in the statement, not long after the lease').toBeLessThanOrEqual(answered + (seconds + 60) * 1000)
        })
      }
    },
  )
}
