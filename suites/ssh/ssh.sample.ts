import { sample } from '../../harness/checks/index.ts'
import { atConfig, pairBody } from './ca/ca-pair.ts'
import { caFields, otpFields, ownMount, roleRead, roleWith, userPair, withCa } from './fixtures.ts'
import { rsaPair } from './rsa-keys.ts'

const own = ownMount.needs

sample({
  operation: 'ssh.writeKey',
  input: async (bench) => ({ path: { name: bench.mixedName('key') }, body: { key: rsaPair('user2048').privateKey } }),
})

sample({
  operation: 'ssh.deleteKey',
  async input(bench) {
    const name = bench.mixedName('key')
    await bench.given('ssh.writeKey', { path: { name }, body: { key: rsaPair('user2048').privateKey } })
    return { path: { name } }
  },
})

sample({
  operation: 'ssh.writeRole',
  input: async (bench) => ({ path: { name: bench.mixedName('role') }, body: otpFields() }),
  state: (bench, input) => roleRead(bench, input.path?.name ?? '')(),
})

sample({ operation: 'ssh.readRole', input: async (bench) => ({ path: { name: await roleWith(bench, caFields()) } }) })

sample({
  operation: 'ssh.deleteRole',
  input: async (bench) => ({ path: { name: await roleWith(bench, otpFields()) } }),
  state: (bench, input) => roleRead(bench, input.path?.name ?? '')(),
})

sample({
  operation: 'ssh.listRoles',
  async input(bench) {
    await roleWith(bench, otpFields())
    return {}
  },
})

sample({
  operation: 'ssh.writeZeroAddress',
  needs: own,
  input: async (bench) => ({ body: { roles: await roleWith(bench, otpFields()) } }),
  async state(bench) {
    const { status, data } = await bench.call('ssh.readZeroAddress')
    return { status, roles: data.roles ?? null }
  },
})

sample({
  operation: 'ssh.readZeroAddress',
  needs: own,
  async input(bench) {
    await bench.given('ssh.writeZeroAddress', { body: { roles: await roleWith(bench, otpFields()) } })
    return {}
  },
})

sample({
  operation: 'ssh.deleteZeroAddress',
  needs: own,
  async input(bench) {
    await bench.given('ssh.writeZeroAddress', { body: { roles: await roleWith(bench, otpFields()) } })
    return {}
  },
  async state(bench) {
    const { status, data } = await bench.call('ssh.readZeroAddress')
    return { status, roles: data.roles ?? null }
  },
})

sample({
  operation: 'ssh.createCredential',
  input: async (bench) => ({ path: { name: await roleWith(bench, otpFields()) }, body: { ip: '10.1.2.3' } }),
})

sample({
  operation: 'ssh.lookupRoles',
  async input(bench) {
    await roleWith(bench, otpFields())
    return { body: { ip: '10.1.2.3' } }
  },
})

sample({
  operation: 'ssh.verifyOtp',
  async input(bench) {
    const name = await roleWith(bench, otpFields())
    const { data } = await bench.given('ssh.createCredential', { path: { name }, body: { ip: '10.1.2.3' } })
    return { body: { otp: String(data.key) } }
  },
})

sample({
  operation: 'ssh.writeCa',
  needs: own,
  async input(bench) {
    // Never the pair that the mount has: a write must show.
    return { body: pairBody(rsaPair((await atConfig(bench)) === rsaPair('ca').publicKey ? 'caOther' : 'ca')) }
  },
  async state(bench) {
    const { status, data } = await bench.call('ssh.readCa')
    return { status, key: String(data.public_key).trim() }
  },
})

sample({
  operation: 'ssh.readCa',
  needs: own,
  async input(bench) {
    await withCa(bench)
    return {}
  },
})

sample({
  operation: 'ssh.deleteCa',
  needs: own,
  async input(bench) {
    await withCa(bench)
    return {}
  },
  async state(bench) {
    const { status, data } = await bench.call('ssh.readCa')
    return { status, key: String(data.public_key).trim() }
  },
})

sample({
  operation: 'ssh.readPublicKey',
  needs: own,
  async input(bench) {
    await withCa(bench)
    return {}
  },
})

sample({
  operation: 'ssh.signKey',
  needs: own,
  async input(bench) {
    await withCa(bench)
    return {
      path: { name: await roleWith(bench, caFields()) },
      body: { public_key: userPair().publicKey, valid_principals: 'ubuntu' },
    }
  },
})
