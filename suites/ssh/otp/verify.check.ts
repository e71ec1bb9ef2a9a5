import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, check, type JsonObject, leasesNothing } from '../../../harness/checks/index.ts'
import { otpFields, ownMount, roleWith } from '../fixtures.ts'

const issue = async (bench: Bench, role: string, body: JsonObject, mount?: string): Promise<string> => {
  const { data } = await bench.given('ssh.createCredential', { path: { name: role }, body, ...(mount === undefined ? {} : { mount }) })
  return String(data.key)
}

const fresh = async (bench: Bench): Promise<string> => issue(bench, await roleWith(bench, otpFields()), { ip: '10.1.2.3' })

const verify = (bench: Bench, otp: string) => bench.call('ssh.verifyOtp', { body: { otp }, as: 'none' })
const observed = async (bench: Bench, otp: string) =>
  (await bench.call('ssh.verifyOtp', { body: { otp }, as: 'none', observing: true })).status

const GONE = 'a used password leaves no state'

check(
  'ssh/otp-stands-for',
  ['SSH-VERIFY-01', 'SSH-VERIFY-02'],
  'a password gives the address and the user that it was issued for',
  async ({ bench, expect }) => {
    const role = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8,192.0.2.0/24', allowed_users: 'deploy,backup,root' }))
    const wanted = [
      { ip: '10.1.2.3', username: 'deploy' },
      { ip: '10.1.2.4', username: 'backup' },
      { ip: '10.1.2.3', username: 'root' },
      { ip: '192.0.2.7', username: 'deploy' },
      // Several for one user at one address are as many passwords.
      { ip: '10.1.2.3', username: 'deploy' },
      { ip: '10.1.2.3', username: 'deploy' },
    ]
    const issued: { otp: string; wanted: (typeof wanted)[number] }[] = []
    for (const body of wanted) issued.push({ otp: await issue(bench, role, body), wanted: body })
    for (const { otp, wanted: body } of bench.random.shuffle(issued)) {
      const answer = await bench.call('ssh.verifyOtp', { body: { otp } })
      await bench.decide('SSH-VERIFY-01', () => {
        expect(answer, 'a password that nobody used').toSucceed()
        expect(answer.data.ip).toBe(body.ip)
      })
      await bench.decide('SSH-VERIFY-02', () => expect(answer.data.username).toBe(body.username))
    }
  },
)

check(
  'ssh/otp-outlives-changes',
  ['SSH-VERIFY-01', 'SSH-VERIFY-02'],
  'a password gives the address and the user that it was issued for, whatever its role says by then',
  async ({ bench, expect }) => {
    const role = await roleWith(bench, otpFields({ allowed_users: 'deploy' }))
    const byDefault = await issue(bench, role, { ip: '10.1.2.3' })
    const named = await issue(bench, role, { ip: '10.1.2.4', username: 'deploy' })
    await bench.given('ssh.writeRole', { path: { name: role }, body: otpFields({ default_user: 'guest', allowed_users: 'backup' }) })
    for (const [otp, ip, username] of [
      [byDefault, '10.1.2.3', 'ubuntu'],
      [named, '10.1.2.4', 'deploy'],
    ] as const) {
      const answer = await verify(bench, otp)
      // Whether a password survives a change of its role is not said.
      if (!answer.ok) {
        for (const clause of ['SSH-VERIFY-01', 'SSH-VERIFY-02']) bench.observe(clause, answer.status)
        continue
      }
      await bench.decide('SSH-VERIFY-01', () => expect(answer.data.ip).toBe(ip))
      await bench.decide('SSH-VERIFY-02', () => expect(answer.data.username).toBe(username))
    }
  },
)

