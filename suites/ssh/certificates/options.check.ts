import { type CheckContext, check, type JsonObject, property, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, refusesToSign, roleWith, signed, userPair, withCa } from '../fixtures.ts'

const request = (more: JsonObject = {}): JsonObject => ({
  public_key: userPair().publicKey,
  valid_principals: 'ubuntu',
  ...more,
})

const certificateFor = async (context: CheckContext, fields: JsonObject, more: JsonObject = {}) =>
  (await signed(context, await roleWith(context.bench, caFields(fields)), request(more))).certificate

const FORCED = { 'force-command': '/usr/bin/uptime' }
const SOURCE = { 'source-address': '10.0.0.0/8' }

check(
  'ssh/critical-options',
  ['SSH-CRITOPT-01', 'SSH-CRITOPT-02', 'SSH-CRITOPT-03', 'SSH-SIGN-27'],
  'critical options may be requested as the role says',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const unlimited = { ...FORCED, ...SOURCE, 'custom@example.com': 'value' }
    await bench.decide('SSH-CRITOPT-01', async () =>
      expect((await certificateFor(context, {}, { critical_options: unlimited })).criticalOptions).toEqual(unlimited),
    )
    await bench.decide('SSH-SIGN-27', async () =>
      expect((await certificateFor(context, {}, { critical_options: FORCED })).criticalOptions).toEqual(FORCED),
    )
    const limited = { allowed_critical_options: 'force-command,verify-required' }
    await bench.decide('SSH-CRITOPT-02', async () =>
      expect((await certificateFor(context, limited, { critical_options: FORCED })).criticalOptions).toEqual(FORCED),
    )
    const role = await roleWith(bench, caFields(limited))
    await bench.decide('SSH-CRITOPT-03', async () => {
      for (const critical_options of [SOURCE, { ...FORCED, ...SOURCE }, { 'force-command2': 'x' }])
        await refusesToSign(bench, role, request({ critical_options }), request({ critical_options: FORCED }))
    })
  },
)

const PTY = { 'permit-pty': '' }
const FORWARD = { 'permit-port-forwarding': '' }

check(
  'ssh/extensions',
  ['SSH-EXT-01', 'SSH-EXT-02', 'SSH-EXT-03', 'SSH-SIGN-29'],
  'extensions may be requested as the role says',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const limited = { allowed_extensions: 'permit-pty,permit-port-forwarding' }
    await bench.decide('SSH-EXT-01', async () =>
      expect((await certificateFor(context, limited, { extensions: { ...PTY, ...FORWARD } })).extensions).toEqual({ ...PTY, ...FORWARD }),
    )
    const role = await roleWith(bench, caFields(limited))
    await bench.decide('SSH-EXT-02', async () => {
      const forbidden: JsonObject[] = [{ 'permit-agent-forwarding': '' }, { ...PTY, 'permit-X11-forwarding': '' }, { 'permit-pt': '' }]
      for (const extensions of forbidden) await refusesToSign(bench, role, request({ extensions }), request({ extensions: PTY }))
    })
    const any = { ...PTY, 'login@example.com': 'somebody' }
    await bench.decide('SSH-EXT-03', async () =>
      expect((await certificateFor(context, { allowed_extensions: '*' }, { extensions: any })).extensions).toEqual(any),
    )
    await bench.decide('SSH-SIGN-29', async () =>
      expect((await certificateFor(context, { allowed_extensions: '*' }, { extensions: any })).extensions).toEqual(any),
    )
  },
)

check('ssh/extensions-unset', 'SSH-EXT-04', 'without a list users get the default extensions only', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  for (const default_extensions of [PTY, {}] as JsonObject[]) {
    const role = await roleWith(bench, caFields({ default_extensions }))
    for (const extensions of [FORWARD, { ...PTY, ...FORWARD }]) {
      const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request({ extensions }) })
      if (!answer.ok) expect(answer).toBeRefused()
      else expect((await sshOracle.readCertificate(String(answer.data.signed_key))).extensions).toEqual(default_extensions)
    }
    expect((await signed(context, role, request())).certificate.extensions, 'without a request').toEqual(default_extensions)
  }
})

