/** Lines of public keys as clients have them in files. */
import { check } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, signed, userPair, withCa } from '../fixtures.ts'

check(
  'ssh/certificate-key-lines',
  'SSH-SIGN-05',
  'a public key is signed whatever its comment, and however its line ends',
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
      const { certificate } = await signed(context, role, { public_key, valid_principals: 'ubuntu' })
      expect(certificate.key, JSON.stringify(public_key.slice(bare.length))).toBe(fingerprint)
    }
  },
)
