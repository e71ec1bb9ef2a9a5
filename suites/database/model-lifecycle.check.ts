/** Random programs over roles, credentials and their revocation. */
import { commandsOf, fc, model } from '../../harness/checks/index.ts'
import { kinds } from './kinds.ts'
import { type Credential, needs, type Place, placeFor } from './place.ts'

const SLOTS = 2

interface World {
  place: Place
  names: string[]
  /** In the order in which they were issued. */
  issued: Credential[]
}
interface State {
  roles: boolean[]
  /** By order of issue: whether the credential must log in. */
  alive: boolean[]
}

const on = commandsOf<State, World>()
const slot = fc.record({ slot: fc.nat(SLOTS - 1) })
const withRole = (state: State, at: number, exists: boolean): State => ({
  ...state,
  roles: state.roles.map((had, index) => (index === at ? exists : had)),
})

for (const kind of kinds)
  model<State, World>(
    `database/${kind.id}/model-lifecycle`,
    'DB-CREDS-07',
    'credentials come from the roles that exist, and log in until they are revoked',
    { ...needs(kind, { features: ['leases'] }), runs: [1, 3, 20] },
    {
      length: 8,
      world: async (bench) => ({
        place: await placeFor(bench, kind),
        names: Array.from({ length: SLOTS }, () => bench.fresh('role')),
        issued: [],
      }),
      initial: () => ({ roles: Array.from({ length: SLOTS }, () => false), alive: [] }),
      commands: {
        writeRole: on({
          arguments: slot,
          weight: 2,
          run: (bench, { slot: at }, { place, names }) => {
            const body = { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 3600, max_ttl: 7200 }
            return bench.call('database.writeRole', { path: { name: names[at]! }, body })
          },
          expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
          next: (state, { slot: at }) => withRole(state, at, true),
        }),
        deleteRole: on({
          arguments: slot,
          run: (bench, { slot: at }, { names }) => bench.call('database.deleteRole', { path: { name: names[at]! } }),
          expects: (state, { slot: at }, seen, expect) => void (state.roles[at] && expect(seen).toSucceed()),
          next: (state, { slot: at }) => withRole(state, at, false),
        }),
        issue: on({
          arguments: slot,
          weight: 3,
          async run(_bench, { slot: at }, { place, names, issued }) {
            const { answer, credential } = await place.ask(names[at]!)
            if (answer.ok) issued.push(credential)
            return { answer, loggedIn: answer.ok && (await place.sql.login(credential)) }
          },
          expects(state, { slot: at }, { answer, loggedIn }, expect) {
            if (!state.roles[at]) return void expect(answer).toHaveStatus(400, 404)
            expect(answer).toSucceed()
            expect(loggedIn, 'the new credential logs in').toBe(true)
          },
          next: (state, { slot: at }) => (state.roles[at] ? { ...state, alive: [...state.alive, true] } : state),
        }),
        revoke: on({
          arguments: fc.record({ which: fc.nat(3) }),
          weight: 2,
          resolve: (state, { which }) => (which < state.alive.length ? { which } : undefined),
          run: async (bench, { which }, { issued }) => bench.leases.revoke(issued[which]!.lease),
          expects: () => {},
          next: (state, { which }) => ({ ...state, alive: state.alive.map((lives, index) => lives && index !== which) }),
        }),
      },
      async invariants({ bench, expect }, state, { place, issued }) {
        expect(issued.length).toBe(state.alive.length)
        for (const [index, lives] of state.alive.entries()) {
          if (lives) expect(await place.sql.login(issued[index]!), 'a credential that is not revoked').toBe(true)
          else await bench.eventually(async () => !(await place.sql.login(issued[index]!)), { because: 'a revoked credential is refused' })
        }
      },
    },
  )
