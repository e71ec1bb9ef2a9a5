import { check, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, userPair, withCa } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'

check(
  'ssh/race-replace',
  ['SSH-CA-32', 'SSH-CA-11'],
  'signatures beside a replacement are of the former or the new CA, later ones of the new',
  { ...ownMount, kind: 'race' },
  async ({ bench, expect }) => {
    const role = await roleWith(bench, caFields())
    const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
    for (let round = 0; round < bench.effort(2, 4); round += 1) {
      const [former, latter] = [rsaPair('ca'), rsaPair('caOther')]
      await withCa(bench, former)
      // One that is refused while the key changes shows nothing.
      const sign = async (): Promise<string[]> => {
        const answer = await bench.call('ssh.signKey', { path: { name: role }, body })
        return answer.ok ? [String(answer.data.signed_key).trim()] : []
      }
      const replace = async (): Promise<string[]> => {
        await withCa(bench, latter)
        return []
      }
      const certificates = (await Promise.all(Array.from({ length: 8 }, (_, index) => (index === 3 ? replace() : sign())))).flat()
      if (certificates.length === 0) bench.blocked('no signature came beside the replacement', 'see the checks of signing first')
      await bench.decide('SSH-CA-32', async () => {
        for (const line of certificates) {
          const verifies = (await sshOracle.isSignedBy(line, former.publicKey)) || (await sshOracle.isSignedBy(line, latter.publicKey))
          expect(verifies, 'one of the two keys verifies the signature').toBe(true)
        }
      })
      const { data } = await bench.given('ssh.signKey', { path: { name: role }, body })
      const afterwards = String(data.signed_key).trim()
      await bench.decide('SSH-CA-11', async () => expect(await sshOracle.isSignedBy(afterwards, latter.publicKey)).toBe(true))
    }
  },
)
