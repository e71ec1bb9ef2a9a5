/** Random programs over roles, credentials and their revocation. */
import { commandsOf, fc, model, ReadBack } from '../../harness/checks/index.ts'
import { type Credential, needs, type Place, placeFor } from './fixtures.ts'
import { kinds } from './kinds.ts'

const SLOTS = 2

interface World {
  place: Place
  names: string[]
  /** In the order in which they were issued. */
  issued: Credential[]
  roles: ReadBack
}
interface State {
  roles: boolean[]
  /** By order of issue; `unclear` where the role is gone that issued it, for nothing says whether its credentials go with it. */
  issued: { slot: number; is: 'alive' | 'revoked' | 'unclear' }[]
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
    'DATABASE-CREDS-07',
    'credentials come from the roles that exist, and log in until they are revoked',
    { ...needs(kind, { features: ['leases'] }), runs: [1, 3] },
    {
      length: 8,
      async world(bench) {
        const place = await placeFor(bench, kind)
        const { name } = await place.staticRole()
        const roles = await ReadBack.begin(bench, {
          read: 'database.readRole',
          list: 'database.listRoles',
          bystanders: [
            { operation: 'database.readConnection', input: { path: { name: place.connection } } },
            { operation: 'database.readStaticRole', input: { path: { name } } },
          ],
        })
        return { place, names: Array.from({ length: SLOTS }, () => bench.mixedName('role')), issued: [], roles }
      },
      initial: () => ({ roles: Array.from({ length: SLOTS }, () => false), issued: [] }),
      examples: [
        [
          { command: 'writeRole', drawn: { slot: 0 } },
          { command: 'issue', drawn: { slot: 0 } },
          { command: 'issue', drawn: { slot: 0 } },
          { command: 'revoke', drawn: { which: 0 } },
        ],
      ],
      commands: {
        writeRole: on({
          arguments: slot,
          weight: 2,
          async run(bench, { slot: at }, { place, names, roles }) {
            const body = { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 3600, max_ttl: 7200 }
            await bench.given('database.writeRole', { path: { name: names[at]! }, body })
            await roles.written(names[at]!)
          },
          expects: () => {},
          next: (state, { slot: at }) => withRole(state, at, true),
        }),
        deleteRole: on({
          arguments: slot,
          async run(bench, { slot: at }, { names, roles }) {
            const answer = await bench.call('database.deleteRole', { path: { name: names[at]! } })
            if (answer.ok) roles.removed(names[at]!)
            return answer
          },
          expects: (state, { slot: at }, seen, expect) => void (state.roles[at] && expect(seen).toSucceed()),
          next: (state, { slot: at }) => ({
            ...withRole(state, at, false),
            issued: state.issued.map((had) => (had.slot === at && had.is === 'alive' ? { ...had, is: 'unclear' } : had)),
          }),
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
          next: (state, { slot: at }) => (state.roles[at] ? { ...state, issued: [...state.issued, { slot: at, is: 'alive' }] } : state),
        }),
        revoke: on({
          arguments: fc.record({ which: fc.nat(3) }),
          weight: 2,
          // A second revocation may be refused.
          resolve: (state, { which }) => (state.issued[which]?.is === 'alive' ? { which } : undefined),
          run: async (bench, { which }, { issued }) => bench.leases.revoke(issued[which]!.lease),
          expects: () => {},
          next: (state, { which }) => ({
            ...state,
            issued: state.issued.map((had, index) => (index === which ? { ...had, is: 'revoked' } : had)),
          }),
        }),
      },
      async invariants({ bench, expect }, state, { place, names, issued, roles }) {
        await roles.agrees({ bench, expect }, names)
        expect(issued.length).toBe(state.issued.length)
        for (const [index, { is }] of state.issued.entries()) {
          if (is === 'alive') expect(await place.sql.login(issued[index]!), 'a credential that is not revoked').toBe(true)
          if (is === 'revoked')
            await bench.eventually(async () => !(await place.sql.login(issued[index]!)), { because: 'a revoked credential is refused' })
        }
      },
    },
  )
