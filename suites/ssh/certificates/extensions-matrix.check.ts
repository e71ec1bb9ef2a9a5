import { property, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, withCa } from '../fixtures.ts'
import { optionRequest } from './options.ts'

const EXTENSIONS = ['permit-pty', 'permit-port-forwarding', 'permit-user-rc']
const mapOf = (names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '']))

property(
  'ssh/extensions-matrix',
  ['SSH-EXT-01', 'SSH-EXT-02', 'SSH-EXT-03', 'SSH-EXT-07', 'SSH-DEFEXT-01', 'SSH-DEFEXT-02'],
  'list, defaults and request decide together what a certificate carries',
  { ...ownMount, runs: [8, 25] },
  ({ fc }) =>
    fc.record({
      allowed: fc.oneof(
        fc.constant<string[]>(['*']),
        fc.uniqueArray(fc.constantFrom<string[]>(...EXTENSIONS), { minLength: 1, maxLength: 2 }),
      ),
      defaults: fc.uniqueArray(fc.constantFrom(...EXTENSIONS), { maxLength: 2 }),
      requested: fc.uniqueArray(fc.constantFrom(...EXTENSIONS), { maxLength: 2 }),
    }),
  async ({ bench, expect }, { allowed, defaults, requested }) => {
    await withCa(bench)
    const role = await roleWith(bench, caFields({ allowed_extensions: allowed.join(','), default_extensions: mapOf(defaults) }))
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: optionRequest({ extensions: mapOf(requested) }) })
    const words = `allowed ${allowed}, defaults ${defaults}, requested ${requested}`
    const star = allowed.includes('*')
    const forbidden = star ? [] : requested.filter((name) => !allowed.includes(name))
    if (forbidden.length > 0) {
      await bench.decide('SSH-EXT-02', async () => {
        if (!answer.ok) return expect(answer, words).toBeRefused()
        const carried = Object.keys((await sshOracle.readCertificate(String(answer.data.signed_key))).extensions)
        expect(
          forbidden.filter((name) => carried.includes(name) && !defaults.includes(name)),
          words,
        ).toEqual([])
      })
      return bench.decide('SSH-EXT-07', () => expect(answer, words).toBeRefused())
    }
    const clause = requested.length === 0 ? 'SSH-DEFEXT-01' : star ? 'SSH-EXT-03' : 'SSH-EXT-01'
    await bench.decide(clause, () => expect(answer, words).toHaveStatus(200))
    if (!answer.ok) return
    const { extensions } = await sshOracle.readCertificate(String(answer.data.signed_key))
    const wanted = mapOf(requested.length === 0 ? defaults : requested)
    await bench.decide(requested.length === 0 ? 'SSH-DEFEXT-01' : 'SSH-DEFEXT-02', () => expect(extensions, words).toEqual(wanted))
  },
)
