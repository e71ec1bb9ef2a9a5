/** Key usages and extended usages of a role's certificates. */
import { type CertificateFacts, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { issue, openRole, ownMount, quickKey, sign, withRoot } from '../fixtures.ts'

const EXTENDED = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
  code: '1.3.6.1.5.5.7.3.3',
  email: '1.3.6.1.5.5.7.3.4',
  time: '1.3.6.1.5.5.7.3.8',
}

const usesOf = ({ keyUsage, extendedKeyUsage, policies, basicConstraints }: CertificateFacts) => ({
  keyUsage: keyUsage?.toSorted(),
  extendedKeyUsage: extendedKeyUsage.toSorted(),
  policies: policies.toSorted(),
  basicConstraints,
})

/** What a role's certificates are for, which is the same where it signs a request that says nothing of it. */
const factsFor = async (context: CheckContext, fields: JsonObject) => {
  await withRoot(context.bench)
  const role = await openRole(context.bench, fields)
  const [issued, signed] = [await issue(context, role), await sign(context, role, { commonName: 'www.example.com' })]
  context.expect(usesOf(signed.facts), `what is signed by a role of ${JSON.stringify(fields)}`).toEqual(usesOf(issued.facts))
  return issued.facts
}

const FLAGS = [
  ['server_flag', 'PKI-SERVER-02', EXTENDED.server, true],
  ['client_flag', 'PKI-CLIENT-02', EXTENDED.client, true],
  ['code_signing_flag', 'PKI-CODE-02', EXTENDED.code, false],
  ['email_protection_flag', 'PKI-EMAIL-02', EXTENDED.email, false],
] as const

const noFlags = Object.fromEntries(FLAGS.map(([field]) => [field, false]))

for (const [field, clause, usage, byDefault] of FLAGS) {
  check(`pki/${field.replaceAll('_', '-')}`, clause, `${field} adds its extended usage`, { needs: ownMount }, async (context) => {
    // Beside the defaults of the other flags, with all of them off, and left out.
    const rows: [fields: JsonObject, added: boolean][] = [
      [{ [field]: true }, true],
      [{ [field]: false }, false],
      [{ ...noFlags, [field]: true }, true],
      [noFlags, false],
      [{}, byDefault],
    ]
    for (const [fields, added] of rows) {
      const { extendedKeyUsage } = await factsFor(context, fields)
      context.expect(extendedKeyUsage.includes(usage), `the usage of ${field} by a role of ${JSON.stringify(fields)}`).toBe(added)
    }
  })
}

check('pki/flags-add', 'PKI-FLAGS-01', 'the usage flags add up', { needs: ownMount }, async (context) => {
  const all = {
    server_flag: true,
    client_flag: true,
    code_signing_flag: true,
    email_protection_flag: true,
    ext_key_usage_oids: EXTENDED.time,
  }
  const { extendedKeyUsage } = await factsFor(context, all)
  context.expect([...extendedKeyUsage].sort()).toEqual(Object.values(EXTENDED).sort())
  const none = { server_flag: false, client_flag: false, code_signing_flag: true }
  context.expect((await factsFor(context, none)).extendedKeyUsage).toEqual([EXTENDED.code])
})

/** Names of usages that the contract gives, with those of the standard. */
const STATED = { DigitalSignature: 'digitalSignature', KeyEncipherment: 'keyEncipherment', KeyAgreement: 'keyAgreement' }

/** The standard's others, spelled likewise; the signing of certificates is for a CA's own certificate only. */
const OTHERS = {
  ContentCommitment: 'nonRepudiation',
  DataEncipherment: 'dataEncipherment',
  CRLSign: 'cRLSign',
  EncipherOnly: 'encipherOnly',
  DecipherOnly: 'decipherOnly',
}

const setsItsBit = async (context: CheckContext, [name, bit]: [string, string]): Promise<void> => {
  // Two say what the agreed key is for, and nothing without the agreement.
  const agreed = name.endsWith('Only')
  const { keyUsage } = await factsFor(context, { key_usage: agreed ? ['KeyAgreement', name] : [name] })
  context.expect([...(keyUsage ?? [])].sort(), name).toEqual((agreed ? ['keyAgreement', bit] : [bit]).sort())
}

