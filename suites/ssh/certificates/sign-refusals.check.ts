import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, ownMount, refusesToSign, roleWith, userPair, withCa } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'

check('ssh/ca-per-role-kind', 'SSH-SIGN-14', 'an otp role signs nothing', ownMount, async ({ bench }) => {
  await withCa(bench)
  const [otp, ca] = [
    await roleWith(bench, { ...caFields(), key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' }),
    await roleWith(bench, caFields({ default_user: 'ubuntu' })),
  ]
  const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
  await bench.refuses('ssh.signKey', {
    bad: { path: { name: otp }, body },
    good: { path: { name: ca }, body },
    unchanged: null,
    because: 'a refused signature leaves no state',
  })
})

check(
  'ssh/sign-refusals',
  ['SSH-SIGN-10', 'SSH-SIGN-11', 'SSH-SIGN-13', 'SSH-SIGN-16', 'SSH-SIGN-17', 'SSH-SIGN-24'],
  'requests without sense are not signed',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const role = await roleWith(bench, caFields({ allow_host_certificates: true, allowed_domains: '*' }))
    const { publicKey } = userPair()
    const good = { public_key: publicKey, valid_principals: 'ubuntu', ttl: '1m', cert_type: 'user' }
    const refuses = (clause: string, change: JsonObject) =>
      bench.decide(clause, async () => void (await refusesToSign(bench, role, { ...good, ...change }, good)))
    const { public_key: _, ...withoutKey } = good
    await bench.decide('SSH-SIGN-10', async () => void (await refusesToSign(bench, role, withoutKey, good)))
    for (const public_key of ['no key', 'ssh-ed25519 AAAA', publicKey.slice(0, -8), rsaPair('user2048').privateKey])
      await refuses('SSH-SIGN-11', { public_key })
    for (const ttl of ['-1m', '-60']) await refuses('SSH-SIGN-16', { ttl })
    for (const ttl of ['soon', '5x', '1 m']) await refuses('SSH-SIGN-17', { ttl })
    for (const cert_type of ['server', 'USERS', 'user,host']) await refuses('SSH-SIGN-24', { cert_type })
    await bench.decide('SSH-SIGN-13', async () => {
      await bench.refuses('ssh.signKey', {
        bad: { path: { name: bench.fresh('unknown') }, body: good },
        good: { path: { name: role }, body: good },
        unchanged: null,
        because: 'there is no role to read',
        status: [400, 404],
      })
    })
  },
)

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
