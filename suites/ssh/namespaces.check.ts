/** Mounts in a namespace, and in one within it: what is open to anyone is open there. */
import { check } from '../../harness/checks/index.ts'
import { otpFields, ownMount, roleWith, withCa } from './fixtures.ts'
import { rsaPair } from './rsa-keys.ts'

check(
  'ssh/open-in-namespaces',
  ['SSH-CA-14', 'SSH-VERIFY-04'],
  'in namespaces too the public key is read and a password verified without a token',
  { needs: { ...ownMount.needs, features: ['mounts', 'namespaces'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    for (const namespace of [outer, await bench.namespace(outer)]) {
      const mount = await bench.mount('ssh', { namespace })
      await withCa(bench, rsaPair('ca'), mount)
      await bench.decide('SSH-CA-14', async () =>
        expect(await bench.call('ssh.readPublicKey', { mount, as: 'none' }), 'the public key').toHaveStatus(200),
      )
      const name = await roleWith(bench, otpFields(), mount)
      const { data } = await bench.given('ssh.createCredential', { path: { name }, body: { ip: '10.1.2.3' }, mount })
      await bench.decide('SSH-VERIFY-04', async () => {
        const answer = await bench.call('ssh.verifyOtp', { body: { otp: String(data.key) }, mount, as: 'none' })
        expect(answer, 'verification').toSucceed()
        expect(answer.data.ip).toBe('10.1.2.3')
      })
    }
  },
)