check('pki/key-usage-bits', 'PKI-USAGE-02', 'each stated usage sets its bit and no other', { needs: ownMount }, async (context) => {
  for (const usage of Object.entries(STATED)) await setsItsBit(context, usage)
  const plain = await factsFor(context, {})
  context.expect([...(plain.keyUsage ?? [])].sort()).toEqual(['digitalSignature', 'keyAgreement', 'keyEncipherment'])
})
check('pki/key-usage-others', 'PKI-USAGE-06', 'each other usage sets its bit and no other', { needs: ownMount }, async (context) => {
  for (const usage of Object.entries(OTHERS)) await setsItsBit(context, usage)
})
check('pki/key-usage-case', 'PKI-USAGE-03', 'names of usages are taken in any case', { needs: ownMount }, async (context) => {
  const key_usage = ['digitalsignature', 'KEYAGREEMENT']
  const written = await context.bench.call('pki.writeRole', { path: { name: context.bench.mixedName('role') }, body: { key_usage } })
  context.expect(written, 'a role with usages in other letters').toSucceed()
  const { keyUsage } = await factsFor(context, { key_usage })
  context.expect([...(keyUsage ?? [])].sort()).toEqual(['digitalSignature', 'keyAgreement'])
})
/** Usages that a certificate of no CA may have; an extension with all of them restricts nothing. */
const UNRESTRICTED = ['dataEncipherment', 'digitalSignature', 'keyAgreement', 'keyEncipherment', 'nonRepudiation']

const expectNoConstraint = ({ expect }: CheckContext, keyUsage: string[] | undefined): void => {
  if (keyUsage !== undefined) expect(keyUsage, 'key usages for an empty list').toEqual(expect.arrayContaining(UNRESTRICTED))
  else expect(keyUsage).toBe(undefined)
}

check('pki/key-usage-empty', 'PKI-USAGE-04', 'an empty list makes no constraint', { needs: ownMount }, async (context) => {
  expectNoConstraint(context, (await factsFor(context, { key_usage: [] })).keyUsage)
})
check('pki/key-usage-unknown', 'PKI-USAGE-05', 'a usage that does not exist', { needs: ownMount }, async ({ bench }) => {
  const written = await bench.call('pki.writeRole', {
    path: { name: bench.mixedName('role') },
    body: { key_usage: ['NoSuchUsage'] },
    observing: true,
  })
  bench.observe('PKI-USAGE-05', { status: written.status })
})

check(
  'pki/key-usage-empty-flags',
  ['PKI-USAGE-04', 'PKI-FLAGS-01'],
  'a role without key usages keeps its extended ones',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const fields = { key_usage: [], server_flag: true, client_flag: false, email_protection_flag: true, ext_key_usage_oids: EXTENDED.time }
    const { keyUsage, extendedKeyUsage } = await factsFor(context, fields)
    await bench.decide('PKI-USAGE-04', () => expectNoConstraint(context, keyUsage))
    await bench.decide('PKI-FLAGS-01', () =>
      expect([...extendedKeyUsage].sort()).toEqual([EXTENDED.server, EXTENDED.email, EXTENDED.time].sort()),
    )
  },
)

/** Lists of the first, of the first two, and so on: one element alone is a case of its own. */
const firstFew = <T>(all: T[]): T[][] => all.map((_, at) => all.slice(0, at + 1))

const NAMED: Record<string, string> = { TimeStamping: EXTENDED.time, EmailProtection: EXTENDED.email, CodeSigning: EXTENDED.code }

