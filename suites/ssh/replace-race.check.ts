import { check, sshOracle } from '../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, signed, userPair, withCa } from './fixtures.ts'

check(
  'ssh/race-replace',
  ['SSH-CA-32', 'SSH-CA-11'],
  'signatures beside a replacement are of the former or the new CA, later ones of the new',
  { ...ownMount, kind: 'race' },
  async (context) => {
    const { bench, expect } = context
    const role = await roleWith(bench, caFields())
    const body = { public_key: userPair(bench).publicKey, valid_principals: 'ubuntu' }
    for (let round = 0; round < bench.effort(2, 4, 12); round += 1) {
      const [former, latter] = [userPair(bench), userPair(bench)]
      await withCa(bench, former)
      const work = Array.from({ length: 8 }, (_, index) => (index === 3 ? withCa(bench, latter) : signed(context, role, body)))
      const certificates = (await Promise.all(work)).flatMap((result) => ('line' in result ? [result.line] : []))
      await bench.decide('SSH-CA-32', async () => {
        for (const line of certificates) {
          const verifies = (await sshOracle.isSignedBy(line, former.publicKey)) || (await sshOracle.isSignedBy(line, latter.publicKey))
          expect(verifies, 'one of the two keys verifies the signature').toBe(true)
        }
      })
      const afterwards = await signed(context, role, body)
      await bench.decide('SSH-CA-11', async () => expect(await sshOracle.isSignedBy(afterwards.line, latter.publicKey)).toBe(true))
    }
  },
)