check(
  'ssh/otps-side-by-side',
  ['SSH-VERIFY-01', 'SSH-VERIFY-02'],
  'a password stays good while others are made for its address, its user and its role',
  async ({ bench, expect }) => {
    const fields = otpFields({ allowed_users: 'deploy' })
    const [one, two] = [await roleWith(bench, fields), await roleWith(bench, { ...fields, default_user: 'deploy' })]
    const body = { ip: '10.1.2.3', username: 'deploy' }
    const passwords: string[] = []
    for (const role of [one, two, one, two, two]) passwords.push(await issue(bench, role, body))
    expect(new Set(passwords).size, 'different passwords').toBe(passwords.length)
    for (const [index, otp] of passwords.entries()) {
      const answer = await verify(bench, otp)
      await bench.decide('SSH-VERIFY-01', () => {
        expect(answer, `password ${index + 1} of ${passwords.length}`).toSucceed()
        expect(answer.data.ip).toBe(body.ip)
      })
      await bench.decide('SSH-VERIFY-02', () => expect(answer.data.username).toBe(body.username))
    }
  },
)

check('ssh/otp-single-use', 'SSH-VERIFY-03', 'a password is accepted once', async ({ bench, expect }) => {
  const otp = await fresh(bench)
  expect(await verify(bench, otp), 'the first use').toHaveStatus(200)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await bench.refuses('ssh.verifyOtp', {
      bad: { body: { otp } },
      control: async () => ({ body: { otp: await fresh(bench) } }),
      unchanged: null,
      because: GONE,
    })
  }
})

check(
  'ssh/otp-stays-used',
  'SSH-VERIFY-03',
  'a used password stays used, whatever is refused or used after it',
  async ({ bench, expect }) => {
    const used = [await fresh(bench), await fresh(bench)]
    for (const otp of used) expect(await verify(bench, otp), 'the first use').toHaveStatus(200)
    const other = bench.canary('other')
    for (const otp of [other, await fresh(bench), ...used, other]) await verify(bench, otp)
    for (const otp of used) expect(await verify(bench, otp), 'a use after other passwords were refused and used').toBeRefused()
    expect(await verify(bench, await fresh(bench)), 'a new one').toHaveStatus(200)
  },
)

check('ssh/otp-any-letters', 'SSH-VERIFY-02', 'a user name comes back as it was given', async ({ bench, expect }) => {
  const role = await roleWith(bench, otpFields())
  for (const username of ['jörg', 'Ωμέγα', 'o.neil-2_x', 'DEPLOY', '123']) {
    const answer = await bench.call('ssh.createCredential', { path: { name: role }, body: { ip: '10.1.2.3', username } })
    // Which letters a user name may have is not said: what is taken is kept.
    if (!answer.ok) expect(answer, username).toBeRefused()
    else expect((await verify(bench, String(answer.data.key))).data.username).toBe(username)
  }
})

check('ssh/verify-without-token', 'SSH-VERIFY-04', 'verification needs no token', async ({ bench, expect }) => {
  expect(await verify(bench, await fresh(bench))).toHaveStatus(200)
})

check(
  'ssh/verify-refusals',
  ['SSH-VERIFY-05', 'SSH-VERIFY-06', 'SSH-VERIFY-07'],
  'a value that was never issued is not a password',
  async ({ bench }) => {
    const good = async () => ({ body: { otp: await fresh(bench) } })
    const refuses = (clause: string, body: JsonObject) =>
      bench.decide(clause, async () => {
        await bench.refuses('ssh.verifyOtp', { bad: { body }, control: good, unchanged: null, because: GONE })
      })
    const real = await fresh(bench)
    for (const otp of bench.few(['2f7e25a2-24c9-4b7b-0d35-27d5e5203a5c', `${real}0`, `0${real}`, real.slice(0, -1), real.slice(1)]))
      await refuses('SSH-VERIFY-05', { otp })
    await refuses('SSH-VERIFY-06', {})
    await refuses('SSH-VERIFY-06', { otp: '' })
    await refuses('SSH-VERIFY-07', { otp: { a: real } })
  },
)

check('ssh/otp-beside-refused', 'SSH-VERIFY-01', 'a password stays valid while others are refused', async ({ bench, expect }) => {
  const [first, second] = [await fresh(bench), await fresh(bench)]
  for (const otp of [bench.canary('other'), `${first}0`, '']) expect(await verify(bench, otp), 'what was never issued').toBeRefused()
  for (const otp of [first, second]) expect(await verify(bench, otp), 'a password that was open meanwhile').toHaveStatus(200)
})

/** Milliseconds between two uses of one password. */
const GAPS = [1, 2, 4, 8, 16, 32]

