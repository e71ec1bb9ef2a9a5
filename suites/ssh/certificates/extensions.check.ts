import { check, type JsonObject, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, hostFields, hostRequest, neverCarries, ownMount, roleWith, signed, withCa } from '../fixtures.ts'
import { certificateFor, optionRequest } from './options.ts'

const PTY = { 'permit-pty': '' }
const FORWARD = { 'permit-port-forwarding': '' }

check(
  'ssh/extensions',
  ['SSH-EXT-01', 'SSH-EXT-02', 'SSH-EXT-07'],
  'a list of extensions admits its own and no others',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const limited = { allowed_extensions: 'permit-pty,permit-port-forwarding' }
    await bench.decide('SSH-EXT-01', async () =>
      expect((await certificateFor(context, limited, { extensions: { ...PTY, ...FORWARD } })).extensions).toEqual({ ...PTY, ...FORWARD }),
    )
    const role = await roleWith(bench, caFields(limited))
    const allows = async (named: string, names: string[], asked: JsonObject[]) => {
      const clauses = { carries: 'SSH-EXT-02', refuses: 'SSH-EXT-07' }
      for (const extensions of asked)
        await neverCarries(
          context,
          clauses,
          { role: named, bad: optionRequest({ extensions }), good: optionRequest({ extensions: PTY }) },
          (certificate) => Object.keys(certificate.extensions).filter((name) => !names.includes(name)),
        )
    }
    const listed = limited.allowed_extensions.split(',')
    await allows(role, listed, [
      ...[{ 'permit-agent-forwarding': '' }, { ...PTY, 'permit-X11-forwarding': '' }, { 'permit-pt': '' }],
      // The list as it is written names no extension.
      { [limited.allowed_extensions]: '' },
    ])
    // Of a host's certificate the same holds.
    const host = { role: await roleWith(bench, hostFields(limited)), good: hostRequest('web.example.com') }
    const bad = { ...host.good, extensions: { 'permit-agent-forwarding': '' } }
    await neverCarries(context, { carries: 'SSH-EXT-02', refuses: 'SSH-EXT-07' }, { ...host, bad }, (certificate) =>
      Object.keys(certificate.extensions).filter((name) => !listed.includes(name)),
    )
    // The list of critical options does not allow extensions.
    const other = { allowed_extensions: 'permit-pty', allowed_critical_options: 'permit-user-rc,verify-required' }
    const both = await roleWith(bench, caFields(other))
    await allows(both, ['permit-pty'], [{ 'permit-user-rc': '' }, { ...PTY, 'verify-required': '' }])
  },
)

check(
  'ssh/extensions-any',
  ['SSH-EXT-03', 'SSH-SIGN-29'],
  'an asterisk admits any extension, and the certificate carries what was asked for',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const any = { ...PTY, 'login@example.com': 'somebody', 'X-Own@Example.COM': 'One, two; "three"' }
    for (const clause of ['SSH-EXT-03', 'SSH-SIGN-29'])
      await bench.decide(clause, async () => {
        const { extensions } = await certificateFor(context, { allowed_extensions: '*' }, { extensions: any })
        expect(extensions).toEqual(any)
      })
  },
)

check('ssh/extensions-unset', 'SSH-EXT-04', 'without a list users get the default extensions only', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  // Those that the role gives to everybody may not be chosen among either.
  for (const default_extensions of [PTY, {}, { ...PTY, 'permit-user-rc': '', 'login@example.com': 'x' }] as JsonObject[]) {
    const role = await roleWith(bench, caFields({ default_extensions }))
    for (const extensions of [FORWARD, { ...PTY, ...FORWARD }, PTY, { 'login@example.com': 'y' }] as JsonObject[]) {
      const answer = await bench.call('ssh.signKey', { path: { name: role }, body: optionRequest({ extensions }) })
      if (!answer.ok) expect(answer).toBeRefused()
      else expect((await sshOracle.readCertificate(String(answer.data.signed_key))).extensions).toEqual(default_extensions)
    }
    expect((await signed(context, role, optionRequest())).certificate.extensions, 'without a request').toEqual(default_extensions)
  }
})

const DEFAULTS = { default_extensions: { ...PTY, 'login@example.com': 'x' } }

check(
  'ssh/default-extensions',
  ['SSH-DEFEXT-01', 'SSH-DEFEXT-04'],
  'default extensions stand where none are requested, and are none unless the role has some',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    await bench.decide('SSH-DEFEXT-01', async () =>
      expect((await certificateFor(context, DEFAULTS)).extensions).toEqual(DEFAULTS.default_extensions),
    )
    await bench.decide('SSH-DEFEXT-04', async () =>
      expect((await certificateFor(context, { allowed_extensions: '*' })).extensions).toEqual({}),
    )
  },
)

check(
  'ssh/default-extensions-replaced',
  'SSH-DEFEXT-02',
  'requested extensions take the place of the defaults',
  ownMount,
  async (context) => {
    await withCa(context.bench)
    const { extensions } = await certificateFor(context, { ...DEFAULTS, allowed_extensions: '*' }, { extensions: FORWARD })
    context.expect(extensions).toEqual(FORWARD)
  },
)

check('ssh/default-extensions-unlisted', 'SSH-DEFEXT-03', 'default extensions need not be on the list', ownMount, async (context) => {
  await withCa(context.bench)
  const { extensions } = await certificateFor(context, { ...DEFAULTS, allowed_extensions: 'permit-port-forwarding' })
  context.expect(extensions).toEqual(DEFAULTS.default_extensions)
})
