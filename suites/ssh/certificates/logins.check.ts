import { check, type JsonObject, type SshKeyPair, sshOracle, validHere } from '../../../harness/checks/index.ts'
import { caFields, hostFields, roleWith, signed, userPair, withCa } from '../fixtures.ts'
import { certificateLine, login, ownMountOnHost, trusted } from '../host.ts'
import { rsaPair } from '../rsa-keys.ts'

check(
  'ssh/login-by-certificate',
  ['SSH-LOGIN-01', 'SSH-LOGIN-02'],
  'a certificate opens sessions for its principal only',
  ownMountOnHost,
  async ({ bench, expect }) => {
    const [principal, other] = [bench.fresh('deploy'), bench.fresh('other')]
    await trusted(bench, await withCa(bench), [principal])
    const role = await roleWith(bench, caFields({ default_extensions: { 'permit-pty': '' } }))
    const expectLogin = (kind: string, pair: SshKeyPair) =>
      bench.decide('SSH-LOGIN-01', async () => {
        const certificate = await certificateLine(bench, role, pair, { valid_principals: principal })
        const outcome = await login(bench, { privateKey: pair.privateKey, certificate })
        expect(outcome, `the login with a certified ${kind} key`).toMatchObject({ accepted: true, output: 'assay-session\n' })
      })
    const pair = userPair()
    await expectLogin('RSA', pair)
    // Whether keys of other kinds are signed is another check's concern.
    for (const kind of ['ed25519', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521'] as const) {
      const other = sshOracle.keyPair(kind, bench.random.bytes)
      const body = { public_key: other.publicKey, valid_principals: principal }
      if ((await bench.call('ssh.signKey', { path: { name: role }, body })).ok) await expectLogin(kind, other)
    }
    await bench.decide('SSH-LOGIN-02', async () => {
      const certificate = await certificateLine(bench, role, pair, { valid_principals: other })
      expect(await login(bench, { privateKey: pair.privateKey, certificate })).toMatchObject({ accepted: false })
    })
  },
)

check(
  'ssh/login-after-expiry',
  'SSH-LOGIN-03',
  'an expired certificate opens no session',
  { ...ownMountOnHost, kind: 'scenario' },
  async (context) => {
    const { bench, expect } = context
    const principal = bench.fresh('deploy')
    await trusted(bench, await withCa(bench), [principal])
    const role = await roleWith(bench, caFields())
    const { privateKey, publicKey } = userPair()
    const long = await signed(context, role, { public_key: publicKey, valid_principals: principal })
    await validHere(bench, long.certificate.validAfter, long.certificate.validBefore)
    expect(await login(bench, { privateKey, certificate: long.line }), 'before the end').toMatchObject({ accepted: true })
    const short = await signed(context, role, { public_key: publicKey, valid_principals: principal, ttl: '2s' })
    // As much as a service may round up: a certificate that lives longer is wrong already, and not waited for.
    expect(short.certificate.validBefore - short.answered, 'seconds of validity since the answer').toBeLessThanOrEqual(62)
    await bench.eventually(async () => !(await login(bench, { privateKey, certificate: short.line })).accepted, {
      // By the host's clock, which is ours.
      within: Math.max(0, short.certificate.validBefore * 1000 - Date.now()) + 15_000,
      every: 1000,
      because: 'the certificate has ended',
    })
    expect(await login(bench, { privateKey, certificate: long.line }), 'the one that has not ended').toMatchObject({ accepted: true })
  },
)

check(
  'ssh/login-after-replacement',
  'SSH-LOGIN-04',
  'a certificate of a replaced CA opens no session',
  { ...ownMountOnHost, kind: 'scenario' },
  async ({ bench, expect }) => {
    const principal = bench.fresh('deploy')
    await withCa(bench, rsaPair('caReplaced'))
    const role = await roleWith(bench, caFields())
    const pair = userPair()
    const former = await certificateLine(bench, role, pair, { valid_principals: principal })
    await trusted(bench, await withCa(bench), [principal])
    const latter = await certificateLine(bench, role, pair, { valid_principals: principal })
    expect(await login(bench, { privateKey: pair.privateKey, certificate: former }), 'the replaced CA').toMatchObject({ accepted: false })
    expect(await login(bench, { privateKey: pair.privateKey, certificate: latter }), 'the new CA').toMatchObject({ accepted: true })
  },
)

check('ssh/login-forced', 'SSH-LOGIN-05', 'a forced command runs in place of any other', ownMountOnHost, async ({ bench, expect }) => {
  const principal = bench.fresh('deploy')
  await trusted(bench, await withCa(bench), [principal])
  const pair = userPair()
  const forced = { 'force-command': 'echo forced' }
  const roles: { role: string; request: JsonObject }[] = [
    { role: await roleWith(bench, caFields()), request: { critical_options: forced } },
    { role: await roleWith(bench, caFields({ default_critical_options: forced })), request: {} },
  ]
  for (const { role, request } of roles) {
    const certificate = await certificateLine(bench, role, pair, { valid_principals: principal, ...request })
    const outcome = await login(bench, { privateKey: pair.privateKey, certificate, command: 'echo mine' })
    expect(outcome).toMatchObject({ accepted: true, output: 'forced\n' })
  }
})

check(
  'ssh/host-certificate',
  ['SSH-LOGIN-06', 'SSH-LOGIN-07'],
  'a host certificate vouches for its server under its name',
  ownMountOnHost,
  async ({ bench, expect }) => {
    const { publicKey: ca } = await withCa(bench)
    const role = await roleWith(bench, hostFields())
    const host = userPair()
    const certificate = await certificateLine(bench, role, host, { cert_type: 'host', valid_principals: 'web.example.com' })
    const accepted = (hostName: string): Promise<boolean> => {
      bench.count('sshd logins')
      return sshOracle.hostCertificateAccepted(bench.backend('sshd'), { privateKey: host.privateKey, certificate, ca, hostName })
    }
    await bench.decide('SSH-LOGIN-06', async () => expect(await accepted('web.example.com')).toBe(true))
    await bench.decide('SSH-LOGIN-07', async () => expect(await accepted('db.example.com')).toBe(false))
  },
)