check(
  'pki/extended-usages',
  ['PKI-EXTUSAGE-02', 'PKI-EXTUSAGE-03'],
  'extended usages that a role takes by name are in the certificate',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const takes = async (ext_key_usage: string[]): Promise<boolean> => {
      const body = { allow_any_name: true, ttl: '1h', ...quickKey, ...noFlags, ext_key_usage }
      return (await bench.call('pki.writeRole', { path: { name: bench.mixedName('role') }, body, observing: true })).ok
    }
    const taken: string[] = []
    const invented = await takes(['NoSuchUsage'])
    for (const name of Object.keys(NAMED)) {
      if (!(await takes([name]))) continue
      const { extendedKeyUsage } = await factsFor(context, { ...noFlags, ext_key_usage: [name] })
      if (extendedKeyUsage.includes(NAMED[name]!)) taken.push(name)
      // Where an invented name is taken, and has no effect, so may any other.
      else if (!invented) await bench.decide('PKI-EXTUSAGE-02', () => expect(extendedKeyUsage, name).toContain(NAMED[name]))
    }
    bench.observe('PKI-EXTUSAGE-03', { taken: taken.join(' '), invented })
    if (taken.length === 0) bench.blocked('the role takes none of the names of the standard', 'no name is part of the contract')
    for (const listed of firstFew(taken)) {
      const { extendedKeyUsage } = await factsFor(context, { ...noFlags, ext_key_usage: listed })
      await bench.decide('PKI-EXTUSAGE-02', () => expect([...extendedKeyUsage].sort()).toEqual(listed.map((name) => NAMED[name]).sort()))
    }
  },
)
const OIDS = ['1.3.6.1.4.1.99999.5', '1.3.6.1.4.1.311.10.3.4']

check(
  'pki/extended-usage-oids',
  'PKI-EXTOIDS-02',
  'an extended usage given as OID is in the certificate',
  { needs: ownMount },
  async (context) => {
    const { extendedKeyUsage } = await factsFor(context, { ...noFlags, ext_key_usage_oids: OIDS[0]! })
    context.expect(extendedKeyUsage).toEqual([OIDS[0]!])
    const both = await factsFor(context, { ...noFlags, email_protection_flag: true, ext_key_usage_oids: OIDS[0]! })
    context.expect([...both.extendedKeyUsage].sort(), 'usages by flag and by OID').toEqual([OIDS[0]!, EXTENDED.email].sort())
  },
)
check('pki/extended-usage-several', 'PKI-EXTOIDS-04', 'several OIDs in one string', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const name = bench.mixedName('role')
  const body = { allow_any_name: true, ttl: '1h', ...quickKey, ...noFlags, ext_key_usage_oids: OIDS.join(',') }
  expect(await bench.call('pki.writeRole', { path: { name }, body }), 'a role with several').toSucceed()
  await withRoot(bench)
  expect([...(await issue(context, name)).facts.extendedKeyUsage].sort()).toEqual(OIDS.toSorted())
})

/** Written or issued, one of the two must be refused. */
const refusedOid = async (
  { bench, expect }: CheckContext,
  field: string,
  good: string | string[],
  bad: string | string[],
): Promise<void> => {
  await withRoot(bench)
  const body = { allow_any_name: true, ttl: '1h', ...quickKey }
  const attempt = async (value: string | string[]) => {
    const name = bench.mixedName('role')
    const written = await bench.call('pki.writeRole', { path: { name }, body: { ...body, [field]: value } })
    return written.ok ? bench.call('pki.issue', { path: { name }, body: { common_name: 'www.example.com' } }) : written
  }
  expect(await attempt(bad)).toBeRefused()
  expect(await attempt(good)).toSucceed()
}

check('pki/extended-usage-malformed', 'PKI-EXTOIDS-03', 'a malformed OID of a usage is refused', { needs: ownMount }, (context) =>
  refusedOid(context, 'ext_key_usage_oids', '1.3.6.1.4.1.99999.5', '1.3.x.7'),
)

check('pki/policies', 'PKI-POLICIES-02', 'listed policies are in the certificate', { needs: ownMount }, async (context) => {
  for (const policies of firstFew(['1.3.6.1.4.1.99999.1', '2.16.840.1.114027.1', '2.5.29.32.0']))
    context.expect([...(await factsFor(context, { policy_identifiers: policies })).policies].sort()).toEqual([...policies].sort())
  context.expect((await factsFor(context, {})).policies).toEqual([])
})
check('pki/policies-malformed', 'PKI-POLICIES-03', 'a malformed OID of a policy is refused', { needs: ownMount }, (context) =>
  refusedOid(context, 'policy_identifiers', ['1.3.6.1.4.1.99999.1'], ['1.3.x.7']),
)
check(
  'pki/basic-constraints',
  'PKI-BASIC-02',
  'basic constraints deny being a CA where the role wants them',
  { needs: ownMount },
  async (context) => {
    const { basicConstraints } = await factsFor(context, { basic_constraints_valid_for_non_ca: true })
    context.expect(basicConstraints?.ca).toBe(false)
  },
)
