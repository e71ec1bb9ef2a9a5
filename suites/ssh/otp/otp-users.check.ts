import { type Bench, type CheckContext, check, type JsonObject, property } from '../../../harness/checks/index.ts'
import { otpFields, refusesCredential, roleWith } from '../fixtures.ts'

const IP = '10.1.2.3'

const expectFor = async ({ bench, expect }: CheckContext, role: string, users: string[]): Promise<void> => {
  for (const username of users) {
    const answer = await bench.call('ssh.createCredential', { path: { name: role }, body: { ip: IP, username } })
    expect(answer, username).toHaveStatus(200)
    expect(answer.data.username).toBe(username)
  }
}

const expectNotFor = async ({ bench }: CheckContext, role: string, users: string[], good: string): Promise<void> => {
  for (const username of users) await refusesCredential(bench, role, { ip: IP, username }, { ip: IP, username: good })
}

check('ssh/otp-users-any', ['SSH-USERS-01', 'SSH-USERS-02'], 'an empty list and an asterisk admit any user', async (context) => {
  const { bench } = context
  const [empty, star] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields({ allowed_users: '*' }))]
  await bench.decide('SSH-USERS-01', () => expectFor(context, empty, ['ubuntu', 'root', 'someone']))
  await bench.decide('SSH-USERS-02', () => expectFor(context, star, ['ubuntu', 'root', 'someone']))
})

const listedRole = (bench: Bench): Promise<string> => roleWith(bench, otpFields({ allowed_users: 'deploy,backup' }))

check(
  'ssh/otp-users-listed',
  ['SSH-USERS-03', 'SSH-USERS-04', 'SSH-USERS-05'],
  'a list admits its names and the default user, and nobody else',
  async (context) => {
    const { bench } = context
    const role = await listedRole(bench)
    await bench.decide('SSH-USERS-03', async () => {
      await expectFor(context, role, ['deploy', 'backup'])
      // Words that a server may reserve are ordinary user names.
      const words = ['default', 'root', 'admin']
      await expectFor(context, await roleWith(bench, otpFields({ allowed_users: words.join(',') })), words)
    })
    await bench.decide('SSH-USERS-04', () => expectNotFor(context, role, ['root', 'someone'], 'deploy'))
    await bench.decide('SSH-USERS-05', () => expectFor(context, role, ['ubuntu']))
  },
)

check('ssh/otp-users-like-listed', 'SSH-USERS-10', 'a name like a listed one is not admitted', async (context) => {
  await expectNotFor(context, await listedRole(context.bench), ['deploye', 'deplo', 'xdeploy', 'deploy backup', 'deploy,backup'], 'deploy')
  // A name is not a pattern.
  const dotted = await roleWith(context.bench, otpFields({ allowed_users: 'web.app,dev-1_x' }))
  await expectNotFor(context, dotted, ['webxapp', 'web-app', 'web', 'app', 'dev-1-x', 'dev1_x'], 'web.app')
})

check('ssh/otp-users-spelling', ['SSH-USERS-15', 'SSH-USERS-19'], 'white space and case of a listed name', async ({ bench }) => {
  const name = await roleWith(bench, otpFields({ allowed_users: 'deploy, backup' }))
  const statusFor = async (username: string) =>
    (await bench.call('ssh.createCredential', { path: { name }, body: { ip: IP, username }, observing: true })).status
  bench.observe('SSH-USERS-15', { status: await statusFor('backup') })
  bench.observe('SSH-USERS-19', { status: await statusFor('Deploy') })
})

const issue = async (bench: Bench, role: string, body: JsonObject = {}): Promise<JsonObject> =>
  (await bench.call('ssh.createCredential', { path: { name: role }, body: { ip: IP, ...body } })).data

check(
  'ssh/otp-credential',
  ['SSH-CREDS-07', 'SSH-CREDS-08', 'SSH-CREDS-09'],
  'a password is for the asked user and address, without a user for the default one',
  async ({ bench, expect }) => {
    const name = await roleWith(bench, otpFields({ allowed_users: 'deploy' }))
    await bench.decide('SSH-CREDS-07', async () => expect((await issue(bench, name, { username: 'deploy' })).username).toBe('deploy'))
    await bench.decide('SSH-CREDS-08', async () => {
      expect((await issue(bench, name)).username, 'without a user').toBe('ubuntu')
      expect((await issue(bench, name, { username: '' })).username, 'with an empty user').toBe('ubuntu')
    })
    await bench.decide('SSH-CREDS-09', async () => {
      for (const ip of [IP, '10.200.0.1']) expect((await issue(bench, name, { ip })).ip).toBe(ip)
    })
  },
)

check('ssh/otp-port', 'SSH-PORT-04', 'a password is for the port of its role, 22 unless it says otherwise', async ({ bench, expect }) => {
  expect((await issue(bench, await roleWith(bench, otpFields()))).port, 'of a role without port').toBe(22)
  for (const port of [1, 2022, 32768, 65535])
    expect((await issue(bench, await roleWith(bench, otpFields({ port })))).port, `of a role with port ${port}`).toBe(port)
})

check('ssh/otp-unique', 'SSH-CREDS-13', 'no two passwords are equal', async ({ bench, expect }) => {
  const name = await roleWith(bench, otpFields())
  const count = bench.effort(12, 40)
  const answers = await Promise.all(
    Array.from({ length: count }, () => bench.given('ssh.createCredential', { path: { name }, body: { ip: IP } })),
  )
  expect(new Set(answers.map(({ data }) => data.key)).size, 'different passwords').toBe(count)
})

check('ssh/creds-of-ca-role', 'SSH-CREDS-16', 'credentials of a ca role', async ({ bench }) => {
  const name = await roleWith(bench, { key_type: 'ca', allow_user_certificates: true, allowed_users: '*' })
  bench.observe('SSH-CREDS-16', (await bench.call('ssh.createCredential', { path: { name }, body: { ip: IP }, observing: true })).status)
})

const NAMES = ['ubuntu', 'deploy', 'backup', 'root', 'de', 'ubuntu2']

property(
  'ssh/otp-users-matrix',
  ['SSH-USERS-03', 'SSH-USERS-04', 'SSH-USERS-05'],
  'default user, list and request decide together who is admitted',
  { runs: [8, 25] },
  ({ fc }) =>
    fc.record({
      defaultUser: fc.constantFrom(...NAMES),
      listed: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
      requested: fc.constantFrom('', ...NAMES),
    }),
  async ({ bench, expect }, { defaultUser, listed, requested }) => {
    const allowed_users = listed.join(',')
    const name = await roleWith(bench, otpFields({ default_user: defaultUser, allowed_users }))
    const answer = await bench.call('ssh.createCredential', { path: { name }, body: { ip: IP, username: requested } })
    const user = requested === '' ? defaultUser : requested
    const words = `default ${defaultUser}, list ${allowed_users}, asked for ${requested || 'nobody'}`
    const granted = user === defaultUser || listed.includes(user)
    const clause = !granted ? 'SSH-USERS-04' : user === defaultUser ? 'SSH-USERS-05' : 'SSH-USERS-03'
    await bench.decide(clause, () => (granted ? expect(answer, words).toHaveStatus(200) : expect(answer, words).toBeRefused()))
  },
)
