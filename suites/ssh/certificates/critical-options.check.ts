import { check } from '../../../harness/checks/index.ts'
import { caFields, hostFields, hostRequest, neverCarries, ownMount, roleWith, withCa } from '../fixtures.ts'
import { certificateFor, FORCED, optionRequest, SOURCE } from './options.ts'

check(
  'ssh/critical-options',
  ['SSH-CRITOPT-01', 'SSH-SIGN-27'],
  'any critical option may be requested of a role without a list',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const unlimited = {
      'force-command': '/bin/echo "a, b" c;d',
      'source-address': '10.0.0.0/8,192.0.2.0/24',
      'custom@example.com': ' value ',
      'Custom@Example.com': '',
    }
    await bench.decide('SSH-CRITOPT-01', async () =>
      expect((await certificateFor(context, {}, { critical_options: unlimited })).criticalOptions).toEqual(unlimited),
    )
    await bench.decide('SSH-SIGN-27', async () =>
      expect((await certificateFor(context, {}, { critical_options: FORCED })).criticalOptions).toEqual(FORCED),
    )
  },
)

check(
  'ssh/critical-options-listed',
  ['SSH-CRITOPT-02', 'SSH-CRITOPT-03', 'SSH-CRITOPT-06'],
  'a list of critical options admits its own and no others',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const limited = { allowed_critical_options: 'force-command,verify-required' }
    await bench.decide('SSH-CRITOPT-02', async () =>
      expect((await certificateFor(context, limited, { critical_options: FORCED })).criticalOptions).toEqual(FORCED),
    )
    const role = await roleWith(bench, caFields(limited))
    const clauses = { carries: 'SSH-CRITOPT-03', refuses: 'SSH-CRITOPT-06' }
    const good = optionRequest({ critical_options: FORCED })
    for (const critical_options of [
      SOURCE,
      { ...FORCED, ...SOURCE },
      { 'force-command2': 'x' },
      { [limited.allowed_critical_options]: 'x' },
    ])
      await neverCarries(context, clauses, { role, bad: optionRequest({ critical_options }), good }, ({ criticalOptions }) =>
        Object.keys(criticalOptions).filter((name) => !Object.hasOwn(FORCED, name)),
      )
    // Of a host's certificate the same holds.
    const host = { role: await roleWith(bench, hostFields(limited)), good: hostRequest('web.example.com') }
    await neverCarries(context, clauses, { ...host, bad: { ...host.good, critical_options: SOURCE } }, ({ criticalOptions }) =>
      Object.keys(criticalOptions),
    )
  },
)

/** Two, that one is not taken for all. */
const BY_DEFAULT = { ...SOURCE, 'custom@example.com': 'a value' }
const DEFAULTS = { default_critical_options: BY_DEFAULT }

check(
  'ssh/default-critical-options',
  ['SSH-DEFCRIT-01', 'SSH-DEFCRIT-04'],
  'default critical options stand where none are requested, and are none unless the role has some',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    await bench.decide('SSH-DEFCRIT-01', async () => expect((await certificateFor(context, DEFAULTS)).criticalOptions).toEqual(BY_DEFAULT))
    await bench.decide('SSH-DEFCRIT-04', async () => expect((await certificateFor(context, {})).criticalOptions).toEqual({}))
  },
)

check(
  'ssh/default-critical-options-replaced',
  'SSH-DEFCRIT-02',
  'requested critical options take the place of the defaults',
  ownMount,
  async (context) => {
    await withCa(context.bench)
    const { criticalOptions } = await certificateFor(context, DEFAULTS, { critical_options: FORCED })
    context.expect(criticalOptions).toEqual(FORCED)
  },
)

check(
  'ssh/default-critical-options-unlisted',
  'SSH-DEFCRIT-03',
  'default critical options need not be on the list',
  ownMount,
  async (context) => {
    await withCa(context.bench)
    const { criticalOptions } = await certificateFor(context, { ...DEFAULTS, allowed_critical_options: 'force-command' })
    context.expect(criticalOptions).toEqual(BY_DEFAULT)
  },
)
