import { type JsonObject, property, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, withCa } from '../fixtures.ts'
import { optionRequest } from './options.ts'

/** Each option with the value that a role gives it and the one that a caller asks for. */
const OPTIONS: Record<string, [of: string, asked: string]> = {
  'force-command': ['/bin/true', '/usr/bin/uptime'],
  'source-address': ['10.0.0.0/8', '192.0.2.0/24'],
  'custom@example.com': ['one', 'two'],
}

const mapOf = (names: readonly string[], which: 0 | 1): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, OPTIONS[name]![which]]))

property(
  'ssh/critical-options-matrix',
  ['SSH-CRITOPT-01', 'SSH-CRITOPT-02', 'SSH-CRITOPT-03', 'SSH-CRITOPT-06', 'SSH-DEFCRIT-01', 'SSH-DEFCRIT-02', 'SSH-DEFCRIT-03'],
  'list, defaults and request decide together which critical options a certificate carries',
  {
    ...ownMount,
    runs: [8, 25],
    first: [
      { allowed: ['source-address'], defaults: ['force-command'], requested: ['force-command'] },
      { allowed: ['source-address'], defaults: ['force-command', 'source-address'], requested: ['source-address'] },
      { allowed: [], defaults: ['force-command'], requested: ['custom@example.com'] },
      { allowed: ['source-address'], defaults: ['force-command'], requested: [] },
    ],
  },
  ({ fc }) => {
    const some = (least: number) => fc.uniqueArray(fc.constantFrom(...Object.keys(OPTIONS)), { minLength: least, maxLength: 2 })
    return fc.record({ allowed: fc.oneof(fc.constant<string[]>([]), some(1)), defaults: some(0), requested: some(0) })
  },
  async ({ bench, expect }, { allowed, defaults, requested }) => {
    await withCa(bench)
    const list: JsonObject = allowed.length === 0 ? {} : { allowed_critical_options: allowed.join(',') }
    const role = await roleWith(bench, caFields({ ...list, default_critical_options: mapOf(defaults, 0) }))
    const critical: JsonObject = requested.length === 0 ? {} : { critical_options: mapOf(requested, 1) }
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: optionRequest(critical) })
    const words = `allowed ${allowed}, defaults ${defaults}, requested ${requested}`
    const forbidden = allowed.length === 0 ? [] : requested.filter((name) => !allowed.includes(name))
    if (forbidden.length > 0) {
      await bench.decide('SSH-CRITOPT-03', async () => {
        if (!answer.ok) return expect(answer, words).toBeRefused()
        const carried = (await sshOracle.readCertificate(String(answer.data.signed_key))).criticalOptions
        // The defaults of the role have other values.
        expect(
          forbidden.filter((name) => carried[name] === OPTIONS[name]![1]),
          words,
        ).toEqual([])
      })
      return bench.decide('SSH-CRITOPT-06', () => expect(answer, words).toBeRefused())
    }
    const isOfDefaults = requested.length === 0
    const listed = allowed.length === 0 ? 'SSH-CRITOPT-01' : 'SSH-CRITOPT-02'
    const unlisted = defaults.every((name) => allowed.length === 0 || allowed.includes(name)) ? 'SSH-DEFCRIT-01' : 'SSH-DEFCRIT-03'
    const clause = isOfDefaults ? unlisted : listed
    await bench.decide(clause, () => expect(answer, words).toHaveStatus(200))
    if (!answer.ok) return
    const { criticalOptions } = await sshOracle.readCertificate(String(answer.data.signed_key))
    const wanted = isOfDefaults ? mapOf(defaults, 0) : mapOf(requested, 1)
    await bench.decide(isOfDefaults ? unlisted : 'SSH-DEFCRIT-02', () => expect(criticalOptions, words).toEqual(wanted))
  },
)