check(
  'ssh/default-critical-options',
  ['SSH-DEFCRIT-01', 'SSH-DEFCRIT-02', 'SSH-DEFCRIT-03', 'SSH-DEFCRIT-04'],
  'default critical options stand where none are requested',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const defaults = { default_critical_options: SOURCE }
    await bench.decide('SSH-DEFCRIT-01', async () => expect((await certificateFor(context, defaults)).criticalOptions).toEqual(SOURCE))
    await bench.decide('SSH-DEFCRIT-02', async () =>
      expect((await certificateFor(context, defaults, { critical_options: FORCED })).criticalOptions).toEqual(FORCED),
    )
    const bound = { ...defaults, allowed_critical_options: 'force-command' }
    await bench.decide('SSH-DEFCRIT-03', async () => expect((await certificateFor(context, bound)).criticalOptions).toEqual(SOURCE))
    await bench.decide('SSH-DEFCRIT-04', async () => expect((await certificateFor(context, {})).criticalOptions).toEqual({}))
  },
)

check(
  'ssh/default-extensions',
  ['SSH-DEFEXT-01', 'SSH-DEFEXT-02', 'SSH-DEFEXT-03', 'SSH-DEFEXT-04'],
  'default extensions stand where none are requested',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const defaults = { default_extensions: { ...PTY, 'login@example.com': 'x' } }
    await bench.decide('SSH-DEFEXT-01', async () =>
      expect((await certificateFor(context, defaults)).extensions).toEqual(defaults.default_extensions),
    )
    const open = { ...defaults, allowed_extensions: '*' }
    await bench.decide('SSH-DEFEXT-02', async () =>
      expect((await certificateFor(context, open, { extensions: FORWARD })).extensions).toEqual(FORWARD),
    )
    const bound = { ...defaults, allowed_extensions: 'permit-port-forwarding' }
    await bench.decide('SSH-DEFEXT-03', async () =>
      expect((await certificateFor(context, bound)).extensions).toEqual(defaults.default_extensions),
    )
    await bench.decide('SSH-DEFEXT-04', async () =>
      expect((await certificateFor(context, { allowed_extensions: '*' })).extensions).toEqual({}),
    )
  },
)

const EXTENSIONS = ['permit-pty', 'permit-port-forwarding', 'permit-user-rc']
const mapOf = (names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '']))

property(
  'ssh/extensions-matrix',
  ['SSH-EXT-01', 'SSH-EXT-02', 'SSH-EXT-03', 'SSH-DEFEXT-01', 'SSH-DEFEXT-02'],
  'list, defaults and request decide together what a certificate carries',
  { ...ownMount, runs: [8, 25, 100] },
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
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request({ extensions: mapOf(requested) }) })
    const words = `allowed ${allowed}, defaults ${defaults}, requested ${requested}`
    const star = allowed.includes('*')
    if (!star && !requested.every((name) => allowed.includes(name)))
      return bench.decide('SSH-EXT-02', () => expect(answer, words).toBeRefused())
    const clause = requested.length === 0 ? 'SSH-DEFEXT-01' : star ? 'SSH-EXT-03' : 'SSH-EXT-01'
    await bench.decide(clause, () => expect(answer, words).toHaveStatus(200))
    if (!answer.ok) return
    const { extensions } = await sshOracle.readCertificate(String(answer.data.signed_key))
    const wanted = mapOf(requested.length === 0 ? defaults : requested)
    await bench.decide(requested.length === 0 ? 'SSH-DEFEXT-01' : 'SSH-DEFEXT-02', () => expect(extensions, words).toEqual(wanted))
  },
)
