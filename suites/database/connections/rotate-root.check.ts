import { check, isBackendFailure } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds, note, noted } from '../kinds.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`
  const rotating = needs(kind, { allow: 'rotateRoot' })

  check(
    id('reset'),
    ['DATABASE-RESET-01', 'DATABASE-RESET-02', 'DATABASE-RESET-03'],
    'a reset closes the sessions of a connection, which works on',
    needs(kind),
    async ({ bench, expect }) => {
      // An older one and a newer one beside it, so that its configuration is told from theirs.
      await placeFor(bench, kind)
      const place = await placeFor(bench, kind)
      await placeFor(bench, kind)
      const role = await place.role()
      await place.credential(role)
      const idsOfSessions = async (): Promise<string[]> => (await place.sql.sessions(place.sql.admin.username)).map(({ id }) => id)
      const before = await idsOfSessions()
      const path = { name: place.connection }
      const { data: shown } = await bench.given('database.readConnection', { path })
      const answer = await bench.call('database.resetConnection', { path })
      await bench.decide('DATABASE-RESET-01', () => expect(answer).toSucceed())
      await bench.decide('DATABASE-RESET-03', async () => {
        await bench.eventually(async () => {
          const still = await idsOfSessions()
          return before.every((session) => !still.includes(session))
        })
      })
      await bench.decide('DATABASE-RESET-02', async () => {
        const after = await place.ask(role)
        expect(after.answer).toSucceed()
        expect(await place.sql.login(after.credential)).toBe(true)
        const read = await bench.call('database.readConnection', { path })
        expect(read.data.connection_details, 'its configuration, as it was read before the reset').toEqual(shown.connection_details)
      })
    },
  )

  check(
    id('rotate-root'),
    ['DATABASE-ROOT-01', 'DATABASE-ROOT-08'],
    'a root rotation ends the old password',
    rotating,
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const answer = await bench.call('database.rotateRoot', { path: { name: place.connection } })
      await bench.decide('DATABASE-ROOT-08', () => expect(answer).toSucceed())
      await bench.decide('DATABASE-ROOT-01', async () => expect(await place.sql.login(place.sql.admin)).toBe(false))
    },
  )

  check(
    id('rotate-root-works-on'),
    ['DATABASE-ROOT-02', 'DATABASE-ROOT-06', 'DATABASE-APART-01'],
    'a connection and its neighbours work on after a root rotation, a reset and an update, as does its namesake in another mount',
    needs(kind, { allow: 'rotateRoot', mounts: { database: { type: 'database' }, other: { type: 'database' } } }),
    async ({ bench, expect }) => {
      const [place, beside] = [await placeFor(bench, kind), await placeFor(bench, kind)]
      const namesake = await placeFor(bench, kind, { mount: 'other', named: place.connection })
      const [role, other, third] = [await place.role(), await beside.role(), await namesake.role()]
      const path = { name: place.connection }
      // Whether an update may leave the password out is for the server to say: where it may, the stored one is meant.
      const { password: _stored, ...silent } = place.body
      const keeps = (await bench.call('database.writeConnection', { path, body: silent })).ok && (await place.ask(role)).answer.ok
      if (!keeps) await bench.given('database.writeConnection', { path, body: place.body })
      await bench.given('database.rotateRoot', { path })
      await bench.decide('DATABASE-ROOT-02', async () => {
        expect((await place.ask(role)).answer).toSucceed()
      })
      await bench.call('database.resetConnection', { path })
      await bench.decide('DATABASE-ROOT-06', async () => {
        expect((await place.ask(role)).answer).toSucceed()
        if (!keeps) return
        const updated = await bench.call('database.writeConnection', { path, body: silent })
        expect(updated, 'an update without password, as before the rotation').toSucceed()
        expect((await place.ask(role)).answer, 'credentials after an update without password').toSucceed()
      })
      await bench.call('database.resetConnection', { path: { name: beside.connection } })
      await bench.decide('DATABASE-APART-01', async () => {
        expect((await beside.ask(other)).answer, 'credentials from a connection whose root was not rotated').toSucceed()
        expect(await beside.sql.login(beside.sql.admin), 'the password of that root').toBe(true)
        for (const when of ['after the rotation', 'after a reset too']) {
          expect((await namesake.ask(third)).answer, `credentials from the namesake, ${when}`).toSucceed()
          expect(await namesake.sql.login(namesake.sql.admin), `the password of its root, ${when}`).toBe(true)
          await bench.call('database.resetConnection', { path, mount: 'other' })
        }
      })
    },
  )

  check(
    id('rotate-root-revokes'),
    'DATABASE-CREDS-07',
    'what was given before a root rotation is taken back after it',
    needs(kind, { allow: 'rotateRoot', features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const made = await place.credential(await place.role())
      await bench.given('database.rotateRoot', { path: { name: place.connection } })
      expect(await place.sql.login(made), 'a credential, after the rotation').toBe(true)
      await bench.leases.revoke(made.lease)
      await bench.eventually(async () => !(await place.sql.login(made)), { because: 'a new login is refused' })
    },
  )

  check(
    id('rotate-root-statements'),
    ['DATABASE-ROOT-03', 'DATABASE-ROOT-07', 'DATABASE-POLICY-07'],
    'a root rotation runs the statements of the connection, and nothing shows the new password',
    rotating,
    async ({ bench, expect }) => {
      const base = await placeFor(bench, kind)
      const path = { name: base.connection }
      const notes = [note('root', '{{password}}'), note('who', '{{username}} and {{username}}')]
      const body = { ...base.body, root_rotation_statements: [...base.texts.rootRotation, ...notes] }
      await bench.given('database.writeConnection', { path, body })
      const answer = await bench.call('database.rotateRoot', { path })
      const passwords = await noted(base.sql, 'root')
      for (const password of passwords) bench.secret(password)
      const password = passwords[0] ?? ''
      await bench.decide('DATABASE-ROOT-07', async () => {
        const { username } = base.sql.admin
        expect(passwords.length).toBe(1)
        expect(await noted(base.sql, 'who'), 'whom the statements are about').toEqual([`${username} and ${username}`])
        expect(await base.sql.login({ username, password })).toBe(true)
      })
      const shown = [answer, await bench.call('database.readConnection', { path }), await bench.call('database.listConnections')]
      await bench.decide('DATABASE-ROOT-03', () => {
        for (const { text } of shown) expect(password !== '' && text.includes(password), 'the new password is shown').toBe(false)
      })
      await bench.decide('DATABASE-POLICY-07', () => {
        expect(password.length).toBe(20)
        for (const pattern of [/[A-Z]/, /[a-z]/, /\d/, /-/]) expect(pattern.test(password), `it holds ${pattern}`).toBe(true)
      })
    },
  )

  check(
    id('rotate-root-again'),
    'DATABASE-ROOT-01',
    'each root rotation ends the password before it',
    rotating,
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { username } = place.sql.admin
      const path = { name: place.connection }
      const body = { ...place.body, root_rotation_statements: [...place.texts.rootRotation, note('root', '{{password}}')] }
      await bench.given('database.writeConnection', { path, body })
      for (let rotation = 1; rotation <= 3; rotation += 1) {
        expect(await bench.call('database.rotateRoot', { path }), `rotation ${rotation}`).toSucceed()
        const passwords = await noted(place.sql, 'root')
        for (const password of passwords) bench.secret(password)
        const loggedIn: boolean[] = []
        for (const password of passwords) loggedIn.push(await place.sql.login({ username, password }))
        expect(loggedIn, `passwords that log in after rotation ${rotation}`).toEqual(passwords.map((_, index) => index === rotation - 1))
      }
    },
  )

  check(
    id('rotate-root-failed'),
    'DATABASE-ROOT-05',
    'when the database refuses a root rotation the old password stays in use',
    rotating,
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { connection: { root_rotation_statements: ['UPDATE no_such_table SET n = 1'] } })
      const path = { name: place.connection }
      const answer = await bench.call('database.rotateRoot', { path })
      expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
      expect(await place.sql.login(place.sql.admin)).toBe(true)
      await bench.call('database.resetConnection', { path })
      const role = await place.role()
      // That the connection serves at once is advised; that it serves again is the old password in use.
      await bench.eventually(async () => (await place.ask(role)).answer.ok, { within: bench.grace })
    },
  )
}