check(
  'ssh/verify-race',
  'SSH-VERIFY-08',
  'of uses at once, or moments apart, one succeeds',
  { kind: 'race' },
  async ({ bench, expect }) => {
    for (let round = 0; round < bench.effort(2, 6); round += 1) {
      const otp = await fresh(bench)
      const answers = await Promise.all(Array.from({ length: bench.effort(8, 20) }, () => verify(bench, otp)))
      expect(answers.filter(({ ok }) => ok).length, 'successful uses of one password').toBe(1)
    }
    for (const gap of bench.few(GAPS)) {
      const otp = await fresh(bench)
      const answers = await Promise.all([verify(bench, otp), sleep(gap).then(() => verify(bench, otp))])
      expect(answers.filter(({ ok }) => ok).length, `successful uses of one password, ${gap} ms apart`).toBe(1)
    }
  },
)

check(
  'ssh/otp-per-mount',
  'SSH-VERIFY-09',
  'a password is valid at its own mount only',
  { needs: { features: ['mounts'] } },
  async ({ bench, expect }) => {
    const [here, there] = [await bench.mount('ssh'), await bench.mount('ssh')]
    const body = otpFields()
    const role = await roleWith(bench, body, here)
    await bench.given('ssh.writeRole', { path: { name: role }, body, mount: there })
    const otp = await issue(bench, role, { ip: '10.1.2.3' }, here)
    expect(await bench.call('ssh.verifyOtp', { body: { otp }, mount: there }), 'at the other mount').toBeRefused()
    expect(await bench.call('ssh.verifyOtp', { body: { otp }, mount: here }), 'at its own mount').toHaveStatus(200)
  },
)

check(
  'ssh/otp-lease-revoked',
  'SSH-VERIFY-10',
  'a password ends with its lease',
  { needs: { features: ['leases'] } },
  async ({ bench }) => {
    const role = await roleWith(bench, otpFields())
    const { body, data } = await bench.given('ssh.createCredential', { path: { name: role }, body: { ip: '10.1.2.3' } })
    const leaseId = String((body as JsonObject).lease_id ?? '')
    if (leaseId === '') bench.blocked('the password has no lease', 'nothing: this target does not lease passwords')
    await bench.leases.revoke(leaseId)
    await bench.eventually(async () => (await verify(bench, await issue(bench, role, { ip: '10.1.2.3' }))).ok, {
      because: 'another password works',
    })
    await bench.refuses('ssh.verifyOtp', {
      bad: { body: { otp: String(data.key) } },
      control: async () => ({ body: { otp: await issue(bench, role, { ip: '10.1.2.3' }) } }),
      unchanged: null,
      because: GONE,
    })
  },
)

check('ssh/otp-lease-stays', 'CORE-ENV-10', 'what is read after a password carries no lease', async (context) => {
  const role = await roleWith(context.bench, otpFields())
  await issue(context.bench, role, { ip: '10.1.2.3' })
  await leasesNothing(context, 'ssh.readRole', { path: { name: role } })
})

check('ssh/otp-after-its-role', 'SSH-VERIFY-11', 'a password whose role is gone', async ({ bench }) => {
  const role = await roleWith(bench, otpFields())
  const otp = await issue(bench, role, { ip: '10.1.2.3' })
  await bench.given('ssh.deleteRole', { path: { name: role } })
  bench.observe('SSH-VERIFY-11', await observed(bench, otp))
})

check('ssh/otp-after-a-change', 'SSH-VERIFY-12', 'a password whose role has changed', ownMount, async ({ bench }) => {
  const role = await roleWith(bench, otpFields())
  const [rewritten, unlisted] = [await issue(bench, role, { ip: '10.1.2.3' }), await roleWith(bench, otpFields())]
  await bench.given('ssh.writeRole', { path: { name: role }, body: otpFields({ cidr_list: '192.0.2.0/24' }) })
  await bench.given('ssh.writeZeroAddress', { body: { roles: unlisted } })
  const beyond = await issue(bench, unlisted, { ip: '172.16.1.1' })
  await bench.given('ssh.deleteZeroAddress')
  bench.observe('SSH-VERIFY-12', { rewritten: await observed(bench, rewritten), unlisted: await observed(bench, beyond) })
})
