import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, otpFields, ownMount, refusesToSign, request, roleRefusesToSign, roleWith, userPair, withCa } from '../fixtures.ts'

check('ssh/ca-per-role-kind', ['SSH-SIGN-14', 'SSH-SIGN-41'], 'an otp role signs nothing', ownMount, async ({ bench }) => {
  await withCa(bench)
  const ca = await roleWith(bench, caFields({ default_user: 'ubuntu' }))
  const otp = await roleWith(bench, otpFields())
  await bench.decide('SSH-SIGN-14', async () => void (await roleRefusesToSign(bench, { bad: otp, good: ca }, request('ubuntu'))))
  const mixed = { path: { name: bench.mixedName('otp') }, body: { ...caFields(), ...otpFields() } }
  const isTaken = (await bench.call('ssh.writeRole', mixed)).ok
  const bad = isTaken ? mixed.path.name : otp
  await bench.decide('SSH-SIGN-41', async () => void (await roleRefusesToSign(bench, { bad, good: ca }, request('ubuntu'))))
})

/** A role that signs for anyone, and a request that it grants. */
const granting = async (bench: Bench): Promise<{ role: string; good: JsonObject }> => {
  await withCa(bench)
  const role = await roleWith(bench, caFields({ allow_host_certificates: true, allowed_domains: '*' }))
  return { role, good: { ...request('ubuntu'), ttl: '1m', cert_type: 'user' } }
}

/** Values of a member of the request that make no sense. */
const SENSELESS: [name: string, clause: string, member: string, values: () => string[]][] = [
  ['no-key', 'SSH-SIGN-11', 'public_key', () => ['no key', 'ssh-ed25519 AAAA', userPair().publicKey.slice(0, -8), userPair().privateKey]],
  ['negative-ttl', 'SSH-SIGN-16', 'ttl', () => ['-1m', '-60']],
  ['no-ttl', 'SSH-SIGN-17', 'ttl', () => ['soon', '5x']],
  ['no-cert-type', 'SSH-SIGN-24', 'cert_type', () => ['server', 'user,host', 'users', 'hos']],
]

for (const [name, clause, member, values] of SENSELESS) {
  check(`ssh/sign-${name}`, clause, `a request with ${member} without sense is not signed`, ownMount, async ({ bench }) => {
    const { role, good } = await granting(bench)
    for (const value of values()) await refusesToSign(bench, role, { ...good, [member]: value }, good)
  })
}

check('ssh/sign-refusals', 'SSH-SIGN-10', 'a request without a key is not signed', ownMount, async ({ bench }) => {
  const { role, good } = await granting(bench)
  const { public_key: _, ...withoutKey } = good
  await refusesToSign(bench, role, withoutKey, good)
})

check('ssh/sign-unknown-role', 'SSH-SIGN-13', 'an unknown role signs nothing', ownMount, async ({ bench }) => {
  const { role, good } = await granting(bench)
  await bench.refuses('ssh.signKey', {
    bad: { path: { name: bench.fresh('unknown') }, body: good },
    control: { path: { name: role }, body: good },
    unchanged: null,
    because: 'the role is absent',
    status: [400, 404],
  })
})

const TYPES = [
  ['public_key', 'SSH-SIGN-12'],
  ['ttl', 'SSH-SIGN-18'],
  ['valid_principals', 'SSH-SIGN-20'],
  ['cert_type', 'SSH-SIGN-25'],
  ['key_id', 'SSH-SIGN-26'],
  ['critical_options', 'SSH-SIGN-28'],
  ['extensions', 'SSH-SIGN-30'],
] as const

for (const [field, clause] of TYPES) {
  check(`ssh/sign-type-${field}`, clause, `an object for ${field} of a request to sign is refused`, ownMount, async ({ bench }) => {
    await withCa(bench)
    const role = await roleWith(bench, caFields({ allow_user_key_ids: true, allowed_extensions: '*' }))
    const good = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
    await refusesToSign(bench, role, { ...good, [field]: { a: { b: ['c'] } } }, good)
  })
}
