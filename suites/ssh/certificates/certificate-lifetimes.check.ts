import { type CheckContext, check, type JsonObject, sshOracle, targetNow } from '../../../harness/checks/index.ts'
import { caFields, expectLifetime, hostFields, ownMount, roleWith, signed, userPair, withCa } from '../fixtures.ts'

const request = (more: JsonObject = {}): JsonObject => ({
  public_key: userPair().publicKey,
  valid_principals: 'ubuntu',
  ...more,
})

/** A user's certificate and a host's. */
const KINDS: JsonObject[] = [{}, { cert_type: 'host', valid_principals: 'web.example.com' }]

/** Fields of a role for users and hosts. */
const bothFields = (fields: JsonObject): JsonObject => ({ ...hostFields(), ...caFields(), ...fields })

/** Asserts that certificates of a role live so long when the request names no ttl. */
const expectDefault = async (context: CheckContext, fields: JsonObject, seconds: number): Promise<void> => {
  const { bench } = context
  const { ttl: _, ...plain } = bothFields({})
  for (const kind of KINDS)
    for (const body of [request(kind), request({ ...kind, ttl: '' })])
      expectLifetime(context, await signed(context, await roleWith(bench, { ...plain, ...fields }), body), seconds)
}

/** A mount whose system default is 1 h and whose maximum is 2 h. */
const timed = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true, config: { defaultLeaseTtl: 3600, maxLeaseTtl: 7200 } } } } }

check('ssh/ttl-of-role', 'SSH-TTL-01', 'the role gives the lifetime', ownMount, async (context) => {
  await withCa(context.bench)
  await expectDefault(context, { ttl: '17m' }, 1020)
  await expectDefault(context, { ttl: '17m', max_ttl: '5h' }, 1020)
  await expectDefault(context, { ttl: '3h', max_ttl: '5h' }, 10_800)
})

check(
  'ssh/ttl-of-system',
  ['SSH-TTL-02', 'SSH-TTL-03'],
  'without a lifetime the shorter of system default and maximum holds',
  timed,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    await bench.decide('SSH-TTL-02', () => expectDefault(context, { max_ttl: '23m' }, 1380))
    await bench.decide('SSH-TTL-03', () => expectDefault(context, { max_ttl: '100m' }, 3600))
  },
)

/** Asserts of a role for users and hosts that no certificate outlives a maximum, granted or not, and that one of exactly the maximum is granted. */
const expectMaximum = async (context: CheckContext, role: string, seconds: number): Promise<void> => {
  const { bench, expect } = context
  for (const kind of KINDS) {
    for (const ttl of [`${seconds + 600}s`, `${seconds * 10}s`, `${seconds + 600}`]) {
      const what = `ttl ${ttl} of a certificate for a ${String(kind.cert_type ?? 'user')}`
      const asked = targetNow(bench)
      const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request({ ...kind, ttl }) })
      if (!answer.ok) {
        expect(answer, what).toBeRefused()
        continue
      }
      const elapsed = targetNow(bench) - asked
      const { validBefore } = await sshOracle.readCertificate(String(answer.data.signed_key))
      expect(validBefore - asked - elapsed, `seconds of validity, ${what}`).toBeLessThanOrEqual(seconds + 60)
    }
    expectLifetime(context, await signed(context, role, request({ ...kind, ttl: `${seconds}s` })), seconds)
  }
}

check('ssh/max-ttl', 'SSH-MAXTTL-01', 'no certificate outlives the maximum of its role', ownMount, async (context) => {
  await withCa(context.bench)
  await expectMaximum(context, await roleWith(context.bench, bothFields({ ttl: '5m', max_ttl: '30m' })), 1800)
})

check('ssh/max-ttl-of-system', 'SSH-MAXTTL-02', 'without a maximum the system’s holds', timed, async (context) => {
  await withCa(context.bench)
  await expectMaximum(context, await roleWith(context.bench, bothFields({ ttl: '5m' })), 7200)
})

check('ssh/ttl-asked', 'SSH-SIGN-15', 'the request gives the lifetime', ownMount, async (context) => {
  const { bench } = context
  await withCa(bench)
  const role = await roleWith(bench, caFields({ ttl: '10m', max_ttl: '5h' }))
  const seconds: [ttl: string, seconds: number][] = [
    ['90s', 90],
    ['3m', 180],
    ['90m', 5400],
    ['4h', 14_400],
  ]
  for (const [ttl, wanted] of seconds) expectLifetime(context, await signed(context, role, request({ ttl })), wanted)
  // Whether several units may be given is not said: what is taken is taken whole.
  const compound = await bench.call('ssh.signKey', { path: { name: role }, body: request({ ttl: '1h30m' }) })
  if (!compound.ok) context.expect(compound, 'ttl 1h30m').toBeRefused()
  else expectLifetime(context, await signed(context, role, request({ ttl: '1h30m' })), 5400)
})

/** A mount where certificates may live for a month. */
const lasting = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true, config: { defaultLeaseTtl: 3600, maxLeaseTtl: 2_592_000 } } } } }

check(
  'ssh/ttl-of-days',
  ['SSH-TTL-01', 'SSH-SIGN-15', 'SSH-MAXTTL-01'],
  'certificates live for more than a day where they should',
  lasting,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    await bench.decide('SSH-TTL-01', async () => {
      await expectDefault(context, { ttl: '36h', max_ttl: '100h' }, 129_600)
      await expectDefault(context, { ttl: '24h', max_ttl: '24h' }, 86_400)
    })
    const role = await roleWith(bench, bothFields({ ttl: '10m', max_ttl: '100h' }))
    await bench.decide('SSH-SIGN-15', async () => {
      for (const hours of [24, 25, 49, 100])
        expectLifetime(context, await signed(context, role, request({ ttl: `${hours}h` })), hours * 3600)
    })
    await bench.decide('SSH-MAXTTL-01', () => expectMaximum(context, role, 360_000))
  },
)

check('ssh/ttl-above-max-in-role', 'SSH-TTL-09', 'a role’s ttl above its maximum is not used', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const name = bench.mixedName('role')
  const written = await bench.call('ssh.writeRole', { path: { name }, body: caFields({ ttl: '5h', max_ttl: '1h' }) })
  if (!written.ok) return expect(written).toBeRefused()
  const { certificate, answered } = await signed(context, name, request())
  expect(certificate.validBefore - answered, 'seconds of validity since the answer').toBeLessThanOrEqual(3600 + 60)
})

/** Seconds of ten years. */
const YEARS = 315_360_000

check(
  'ssh/ttl-beside-timed-mount',
  'SSH-TTL-03',
  'the lease times of a mount are not those of one beside it that has none of its own',
  { needs: { features: ['mounts'], mounts: { ssh: { type: 'ssh', exclusive: true } } } },
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const { ttl: _, ...plain } = caFields()
    const role = await roleWith(bench, plain)
    const { certificate, answered } = await signed(context, role, request())
    const seconds = Math.round(certificate.validBefore - answered)
    if (seconds > YEARS) return bench.observe('SSH-TTL-03', 'certificates that no default of the system ends')
    // Neither what the system has nor near it.
    await bench.mount('ssh', { config: { defaultLeaseTtl: Math.ceil(seconds / 3), maxLeaseTtl: Math.ceil(seconds / 2) } })
    expectLifetime(context, await signed(context, role, request()), seconds)
  },
)
