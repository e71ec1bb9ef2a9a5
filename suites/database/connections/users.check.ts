/** By whom a connection works: by the user that it has now, whatever others of the same address have, and whatever it had before. */
import { check } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds, noted } from '../kinds.ts'

/** The statement by which its executor notes itself, for the user that is made. */
const NOTE_OWN_NAME = `INSERT INTO marker VALUES ('{{username}}', current_user)`

for (const kind of kinds) {
  check(
    `database/${kind.id}/connection-users`,
    ['DATABASE-URL-01', 'DATABASE-CONN-02', 'DATABASE-CONN-06'],
    'a connection uses its own user beside another of the same URL, and a new one once updated or created again',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { login, name, body } = await place.second()
      const path = { name }
      const role = (db_name: string): Promise<string> =>
        place.role({
          db_name,
          creation_statements: [...place.texts.bareCreation, NOTE_OWN_NAME],
          revocation_statements: place.texts.revocation,
        })
      const worksBy = async (username: string, of: string, when: string): Promise<void> => {
        const { answer, credential } = await place.ask(of)
        expect(answer, `credentials ${when}`).toSucceed()
        // While its maker is there to take it back.
        await bench.leases.revoke(credential.lease).catch(() => undefined)
        const [by] = await noted(place.sql, credential.username)
        expect(by?.replace(/@%$/, ''), `who runs the statements ${when}`).toBe(username)
      }
      const [first, second] = [await role(place.connection), await role(name)]
      const { username: administrator } = place.sql.admin
      await bench.decide('DATABASE-URL-01', async () => {
        await worksBy(login.username, second, 'of the connection that was written last')
        await worksBy(administrator, first, 'of the connection that was there before')
      })
      await bench.given('database.writeConnection', { path, body: place.body })
      await bench.decide('DATABASE-CONN-02', () => worksBy(administrator, second, 'once the connection has another user'))
      await bench.given('database.deleteConnection', { path })
      await bench.given('database.writeConnection', { path, body })
      const again = await role(name)
      await bench.decide('DATABASE-CONN-06', () => worksBy(login.username, again, 'once it was deleted and made again'))
    },
  )

  check(
    `database/${kind.id}/rotate-root-of-one`,
    'DATABASE-APART-01',
    'a root rotation is one of its own connection, not of that which another administrator has at the same URL',
    needs(kind, { allow: 'rotateRoot' }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { login, name } = await place.second()
      const { bareCreation: creation_statements, revocation: revocation_statements } = place.texts
      const role = await place.role({ db_name: name, creation_statements, revocation_statements })
      await bench.given('database.rotateRoot', { path: { name: place.connection } })
      await bench.call('database.resetConnection', { path: { name } })
      expect((await place.ask(role)).answer, 'credentials by the other administrator').toSucceed()
      expect(await place.sql.login(login), 'the password of the other administrator').toBe(true)
    },
  )
}
