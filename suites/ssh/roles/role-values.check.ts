import { type Bench, check, type Json, type JsonObject, type SshKeyPair, secondsOf } from '../../../harness/checks/index.ts'
import { caFields, entries, otpFields, roleRead, roleWith, userPair } from '../fixtures.ts'
import { privateLine } from '../rsa-keys.ts'

const TYPES: Record<string, string[]> = {
  admin_user: ['string'],
  cidr_list: ['string', 'list'],
  default_user: ['string'],
  key: ['string'],
  port: ['integer'],
}
const OTP_TYPES = [
  ['SSH-OTPREAD-01', 'cidr_list'],
  ['SSH-OTPREAD-02', 'default_user'],
  ['SSH-OTPREAD-04', 'port'],
] as const
const DYNAMIC_TYPES = [
  ['SSH-DYNREAD-01', 'admin_user'],
  ['SSH-DYNREAD-02', 'cidr_list'],
  ['SSH-DYNREAD-03', 'default_user'],
  ['SSH-DYNREAD-04', 'key'],
  ['SSH-DYNREAD-06', 'port'],
] as const

const typeOf = (value: Json | undefined): string => {
  if (Number.isInteger(value)) return 'integer'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' ? 'map' : typeof value
}

check(
  'ssh/otp-role-reads-back',
  [...OTP_TYPES.map(([clause]) => clause), 'SSH-OTPREAD-03', 'SSH-DEFUSER-03', 'SSH-CIDR-02', 'SSH-PORT-01'],
  'an otp role reads back as written',
  async ({ bench, expect }) => {
    const role = await roleRead(bench, await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8,192.0.2.0/24', default_user: 'deploy' })))()
    await bench.decide('SSH-OTPREAD-03', () => expect(role.key_type).toBe('otp'))
    for (const [clause, field] of OTP_TYPES) await bench.decide(clause, () => expect(TYPES[field], field).toContain(typeOf(role[field])))
    await bench.decide('SSH-DEFUSER-03', () => expect(role.default_user).toBe('deploy'))
    await bench.decide('SSH-CIDR-02', () => expect(entries(role.cidr_list)).toEqual(['10.0.0.0/8', '192.0.2.0/24']))
    await bench.decide('SSH-PORT-01', () => expect(role.port).toBe(22))
  },
)

check(
  'ssh/otp-role-without-blocks',
  'SSH-OTPREAD-01',
  'an otp role reads with blocks where it has none, too',
  async ({ bench, expect }) => {
    const name = bench.mixedName('otp')
    const written = await bench.call('ssh.writeRole', {
      path: { name },
      body: { key_type: 'otp', default_user: 'ubuntu' },
      observing: true,
    })
    // Whether a role of no block is taken is not said.
    if (!written.ok) return bench.observe('SSH-OTPREAD-01', written.status)
    expect(TYPES.cidr_list, 'cidr_list').toContain(typeOf((await roleRead(bench, name)()).cidr_list))
  },
)

check('ssh/otp-role-port', 'SSH-PORT-03', 'the port of an otp role reads back as written', async ({ bench, expect }) => {
  for (const port of [2222, 1, 80, 32_768, 65_535]) {
    const name = bench.mixedName('otp')
    expect(await bench.call('ssh.writeRole', { path: { name }, body: otpFields({ port }) }), `port ${port}`).toSucceed()
    expect((await roleRead(bench, name)()).port).toBe(port)
  }
})

/** A dynamic role with the key that it names. */
const withKey = async (bench: Bench): Promise<{ key: string; name: string; pair: SshKeyPair }> => {
  const pair = userPair()
  const key = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name: key }, body: { key: pair.privateKey } })
  const fields = { key_type: 'dynamic', key, admin_user: 'boss', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' }
  return { key, pair, name: await roleWith(bench, fields) }
}

check(
  'ssh/dynamic-role-reads-back',
  [...DYNAMIC_TYPES.map(([clause]) => clause), 'SSH-DYNREAD-05', 'SSH-KEYNAME-02', 'SSH-ADMIN-02', 'SSH-DEFUSER-04', 'SSH-PORT-02'],
  'a dynamic role reads back as written',
  async ({ bench, expect }) => {
    const { key, name } = await withKey(bench)
    const read = await bench.call('ssh.readRole', { path: { name } })
    await bench.decide('SSH-DYNREAD-05', () => expect(read.data.key_type).toBe('dynamic'))
    for (const [clause, field] of DYNAMIC_TYPES)
      await bench.decide(clause, () => expect(TYPES[field], field).toContain(typeOf(read.data[field])))
    await bench.decide('SSH-KEYNAME-02', () => expect(read.data.key).toBe(key))
    await bench.decide('SSH-ADMIN-02', () => expect(read.data.admin_user).toBe('boss'))
    await bench.decide('SSH-DEFUSER-04', () => expect(read.data.default_user).toBe('ubuntu'))
    await bench.decide('SSH-PORT-02', () => expect(read.data.port).toBe(22))
  },
)

check('ssh/named-key-hidden', 'SSH-KEY-07', 'no answer about a key or its role has the key', async ({ bench, expect }) => {
  const { key, name, pair } = await withKey(bench)
  const answers = [
    await bench.call('ssh.readRole', { path: { name } }),
    await bench.call('ssh.listRoles'),
    await bench.call('ssh.writeKey', { path: { name: key }, body: { key: pair.privateKey } }),
  ]
  for (const { text } of answers) expect(text.includes(privateLine(pair)), 'the key is in an answer').toBe(false)
})

