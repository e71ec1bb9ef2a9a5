/** A role that is written again decides from then on, also where it was used before. */
import { check, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, otpFields, ownMount, request, roleWith, withCa } from '../fixtures.ts'

const USERS = ['ubuntu', 'deploy', 'backup']

check('ssh/otp-role-follows', 'SSH-ROLE-02', 'passwords follow the role as it is now', async ({ bench, expect }) => {
  const path = { name: await roleWith(bench, otpFields({ default_user: 'first', port: 2200 })) }
  await bench.given('ssh.createCredential', { path, body: { ip: '10.1.2.3' } })
  for (const [index, default_user] of USERS.entries()) {
    const [port, block] = [2201 + index, `10.${index + 1}.0.0/16`]
    await bench.given('ssh.writeRole', { path, body: otpFields({ default_user, port, cidr_list: block }) })
    for (const use of ['first', 'second']) {
      const answer = await bench.call('ssh.createCredential', { path, body: { ip: `10.${index + 1}.0.9` } })
      expect(answer, `the ${use} password after it was written`).toHaveStatus(200)
      expect([answer.data.username, answer.data.port], `the ${use} password after it was written`).toEqual([default_user, port])
    }
    expect(await bench.call('ssh.createCredential', { path, body: { ip: `10.${index}.0.9` } }), 'in the former block').toBeRefused()
  }
})

check('ssh/ca-role-follows', 'SSH-ROLE-02', 'signatures follow the role as it is now', ownMount, async ({ bench, expect }) => {
  await withCa(bench)
  const path = { name: await roleWith(bench, caFields({ allowed_users: 'first' })) }
  await bench.given('ssh.signKey', { path, body: request('first') })
  for (const [index, user] of USERS.entries()) {
    const default_extensions = { [`permit-x${index}@example.com`]: '' }
    await bench.given('ssh.writeRole', { path, body: caFields({ allowed_users: user, default_extensions }) })
    for (const use of ['first', 'second']) {
      const answer = await bench.call('ssh.signKey', { path, body: request(user) })
      expect(answer, `the ${use} signature after it was written`).toHaveStatus(200)
      const { extensions } = await sshOracle.readCertificate(String(answer.data.signed_key))
      expect(extensions, `the ${use} signature after it was written`).toEqual(default_extensions)
    }
    expect(await bench.call('ssh.signKey', { path, body: request(USERS[index - 1] ?? 'first') }), 'for the former user').toBeRefused()
  }
})
