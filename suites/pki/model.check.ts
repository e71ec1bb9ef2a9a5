/** Random programs of role changes, issues, revocations and deletions, held against a model of the mount. */
import {
  type Answer,
  type Bench,
  type CheckContext,
  certificateRequest,
  commandsOf,
  fc,
  type Model,
  model,
  ReadBack,
  race,
} from '../../harness/checks/index.ts'
import { ownMount, plainSerial, quickKey, readBySerial, withRoot } from './fixtures.ts'

const DOMAINS = ['one.example', 'two.example']

interface Certificate {
  serial: string
  revoked: boolean
}

interface State {
  /** Domain that each role allows; missing for an absent role. */
  roles: Record<string, string>
  certificates: Certificate[]
}

interface World {
  names: string[]
  /** Roles as they were written; absent where requests meet. */
  roles?: ReadBack
}

const on = commandsOf<State, World>()
const roleAndDomain = fc.record({ role: fc.nat(1), domain: fc.nat(1) })
const oneRole = fc.record({ role: fc.nat(1) })

const expectsIssue = (
  state: State,
  { role, domain }: { role: number; domain: number },
  seen: Answer,
  expect: CheckContext['expect'],
): void => {
  if (state.roles[role] === DOMAINS[domain]) expect(seen).toSucceed()
  else expect(seen).toBeRefused()
}
const withIssued = (state: State, seen: Answer | undefined): State =>
  seen?.ok ? { ...state, certificates: [...state.certificates, { serial: String(seen.data.serial_number), revoked: false }] } : state
const without = (roles: State['roles'], role: number): State['roles'] =>
  Object.fromEntries(Object.entries(roles).filter(([name]) => name !== String(role)))

const commands: Model<State, World>['commands'] = {
  writeRole: on({
    arguments: roleAndDomain,
    weight: 3,
    async run(bench, { role, domain }, { names, roles }) {
      const answer = await bench.call('pki.writeRole', {
        path: { name: names[role]! },
        body: { allowed_domains: [DOMAINS[domain]!], allow_subdomains: true, ttl: '1h', ...quickKey },
      })
      if (answer.ok) await roles?.written(names[role]!)
      return answer
    },
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { role, domain }) => ({ ...state, roles: { ...state.roles, [role]: DOMAINS[domain]! } }),
  }),
  deleteRole: on({
    arguments: oneRole,
    resolve: (state, drawn) => (drawn.role in state.roles ? drawn : undefined),
    async run(bench, { role }, { names, roles }) {
      const answer = await bench.call('pki.deleteRole', { path: { name: names[role]! } })
      if (answer.ok) roles?.removed(names[role]!)
      return answer
    },
    expects: (_state, _input, seen, expect) => expect(seen.status === 404 || seen.ok).toBe(true),
    next: (state, { role }) => ({ ...state, roles: without(state.roles, role) }),
  }),
  issue: on({
    arguments: roleAndDomain,
    weight: 4,
    run: (bench, { role, domain }, { names }) =>
      bench.call('pki.issue', { path: { name: names[role]! }, body: { common_name: `a.${DOMAINS[domain]}` } }),
    expects: expectsIssue,
    next: (state, _input, seen) => withIssued(state, seen),
  }),
  sign: on({
    arguments: roleAndDomain,
    weight: 2,
    run: async (bench, { role, domain }, { names }) =>
      bench.call('pki.sign', {
        path: { name: names[role]! },
        body: { csr: await certificateRequest({ commonName: `a.${DOMAINS[domain]}` }) },
      }),
    expects: expectsIssue,
    next: (state, _input, seen) => withIssued(state, seen),
  }),
  revoke: on({
    arguments: fc.record({ pick: fc.nat(3), hyphens: fc.boolean(), serial: fc.constant<string>('') }),
    weight: 2,
    resolve(state, drawn) {
      const found = state.certificates[drawn.pick]
      return found === undefined || found.revoked ? undefined : { ...drawn, serial: found.serial }
    },
    run: (bench, { hyphens, serial }) =>
      bench.call('pki.revoke', { body: { serial_number: hyphens ? serial.replaceAll(':', '-') : serial } }),
    // What a second revocation is answered with is open.
    expects: (state, { serial }, seen, expect) =>
      void (state.certificates.some((one) => one.serial === serial && !one.revoked) && expect(seen).toHaveStatus(200)),
    next: (state, { serial }) => ({
      ...state,
      certificates: state.certificates.map((certificate) =>
        certificate.serial === serial ? { ...certificate, revoked: true } : certificate,
      ),
    }),
  }),
  readRole: on({
    arguments: oneRole,
    run: (bench, { role }, { names }) => bench.call('pki.readRole', { path: { name: names[role]! } }),
    expects: (state, { role }, seen, expect) => {
      if (role in state.roles) expect(seen.data.allowed_domains).toEqual([state.roles[role]!])
      else expect(seen).toHaveStatus(404)
    },
    next: (state) => state,
  }),
}

const world = async (bench: Bench): Promise<World> => {
  await withRoot(bench)
  return { names: [bench.mixedName('role'), bench.mixedName('role')] }
}

const write = (domain: number) => ({ command: 'writeRole', drawn: { role: 0, domain } })
const issue = { command: 'issue', drawn: { role: 0, domain: 0 } }
const revocation = { command: 'revoke', drawn: { pick: 0, hyphens: true, serial: '' } }

model(
  'pki/model',
  'PKI-ISSUE-17',
  'programs of role changes, issues and revocations follow the model',
  { needs: ownMount },
  {
    world: async (bench) => ({
      ...(await world(bench)),
      roles: await ReadBack.begin(bench, { read: 'pki.readRole', list: 'pki.listRoles' }),
    }),
    initial: () => ({ roles: {}, certificates: [] }),
    commands,
    examples: [
      [write(0), issue, { command: 'sign', drawn: { role: 0, domain: 0 } }, revocation, { command: 'readRole', drawn: { role: 0 } }],
    ],
    async invariants({ bench, expect }, state, { names, roles }) {
      await roles?.agrees({ bench, expect }, names)
      // What becomes of the revoked ones in list and read is not stated.
      const valid = state.certificates.filter(({ revoked }) => !revoked)
      if (valid.length === 0) return
      const keys = ((await bench.call('pki.listCertificates')).data.keys as string[]).map(plainSerial)
      for (const { serial } of valid) expect(keys).toContain(plainSerial(serial))
      expect(await readBySerial(bench, valid[0]!.serial)).toHaveStatus(200)
    },
  },
)

race(
  'pki/race',
  'PKI-ISSUE-18',
  'concurrent issues, revocations and role changes have an order',
  { needs: ownMount },
  {
    world,
    initial: () => ({ roles: {}, certificates: [] }),
    commands,
    concurrent: ['writeRole', 'deleteRole', 'issue', 'revoke'],
    prefix: 4,
    examples: [
      { prefix: [write(0), issue], branches: [[revocation], [write(1)], [issue]] },
      { prefix: [write(0), issue], branches: [[revocation], [revocation]] },
    ],
    probes: [
      { command: 'readRole', drawn: { role: 0 } },
      { command: 'readRole', drawn: { role: 1 } },
      write(1),
      { command: 'issue', drawn: { role: 0, domain: 1 } },
    ],
  },
)
