/** Lines of public keys as clients have them in files. */
import { check, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, userPair, withCa } from '../fixtures.ts'

check(
  'ssh/certificate-key-lines',
  'SSH-SIGN-05',
  'the certificate is one of the key that was sent, whatever follows it on its line',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const role = await roleWith(bench, caFields())
    const { publicKey, fingerprint } = userPair()
    const [algorithm, key] = publicKey.trim().split(/\s+/)
    const bare = `${algorithm} ${key}`
    for (const public_key of [
      bare,
      `${bare}\n`,
      `${bare} user@host\n`,
      `${bare} first and last name <user@host>`,
      `${bare} Zoë, 2nd key #1`,
    ]) {
      const answer = await bench.call('ssh.signKey', { path: { name: role }, body: { public_key, valid_principals: 'ubuntu' } })
      const words = JSON.stringify(public_key.slice(bare.length))
      // Whether a comment or a line end is taken is not said; what is taken is signed for the key that it is.
      if (public_key !== bare && !answer.ok) {
        expect(answer, words).toBeRefused()
        continue
      }
      expect(answer, words).toHaveStatus(200)
      expect((await sshOracle.readCertificate(String(answer.data.signed_key))).key, words).toBe(fingerprint)
    }
  },
)
