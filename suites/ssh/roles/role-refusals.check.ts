import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, otpFields, refusesAtCreation, refusesRole, roleRead } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'

/** A member that a read shows of roles of one kind alone. */
const PROPER = { otp: 'default_user', ca: 'allow_user_certificates' }

const without = (role: JsonObject, field: string): JsonObject => Object.fromEntries(Object.entries(role).filter(([name]) => name !== field))

const namedKey = async (bench: Bench): Promise<string> => {
  const name = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name }, body: { key: rsaPair('user2048').privateKey } })
  return name
}

const dynamicFields = async (bench: Bench): Promise<JsonObject> => ({
  key_type: 'dynamic',
  key: await namedKey(bench),
  admin_user: 'admin',
  default_user: 'ubuntu',
  cidr_list: '10.0.0.0/8',
})

check('ssh/role-needs-key-type', 'SSH-KEYTYPE-01', 'a role cannot be created without key_type', ({ bench }) =>
  refusesAtCreation(bench, without(otpFields(), 'key_type'), otpFields()),
)

check('ssh/role-key-types', 'SSH-KEYTYPE-02', 'a key_type outside the three is refused', async ({ bench }) => {
  for (const key_type of bench.few(['certificate', 'otp-', 'none', 'otp,ca', 'otp2', 'ot']))
    await refusesRole(bench, otpFields({ key_type }), otpFields())
  await refusesRole(bench, caFields({ key_type: 'cas' }), caFields())
})

check(
  'ssh/role-key-type-case',
  'SSH-KEYTYPE-04',
  'a key_type in other letters means the same, if it is taken',
  async ({ bench, expect }) => {
    for (const [kind, fields] of [
      ['otp', otpFields()],
      ['ca', caFields()],
    ] as const)
      for (const key_type of [kind.toUpperCase(), `${kind[0]!.toUpperCase()}${kind.slice(1)}`]) {
        const path = { name: bench.mixedName('role') }
        const written = await bench.call('ssh.writeRole', { path, body: { ...fields, key_type }, invalid: true })
        if (!written.ok) expect(written, `key_type ${key_type}`).toBeRefused()
        else expect(Object.keys(await roleRead(bench, path.name)()), `a role of key_type ${key_type}`).toContain(PROPER[kind])
      }
  },
)

check('ssh/otp-role-needs-user', 'SSH-DEFUSER-01', 'an otp role without default_user is refused', ({ bench }) =>
  refusesAtCreation(bench, without(otpFields(), 'default_user'), otpFields()),
)

for (const [field, clause] of [
  ['key', 'SSH-KEYNAME-01'],
  ['admin_user', 'SSH-ADMIN-01'],
  ['default_user', 'SSH-DEFUSER-02'],
] as const) {
  check(`ssh/dynamic-role-needs-${field}`, clause, `a dynamic role without ${field} is refused`, async ({ bench }) => {
    const role = await dynamicFields(bench)
    await refusesAtCreation(bench, without(role, field), role)
  })
}

check('ssh/role-key-bits', 'SSH-BITS-03', 'a dynamic role with another key length than 1024 and 2048 is refused', async ({ bench }) => {
  const role = await dynamicFields(bench)
  for (const key_bits of [4096, 512, 1536]) await refusesRole(bench, { ...role, key_bits }, { ...role, key_bits: 2048 })
})

// A plain address is left out: a server may read it as the block of that one address.
const NO_BLOCKS = ['anywhere', '10.0.0.0/8/8', '10.0.0.256/8', '10.0.0.0/-1', '10.0.0.0/8,nonsense']
const TOO_LONG = ['10.0.0.0/33', '0.0.0.0/99', '2001:db8::/129']

check('ssh/role-bad-blocks', ['SSH-CIDR-08', 'SSH-CIDR-09', 'SSH-EXCL-05'], 'blocks that are none are refused', async ({ bench }) => {
  for (const text of bench.few(NO_BLOCKS, 2))
    await bench.decide('SSH-CIDR-08', () => refusesRole(bench, otpFields({ cidr_list: text }), otpFields()))
  for (const text of bench.few(TOO_LONG, 2))
    await bench.decide('SSH-CIDR-09', () => refusesRole(bench, otpFields({ cidr_list: text }), otpFields()))
  for (const text of bench.few([...NO_BLOCKS, ...TOO_LONG], 2)) {
    const good = otpFields({ exclude_cidr_list: '10.9.0.0/16' })
    await bench.decide('SSH-EXCL-05', () => refusesRole(bench, otpFields({ exclude_cidr_list: text }), good))
  }
})

check('ssh/role-bad-blocks-status', 'CORE-STATUS-13', 'malformed blocks cause no internal error', async ({ bench, expect }) => {
  const answered: string[] = []
  for (const field of ['cidr_list', 'exclude_cidr_list'])
    for (const text of ['10.0.0.0', '10.0.0.0/33']) {
      const path = { name: bench.mixedName('role') }
      const { status } = await bench.call('ssh.writeRole', { path, body: otpFields({ [field]: text }), invalid: true })
      if (status >= 500) answered.push(`${field} ${text}: ${status}`)
    }
  expect(answered, 'bad requests answered with 500 or above').toEqual([])
})

const NO_DURATIONS = ['soon', '1 fortnight', '5x', '10mm', 'm10']
const NEGATIVE = ['-1h', '-30s', '-3600']

for (const [name, field, none, negative] of [
  ['role-bad-ttls', 'ttl', 'SSH-TTL-05', 'SSH-TTL-06'],
  ['role-bad-max-ttls', 'max_ttl', 'SSH-MAXTTL-04', 'SSH-MAXTTL-05'],
] as const) {
  check(`ssh/${name}`, [none, negative], `a ${field} that is not a duration is refused`, async ({ bench }) => {
    const refuses = (clause: string, texts: string[]) =>
      bench.decide(clause, async () => {
        for (const text of bench.few(texts, 2))
          await refusesRole(bench, caFields({ ttl: '1m', [field]: text }), caFields({ ttl: '1m', [field]: '2m' }))
      })
    await refuses(none, NO_DURATIONS)
    await refuses(negative, NEGATIVE)
  })
}

check('ssh/role-algorithm-names', 'SSH-ALGO-04', 'an unknown signature algorithm is refused', async ({ bench }) => {
  for (const algorithm_signer of bench.few(['rsa-sha3-256', 'sha256', 'ssh-dss-2', 'rsa-sha2-2566', 'rsa-sha2-25', 'rsa-sha2-384'])) {
    await refusesRole(bench, caFields({ algorithm_signer }), caFields({ algorithm_signer: 'rsa-sha2-512' }))
  }
})

check('ssh/role-port-range', 'SSH-PORT-07', 'a port that no TCP connection can have is refused', async ({ bench }) => {
  for (const port of [65_536, -1, 1_000_000]) await refusesRole(bench, otpFields({ port }), otpFields({ port: 65_535 }))
})

check('ssh/role-long-name', 'SSH-ROLE-14', 'an over-long name causes no internal error', async ({ bench, expect }) => {
  for (const length of [300, 3000]) {
    const { status } = await bench.call('ssh.writeRole', { path: { name: 'n'.repeat(length) }, body: otpFields() })
    expect(status, `a role name of ${length} letters`).toBeLessThan(500)
    await bench.call('ssh.deleteRole', { path: { name: 'n'.repeat(length) } })
  }
})
