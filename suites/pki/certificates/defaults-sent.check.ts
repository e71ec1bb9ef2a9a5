/** Defaults of the parameters of certificate requests, sent explicitly. */
import { type Bench, type CheckContext, check, type JsonObject, judgeCertificate } from '../../../harness/checks/index.ts'
import {
  ask,
  generateRoot,
  openRole,
  ownAuthority,
  ownMount,
  pemBlocks,
  signIntermediate,
  WAYS,
  withRoot,
  withUnlimited,
} from '../fixtures.ts'

/** What the table gives every way to a certificate. */
const OF_ALL: JsonObject = { alt_names: '', ip_sans: '', uri_sans: '', other_sans: '', ttl: '', format: 'pem' }
const BY_ROLE: JsonObject = { ...OF_ALL, exclude_cn_from_sans: false }
const OF_CA: JsonObject = {
  ...{ alt_names: '', uri_sans: '', format: 'pem', max_path_length: -1 },
  ...{ ou: '', organization: '', country: '', locality: '', province: '', street_address: '', postal_code: '', serial_number: '' },
}

/** What a certificate comes to, but for what no two share; its lifetime in minutes. */
const seen = async (bench: Bench, data: JsonObject): Promise<unknown> => {
  const facts = await judgeCertificate(bench, String(data.certificate))
  const { CN: _, serialNumber: __, ...subject } = facts.subject
  const { email, ip, uri, other, basicConstraints, keyUsage, extendedKeyUsage, policies, permittedDns } = facts
  return {
    ...{ subject, email, ip, uri, other, basicConstraints, keyUsage, extendedKeyUsage, policies, permittedDns },
    dns: facts.dns.length,
    // Certificates begin half a minute early by default. The 15 seconds keep such a lifetime away from the border of rounding.
    lifetime: Math.round((facts.notAfter - facts.notBefore + 15) / 60),
    form: pemBlocks(String(data.certificate)).length,
    members: Object.keys(data).sort(),
  }
}

/** Asserts that each of the defaults, and all of them together, change nothing of what is made without them. */
const changesNothing = async (
  { bench, expect }: CheckContext,
  way: string,
  defaults: JsonObject,
  make: (fields: JsonObject) => Promise<JsonObject>,
): Promise<void> => {
  const without = await seen(bench, await make({}))
  for (const fields of [defaults, ...bench.few(Object.entries(defaults)).map(([field, value]) => ({ [field]: value }))])
    expect(await seen(bench, await make(fields)), `${way} with ${JSON.stringify(fields)}`).toEqual(without)
}

check(
  'pki/defaults-sent',
  ['PKI-ISSUE-19', 'PKI-ISSUE-20'],
  'defaults of a request by a role change nothing where they are sent',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench, { allow_ip_sans: true })
    for (const way of WAYS)
      await bench.decide('PKI-ISSUE-19', () =>
        changesNothing(context, way, way === 'issue' ? { ...BY_ROLE, private_key_format: '' } : BY_ROLE, async (fields) => {
          const answer = await ask(bench, way, role, fields)
          expect(answer, `${way} with ${JSON.stringify(fields)}`).toSucceed()
          return answer.data
        }),
      )
    const blank = await ask(bench, 'issue', role, { format: '' })
    await bench.decide('PKI-ISSUE-20', () => {
      expect(blank, 'an empty format').toSucceed()
      expect(pemBlocks(String(blank.data.certificate)).length, 'certificates in PEM with an empty format').toBe(1)
    })
  },
)

check(
  'pki/root-defaults-sent',
  'PKI-ROOT-25',
  'defaults of a root change nothing where they are sent',
  { needs: ownAuthority },
  (context) =>
    changesNothing(context, 'a root', { ...OF_CA, ttl: '', exclude_cn_from_sans: false }, async (fields) => {
      const { answer } = await generateRoot(context, fields)
      return answer.data
    }),
)

check(
  'pki/intermediate-defaults-sent',
  'PKI-INTER-24',
  'defaults of an intermediate change nothing where they are sent',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    const defaults = { ...OF_CA, use_csr_values: false, exclude_cn_from_sans: '' }
    await changesNothing(context, 'an intermediate', defaults, async (fields) => (await signIntermediate(context, fields)).answer.data)
  },
)
