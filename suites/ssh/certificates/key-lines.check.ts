/** Lines of public keys as clients have them in files. */
import { check, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, userPair, withCa } from '../fixtures.ts'

check(
  'ssh/certificate-key-lines',
  'SSH-SIGN-05',
  'a certificate is for the key that was sent, whatever follows the key on its line',
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
      // The documents do not say that a comment or a line end is accepted. A line that is accepted is signed for its key.
      if (public_key !== bare && !answer.ok) {
        expect(answer, words).toBeRefused()
        continue
      }
      expect(answer, words).toHaveStatus(200)
      expect((await sshOracle.readCertificate(String(answer.data.signed_key))).key, words).toBe(fingerprint)
    }
  },
)
