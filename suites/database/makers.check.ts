/** The maker of a thing has no right to another one for that: what is behind it is nobody's who may not have it. */
import { type CallInput, check } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'
import { kinds } from './kinds.ts'

type Clause = 'CORE-CAP-01' | 'CORE-CAP-04' | 'CORE-CAP-05'

for (const kind of kinds)
  check(
    `database/${kind.id}/makers`,
    ['CORE-CAP-01', 'CORE-CAP-04', 'CORE-CAP-05'],
    'who wrote a connection, a role or a static role may not see or change what it has no right to',
    needs(kind, { features: ['identities'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { username } = await place.staticUser()
      const { texts } = place
      const [connection, role, fixed] = [bench.mixedName('connection'), bench.mixedName('role'), bench.mixedName('static')]
      place.keepConnection(connection)
      place.keepStatic(fixed)
      const named = (name: string): { path: { name: string } } => ({ path: { name } })
      const made: Record<string, CallInput> = {
        'database.writeConnection': { ...named(connection), body: place.body },
        'database.writeRole': { ...named(role), body: { db_name: connection, creation_statements: texts.creation } },
        'database.writeStaticRole': {
          ...named(fixed),
          body: { db_name: connection, username, rotation_period: 86_400, rotation_statements: texts.rotation },
        },
      }
      const asked: [string, Clause, CallInput, by: string][] = [
        ['database.readConnection', 'CORE-CAP-05', named(connection), 'database.writeConnection'],
        ['database.rotateRoot', 'CORE-CAP-04', named(connection), 'database.writeConnection'],
        ['database.resetConnection', 'CORE-CAP-04', named(connection), 'database.writeConnection'],
        ['database.readRole', 'CORE-CAP-05', named(role), 'database.writeRole'],
        ['database.readCreds', 'CORE-CAP-01', named(role), 'database.writeRole'],
        ['database.readStaticRole', 'CORE-CAP-05', named(fixed), 'database.writeStaticRole'],
        ['database.readStaticCreds', 'CORE-CAP-01', named(fixed), 'database.writeStaticRole'],
        ['database.rotateRole', 'CORE-CAP-04', named(fixed), 'database.writeStaticRole'],
      ]
      const makers = new Map<string, Awaited<ReturnType<typeof bench.identity>>>()
      for (const [operation, input] of Object.entries(made)) {
        const as = await bench.identity([{ operation, path: input.path!, capabilities: ['create', 'update'] }])
        makers.set(operation, as)
        await bench.given(operation, { ...input, as })
      }
      // Each is served to who may, so that nothing else is why its maker is refused.
      const before = await bench.given('database.readStaticCreds', named(fixed))
      place.keep(await bench.given('database.readCreds', named(role)))
      for (const [operation, clause, input, by] of asked) {
        const answer = await bench.call(operation, { ...input, as: makers.get(by)! })
        await bench.decide(clause, () => expect(answer, `${operation} by who may ${by}`).toHaveStatus(403, 404))
      }
      await bench.decide('CORE-CAP-04', async () => {
        const after = await bench.given('database.readStaticCreds', named(fixed))
        expect(after.data.password === before.data.password, 'the password of the static user is the one from before').toBe(true)
      })
    },
  )
