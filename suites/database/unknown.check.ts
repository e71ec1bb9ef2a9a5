/** Names that nobody gave. */
import { check } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'
import { kinds, runs } from './kinds.ts'
import { STATIC_ROLES } from './static-roles/static-checks.ts'
import { unverified } from './unverified.ts'

check(
  'database/connection-unknown',
  ['DATABASE-CONN-04', 'DATABASE-CONN-08'],
  'an unknown connection is not found',
  async ({ bench, expect }) => {
    const name = bench.fresh('unknown')
    const read = await bench.call('database.readConnection', { path: { name } })
    await bench.decide('DATABASE-CONN-04', () => expect(read).toHaveStatus(404))
    const deleted = await bench.call('database.deleteConnection', { path: { name }, observing: true })
    bench.observe('DATABASE-CONN-08', deleted.status)
  },
)

check(
  'database/role-unknown',
  ['DATABASE-ROLE-04', 'DATABASE-ROLE-07', 'DATABASE-CREDS-04'],
  'an unknown role is not found and gives no credentials',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const read = await bench.call('database.readRole', { path })
    await bench.decide('DATABASE-ROLE-04', () => expect(read).toHaveStatus(404))
    const creds = await bench.call('database.readCreds', { path })
    await bench.decide('DATABASE-CREDS-04', () => expect(creds).toHaveStatus(400, 404))
    bench.observe('DATABASE-ROLE-07', (await bench.call('database.deleteRole', { path, observing: true })).status)
  },
)

check(
  'database/static-unknown',
  ['DATABASE-STATIC-06', 'DATABASE-STATIC-10'],
  'an unknown static role is not found',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const read = await bench.call('database.readStaticRole', { path })
    await bench.decide('DATABASE-STATIC-06', () => expect(read).toHaveStatus(404))
    bench.observe('DATABASE-STATIC-10', (await bench.call('database.deleteStaticRole', { path, observing: true })).status)
  },
)

check(
  'database/static-actions-unknown',
  ['DATABASE-SCREDS-07', 'DATABASE-ROTATE-05'],
  'an unknown static role gives no credentials and is not rotated',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const creds = await bench.call('database.readStaticCreds', { path })
    await bench.decide('DATABASE-SCREDS-07', () => expect(creds).toHaveStatus(400, 404))
    const rotated = await bench.call('database.rotateRole', { path })
    await bench.decide('DATABASE-ROTATE-05', () => expect(rotated).toHaveStatus(400, 404))
  },
)

check(
  'database/connection-actions-unknown',
  ['DATABASE-RESET-04', 'DATABASE-ROOT-04'],
  'an unknown connection is neither reset nor rotated',
  async ({ bench, expect }) => {
    const deleted = await unverified(bench)
    await bench.call('database.resetConnection', { path: { name: deleted } })
    await bench.given('database.deleteConnection', { path: { name: deleted } })
    for (const name of [bench.fresh('unknown'), deleted]) {
      const path = { name }
      const what = name === deleted ? 'a connection that was deleted' : 'a connection that never was'
      const reset = await bench.call('database.resetConnection', { path })
      await bench.decide('DATABASE-RESET-04', () => expect(reset, what).toBeRefused())
      const rotated = await bench.call('database.rotateRoot', { path })
      await bench.decide('DATABASE-ROOT-04', () => expect(rotated, what).toBeRefused())
    }
  },
)

/** What asks for a thing of each kind, the clause of an unknown one, and the status that it has; a refusal where none is stated. */
const ASKED: Record<string, readonly [operation: string, clause: string, ...status: number[]][]> = {
  connection: [
    ['database.readConnection', 'DATABASE-CONN-04', 404],
    ['database.resetConnection', 'DATABASE-RESET-04'],
    ['database.rotateRoot', 'DATABASE-ROOT-04'],
  ],
  role: [
    ['database.readRole', 'DATABASE-ROLE-04', 404],
    ['database.readCreds', 'DATABASE-CREDS-04', 400, 404],
  ],
  'static role': [
    ['database.readStaticRole', 'DATABASE-STATIC-06', 404],
    ['database.readStaticCreds', 'DATABASE-SCREDS-07', 400, 404],
    ['database.rotateRole', 'DATABASE-ROTATE-05', 400, 404],
  ],
}

for (const kind of kinds)
  check(
    `database/${kind.id}/unknown-as-such`,
    Object.values(ASKED).flatMap((asked) => asked.map(([, clause]) => clause)),
    'a name that only a thing of another kind has is as unknown as any',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const names: Record<string, string> = { connection: place.connection, role: await place.role() }
      if (runs(bench, kind, STATIC_ROLES)) names['static role'] = (await place.staticRole()).name
      await place.credential(names.role!)
      for (const [what, asked] of Object.entries(ASKED))
        for (const [owner, name] of Object.entries(names).filter(([other]) => other !== what))
          for (const [operation, clause, ...status] of asked) {
            const answer = await bench.call(operation, { path: { name } })
            await bench.decide(clause, () => {
              const words = `${operation}, by the name of a ${owner}`
              if (status.length === 0) expect(answer, words).toBeRefused()
              else expect(answer, words).toHaveStatus(...status)
            })
          }
    },
  )
