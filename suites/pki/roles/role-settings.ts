/** Every field of a role with two values, and what tells a role with the one from a role with the other. */
import { type Bench, certificateRequest, type JsonObject, judgeCertificate, type Setting } from '../../../harness/checks/index.ts'
import { ask, isListed, quickKey } from '../fixtures.ts'

/** The numbers of subjects that roles give. */
const OWN_NUMBERS = ['SN-1', 'SN-2']

/** What a request for a certificate comes to: a refusal, or what the certificate says but for what no two share; lifetimes in tens of minutes. */
export const outcome = async (bench: Bench, role: string, body: JsonObject, isOfStorage: boolean): Promise<unknown> => {
  const answer = await ask(bench, body.csr === undefined ? 'issue' : 'sign', role, body)
  if (!answer.ok) return 'refused'
  const facts = await judgeCertificate(bench, String(answer.data.certificate))
  const { dns, email, ip, uri, other, basicConstraints, keyUsage, extendedKeyUsage, policies, key } = facts
  const { serialNumber = [], ...subject } = facts.subject
  return {
    // A server may give each subject a number of its own.
    ownNumber: serialNumber.filter((number) => OWN_NUMBERS.includes(number)),
    ...{ subject, dns, email, ip, uri, other, basicConstraints, keyUsage, extendedKeyUsage, policies, key },
    lifetime: Math.round((facts.notAfter - facts.notBefore) / 600),
    isStored: isOfStorage ? await isListed(bench, answer.data.serial_number) : 'elsewhere',
    isLeased: String((answer.body as JsonObject).lease_id ?? '') !== '',
  }
}

const BASE: JsonObject = {
  ...quickKey,
  ttl: '1h',
  max_ttl: '5h',
  allow_localhost: false,
  allowed_domains: ['example.com'],
  allow_bare_domains: false,
  allow_subdomains: true,
}

interface Row {
  what: string
  fields: readonly [JsonObject, JsonObject]
  /** Members of the requests that tell them apart, besides a common name below example.com. */
  requests?: readonly JsonObject[]
}

const NAMED = (common_name: string): JsonObject => ({ common_name })

const switched = (field: string, requests: readonly JsonObject[], more: JsonObject = {}): Row => ({
  what: field,
  fields: [
    { ...more, [field]: true },
    { ...more, [field]: false },
  ],
  requests,
})

const NAMES: Row[] = [
  {
    what: 'allowed_domains',
    fields: [{ allowed_domains: ['example.com', 'example.net'] }, { allowed_domains: ['example.net'] }],
    requests: [{}, NAMED('www.example.net')],
  },
  switched('allow_bare_domains', [NAMED('example.com')]),
  switched('allow_subdomains', [{}, NAMED('*.example.com')]),
  switched('allow_glob_domains', [NAMED('a.example.org')], { allowed_domains: ['*.example.org'] }),
  switched('allow_any_name', [NAMED('www.example.org')]),
  switched('allow_localhost', [NAMED('localhost')]),
  switched('enforce_hostnames', [NAMED('under_score.example.com')]),
  switched('require_cn', [{ ...NAMED(''), alt_names: 'www.example.com' }]),
  {
    what: 'names of other kinds',
    fields: [
      { allow_ip_sans: true, allowed_uri_sans: 'spiffe://one.example/*', allowed_other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:*' },
      { allow_ip_sans: false, allowed_uri_sans: 'spiffe://two.example/*', allowed_other_sans: '' },
    ],
    requests: [
      { ip_sans: '192.0.2.7' },
      { uri_sans: 'spiffe://one.example/a' },
      { uri_sans: 'spiffe://two.example/a' },
      { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:a@one.example' },
    ],
  },
]

const CONTENTS: Row[] = [
  {
    what: 'usages',
    fields: [
      { server_flag: true, client_flag: false, code_signing_flag: true, email_protection_flag: false, key_usage: ['KeyAgreement'] },
      { server_flag: false, client_flag: true, code_signing_flag: false, email_protection_flag: true, key_usage: ['DigitalSignature'] },
    ],
  },
  {
    what: 'identifiers',
    fields: [
      { ext_key_usage_oids: '1.3.6.1.4.1.99999.1', policy_identifiers: ['1.3.6.1.4.1.99999.7'], basic_constraints_valid_for_non_ca: true },
      { ext_key_usage_oids: '1.3.6.1.4.1.99999.2', policy_identifiers: [], basic_constraints_valid_for_non_ca: false },
    ],
  },
  {
    what: 'subject',
    fields: [
      { ou: 'One', organization: 'One', country: 'CH', locality: 'Bern', province: 'Bern', street_address: 'A', postal_code: '1' },
      { ou: 'Two', organization: '', country: 'NL', locality: 'Delft', province: '', street_address: 'B', postal_code: '2' },
    ],
  },
  { what: 'serial_number', fields: [{ serial_number: OWN_NUMBERS[0]! }, { serial_number: OWN_NUMBERS[1]! }] },
  { what: 'key_bits', fields: [{ key_bits: 256 }, { key_bits: 384 }] },
]

const LIVES: Row[] = [
  { what: 'ttl', fields: [{ ttl: '1h' }, { ttl: '2h' }] },
  { what: 'max_ttl', fields: [{ max_ttl: '5h' }, { max_ttl: '2h' }], requests: [{ ttl: '3h' }, { ttl: '2h' }] },
  { what: 'not_before_duration', fields: [{ not_before_duration: '30s' }, { not_before_duration: '40m' }] },
]

/** Fields of roles whose effect shows on either way to a certificate, with requests that show it; key sizes are those of a request that is signed. */
export const rolesAndRequests = (): { fields: JsonObject[]; requests: readonly JsonObject[] }[] =>
  [...NAMES, ...CONTENTS, ...LIVES]
    .filter(({ what }) => what !== 'key_bits')
    .map(({ fields, requests = [{}] }) => ({ fields: fields.map((each) => ({ ...BASE, ...each })), requests }))

/** What becomes of a certificate once it is made; told by both ways to one. */
const KEPT = (csr: string): Row[] => [
  switched('no_store', [{}, { csr }], { generate_lease: false }),
  switched('generate_lease', [{}, { csr }], { no_store: false }),
]

const OF_REQUESTS = async (): Promise<Row[]> => {
  const csr = await certificateRequest({ commonName: 'csr.example.com', dns: ['alt.example.com'] })
  return [...KEPT(csr), switched('use_csr_common_name', [{ csr }]), switched('use_csr_sans', [{ csr }])]
}

/** All of them; the mount has a CA. */
export const roleSettings = async (bench: Bench): Promise<readonly Setting[]> =>
  [...NAMES, ...CONTENTS, ...LIVES, ...(await OF_REQUESTS())].map(({ what, fields: [one, other], requests = [{}] }) => ({
    what,
    bodies: [
      { ...BASE, ...one },
      { ...BASE, ...other },
    ],
    async look(name) {
      const seen: unknown[] = []
      for (const request of requests)
        seen.push(await outcome(bench, name, { common_name: 'www.example.com', ...request }, what === 'no_store'))
      return seen
    },
  }))
