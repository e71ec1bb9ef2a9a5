import { type Bench, check, type Identity } from '../../../harness/checks/index.ts'
import { caFields, otpFields, ownMount, request, roleWith, withCa } from '../fixtures.ts'

interface Templated {
  /** A template that stands for the caller's display name. */
  template: string
  caller: Identity & { displayName: string }
}

/** The template that servers of this family know, tried where the configuration names none. */
const USUAL = '{{identity.entity.name}}'

const issueAs = (bench: Bench, role: string, caller: Identity, username: string) =>
  bench.call('ssh.createCredential', { path: { name: role }, body: { ip: '10.1.2.3', username }, as: caller })

/** Whether the usual template stands for the caller's display name here: what a server's templates are called the documents do not say. */
const isUsual = async (bench: Bench, caller: Identity & { displayName: string }): Promise<boolean> => {
  const users = { allowed_users: `deploy,${USUAL}`, allowed_users_template: true }
  const issued = await issueAs(bench, await roleWith(bench, otpFields(users)), caller, caller.displayName)
  if (issued.ok) return bench.needing('identityTemplates', issued).ok
  await withCa(bench)
  return bench.needing('identityTemplates', await signAs(bench, caller, await roleWith(bench, caFields(users)), caller.displayName)).ok
}

/** A caller with a display name that is known. */
const callerNamed = async (bench: Bench, wanted: string, end = ''): Promise<Templated['caller']> => {
  const { displayName, ...identity } = await bench.identity(
    ['ssh.signKey', 'ssh.createCredential'].map((operation) => ({ operation, capabilities: ['create', 'update'] })),
    // Of its own: entities of one name are one.
    { displayName: `${bench.fresh(wanted)}${end}`, entity: true },
  )
  if (displayName === undefined) bench.blocked('the display name of the token is not known', 'use a provisioner that makes tokens')
  return { ...identity, displayName }
}

/** A caller whose display name looks like a list that ends in a user; undefined where no token has such a name. */
const callerListing = async (bench: Bench, user: string): Promise<Templated['caller'] | undefined> => {
  const caller = await callerNamed(bench, 'harbour', `,${user}`).catch(() => undefined)
  return caller?.displayName.endsWith(`,${user}`) ? caller : undefined
}

/** A caller whose value of a template is known: the configuration's `ssh.identityTemplate`, or the usual one, stands for its display name. */
const templated = async (bench: Bench): Promise<Templated> => {
  const caller = await callerNamed(bench, 'harbour')
  const template = bench.setting<string>('ssh.identityTemplate') ?? ((await isUsual(bench, caller)) ? USUAL : undefined)
  if (template === undefined)
    bench.blocked(
      'no template is known whose value is the display name of a token',
      'set settings.ssh.identityTemplate in the configuration, or ASSAY_SSH_IDENTITY_TEMPLATE',
      'identityTemplates',
    )
  return { template, caller }
}

/** The caller's way to a signature by a role. */
const signAs = (bench: Bench, caller: Identity, name: string, user: string) =>
  bench.call('ssh.signKey', { path: { name }, body: request(user), as: caller })

check(
  'ssh/user-templates-off',
  'SSH-TEMPLATE-01',
  'without templates a template stands for nobody',
  ownMount,
  async ({ bench, expect }) => {
    await withCa(bench)
    const { template, caller } = await templated(bench)
    const role = await roleWith(bench, caFields({ allowed_users: `deploy,${template}` }))
    expect(await signAs(bench, caller, role, caller.displayName), 'the value, templates being off').toBeRefused()
    expect(await signAs(bench, caller, role, 'deploy'), 'a listed name').toHaveStatus(200)
  },
)

check(
  'ssh/user-templates',
  ['SSH-TEMPLATE-02', 'SSH-TEMPLATE-03', 'SSH-TEMPLATE-04'],
  'templates admit the caller’s own value where they are enabled',
  ownMount,
  async ({ bench, expect }) => {
    await withCa(bench)
    const { template, caller } = await templated(bench)
    const role = await roleWith(bench, caFields({ allowed_users: `deploy,${template}`, allowed_users_template: true }))
    const sign = (user: string) => signAs(bench, caller, role, user)
    await bench.decide('SSH-TEMPLATE-02', async () => expect(await sign(caller.displayName)).toHaveStatus(200))
    await bench.decide('SSH-TEMPLATE-03', async () => expect(await sign('deploy')).toHaveStatus(200))
    await bench.decide('SSH-TEMPLATE-04', async () => {
      for (const user of ['root', `${caller.displayName}x`, `x${caller.displayName}`, template])
        expect(await sign(user), user).toBeRefused()
      const listing = await callerListing(bench, 'root')
      if (listing) expect(await signAs(bench, listing, role, 'root'), `root, for ${listing.displayName}`).toBeRefused()
    })
  },
)

for (const [way, ask, fields, clauses] of [
  ['sign', signAs, caFields, ['SSH-TEMPLATE-02', 'SSH-TEMPLATE-04']],
  ['otp', (bench, caller, role, user) => issueAs(bench, role, caller, user), otpFields, ['SSH-TEMPLATE-06', 'SSH-TEMPLATE-07']],
] as [string, typeof signAs, typeof caFields, [string, string]][])
  check(
    `ssh/user-templates-of-two-${way}`,
    clauses,
    'a template stands for the caller who asks, one after another',
    ownMount,
    async ({ bench, expect }) => {
      await withCa(bench)
      const { template, caller } = await templated(bench)
      const second = await callerNamed(bench, 'meadow')
      if (second.displayName === caller.displayName)
        bench.blocked('two tokens have one display name', 'use a provisioner that names tokens')
      const role = await roleWith(bench, fields({ allowed_users: `deploy,${template}`, allowed_users_template: true }))
      for (const [own, other] of [
        [caller, second],
        [second, caller],
        [caller, second],
      ] as const) {
        await bench.decide(clauses[0], async () => expect(await ask(bench, own, role, own.displayName), 'its own name').toHaveStatus(200))
        await bench.decide(clauses[1], async () =>
          expect(await ask(bench, own, role, other.displayName), 'the name of another').toBeRefused(),
        )
      }
    },
  )

check(
  'ssh/user-templates-otp',
  ['SSH-TEMPLATE-06', 'SSH-TEMPLATE-07'],
  'templates admit the caller’s own value to passwords too',
  ownMount,
  async ({ bench, expect }) => {
    const { template, caller } = await templated(bench)
    const name = await roleWith(bench, otpFields({ allowed_users: `deploy,${template}`, allowed_users_template: true }))
    const issue = (username: string) => issueAs(bench, name, caller, username)
    expect(await issue('deploy'), 'a listed name').toHaveStatus(200)
    await bench.decide('SSH-TEMPLATE-06', async () => expect(await issue(caller.displayName)).toHaveStatus(200))
    await bench.decide('SSH-TEMPLATE-07', async () => {
      for (const user of ['root', `${caller.displayName}x`, `x${caller.displayName}`, template])
        expect(await issue(user), user).toBeRefused()
      const listing = await callerListing(bench, 'root')
      if (listing) expect(await issueAs(bench, name, listing, 'root'), `root, for ${listing.displayName}`).toBeRefused()
    })
  },
)