/** Members of a ca role's read, with the types that each may have. */
const CA_TYPES: [clause: string, field: string, types: string[]][] = [
  ['SSH-CAREAD-01', 'allow_bare_domains', ['boolean']],
  ['SSH-CAREAD-02', 'allow_host_certificates', ['boolean']],
  ['SSH-CAREAD-03', 'allow_subdomains', ['boolean']],
  ['SSH-CAREAD-04', 'allow_user_key_ids', ['boolean']],
  ['SSH-CAREAD-05', 'allow_user_certificates', ['boolean']],
  ['SSH-CAREAD-06', 'allowed_critical_options', ['string', 'list']],
  ['SSH-CAREAD-07', 'allowed_extensions', ['string', 'list']],
  ['SSH-CAREAD-08', 'default_critical_options', ['map', 'null']],
  ['SSH-CAREAD-09', 'default_extensions', ['map', 'null']],
  ['SSH-CAREAD-10', 'max_ttl', ['string', 'integer']],
  ['SSH-CAREAD-11', 'ttl', ['string', 'integer']],
]

check(
  'ssh/ca-role-reads-back',
  CA_TYPES.map(([clause]) => clause),
  'a ca role reads with all its members',
  async ({ bench, expect }) => {
    const set = { default_critical_options: { 'force-command': '/bin/true' }, default_extensions: { 'permit-pty': '' } }
    for (const fields of [{}, set] as JsonObject[]) {
      const role = await roleRead(bench, await roleWith(bench, caFields(fields)))()
      for (const [clause, field, types] of CA_TYPES) await bench.decide(clause, () => expect(types, field).toContain(typeOf(role[field])))
    }
  },
)

const itself = (value: Json | undefined): unknown => value

/** Field, clause, the values written, and what a read of each must equal. */
const VALUES: [field: string, clause: string, values: Json[], shown: (value: Json | undefined) => unknown][] = [
  ['ttl', 'SSH-TTL-04', ['450s', '45s', '90m', '59m', '60m'], secondsOf],
  ['max_ttl', 'SSH-MAXTTL-03', ['2h', '3601s', '119m', '660s'], secondsOf],
  ['allowed_critical_options', 'SSH-CRITOPT-04', ['force-command,source-address', 'force-command', 'Own@example.com,a,b,c'], entries],
  ['allowed_extensions', 'SSH-EXT-05', ['permit-pty,permit-port-forwarding', '*', 'permit-X11-forwarding,a,b'], entries],
  [
    'default_critical_options',
    'SSH-DEFCRIT-05',
    [{ 'force-command': '/bin/true', 'source-address': '10.0.0.0/8,192.0.2.0/24' }, { 'Own@example.com': 'a "b" = c; d' }],
    itself,
  ],
  ['default_extensions', 'SSH-DEFEXT-05', [{ 'permit-pty': '', 'login@example.com': 'x' }, { 'permit-X11-forwarding': '' }], itself],
]

for (const [field, clause, values, shown] of VALUES) {
  check(`ssh/role-value-${field}`, clause, `${field} of a ca role reads back as written`, async ({ bench, expect }) => {
    for (const value of values) {
      const role = await roleRead(bench, await roleWith(bench, caFields({ [field]: value })))()
      expect(shown(role[field]), JSON.stringify(value)).toEqual(shown(value))
    }
  })
}

/** A mount where lifetimes of a month are permitted. */
const lasting = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true, config: { defaultLeaseTtl: 3600, maxLeaseTtl: 2_592_000 } } } } }

check(
  'ssh/role-days-read-back',
  ['SSH-TTL-04', 'SSH-MAXTTL-03'],
  'durations of a day and more read back as written',
  lasting,
  async ({ bench, expect }) => {
    for (const duration of ['23h', '24h', '25h', '36h', '48h', '100h', '700h', '86399s', '86400s', '1500m', '90000s']) {
      const role = await roleRead(bench, await roleWith(bench, caFields({ ttl: duration, max_ttl: duration })))()
      await bench.decide('SSH-TTL-04', () => expect(secondsOf(role.ttl), duration).toBe(secondsOf(duration)))
      await bench.decide('SSH-MAXTTL-03', () => expect(secondsOf(role.max_ttl), duration).toBe(secondsOf(duration)))
    }
  },
)

const FLAGS: [field: string, clause: string][] = [
  ['allow_bare_domains', 'SSH-BARE-04'],
  ['allow_subdomains', 'SSH-SUBDOM-06'],
  ['allow_user_certificates', 'SSH-USERCERT-03'],
  ['allow_host_certificates', 'SSH-HOSTCERT-03'],
  ['allow_user_key_ids', 'SSH-KEYID-04'],
]

for (const [field, clause] of FLAGS) {
  check(`ssh/role-flag-${field}`, clause, `${field} is false unless set`, async ({ bench, expect }) => {
    // Not every server lets a role be that permits neither kind of certificate.
    const plain: JsonObject = {
      key_type: 'ca',
      [field === 'allow_host_certificates' ? 'allow_user_certificates' : 'allow_host_certificates']: true,
    }
    expect((await roleRead(bench, await roleWith(bench, plain))())[field], 'by default').toBe(false)
    for (const value of [true, false]) {
      const role = await roleRead(bench, await roleWith(bench, { ...plain, [field]: value }))()
      expect(role[field], `written as ${value}`).toBe(value)
    }
  })
}
