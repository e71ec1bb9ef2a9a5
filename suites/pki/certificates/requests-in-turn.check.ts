/** A request has nothing of the one before it: what it does not say is as if nobody had ever said it. */
import {
  type Answer,
  type Bench,
  type CertificateFacts,
  type CheckContext,
  certificateRequest,
  check,
  type JsonObject,
  judgeCertificate,
  type RequestInput,
} from '../../../harness/checks/index.ts'
import { newRole, ownAuthority, ownMount, plainSerial, quickKey, withoutRoot, withRoot } from '../fixtures.ts'
import { roleBodies } from '../roles/role-fields.ts'

const NAME = 'www.example.com'

const NAMES: JsonObject = {
  alt_names: 'more.example.com,someone@example.com',
  ip_sans: '192.0.2.7',
  uri_sans: 'spiffe://example.com/a',
  other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:someone',
}
const SUBJECT: JsonObject = { ou: 'Unit', organization: 'Org', country: 'CH', locality: 'Bern', province: 'BE', serial_number: '4711' }

/** What requests say beside what they have to: each time something else. */
const RICH: Record<string, JsonObject> = {
  'names and a time': { ...NAMES, ttl: '600s' },
  'another form': { format: 'der', exclude_cn_from_sans: true, alt_names: 'other.example.com' },
  'a bundle': { format: 'pem_bundle', private_key_format: 'pkcs8' },
  'what is refused': { ...NAMES, ip_sans: 'no address', ttl: '900s', format: 'der' },
}

interface Plain {
  operation: string
  /** What is asked for; nothing else. */
  ask(more?: JsonObject): Promise<Answer>
  /** More that such a request may say. */
  rich?: JsonObject
  /** Between two of them. */
  between?(): Promise<unknown>
}

/** The subject, but for a serial number of the target's own: without one that is asked for it may be random. */
const asked = ({ subject: { serialNumber, ...subject } }: CertificateFacts) =>
  serialNumber?.includes(String(SUBJECT.serial_number)) ? { ...subject, serialNumber } : subject

/** What is in a certificate of one host name. Further attributes of a subject are open, as long as they stay the same. */
const BARE = { subject: { CN: [NAME] }, dns: [NAME], email: [], ip: [], uri: [], other: [] }

/** All that a certificate and its answer say but what no two have in common; times in tens of minutes. */
const look = async (bench: Bench, { data, status }: Answer): Promise<unknown> => {
  if (status >= 300) return status
  const text = String(data.certificate)
  const facts = await judgeCertificate(bench, text)
  const { email, ip, uri, other, basicConstraints, keyUsage, extendedKeyUsage, policies, permittedDns, key } = facts
  return {
    ...{
      subject: asked(facts),
      dns: [...new Set(facts.dns)],
      email,
      ip,
      uri,
      other,
      basicConstraints,
      keyUsage,
      extendedKeyUsage,
      policies,
      permittedDns,
      key,
    },
    lifetime: Math.round((facts.notAfter - facts.notBefore) / 600),
    members: Object.keys(data).sort(),
    blocks: [...`${text}\n${String(data.private_key ?? '')}`.matchAll(/BEGIN ([^-]+)-/g)].map(([, label]) => label),
  }
}

const inTurn = async (
  { bench, expect }: CheckContext,
  { operation, ask, rich, between }: Plain,
  others: JsonObject = RICH,
): Promise<void> => {
  const first = await ask()
  if (!first.ok) bench.blocked(`${operation} answered ${first.status}`, 'see the clauses of the operation first')
  const before = await look(bench, first)
  await bench.decide('PKI-APART-01', () => expect(before, `${operation} at first`).toMatchObject(BARE))
  const all = { ...others, ...(rich === undefined ? {} : { 'what only it may say': rich }) }
  for (const [what, more] of Object.entries(all)) {
    await between?.()
    await ask(more as JsonObject)
    await between?.()
    const after = await look(bench, await ask())
    await bench.decide('PKI-APART-01', () => expect(after, `${operation} after one that said ${what}`).toEqual(before))
  }
}

const ROLE = {
  allow_any_name: true,
  allowed_uri_sans: 'spiffe://example.com/*',
  allowed_other_sans: '*',
  use_csr_common_name: false,
  use_csr_sans: false,
}

check('pki/requests-in-turn', 'PKI-APART-01', 'a request has nothing of the one before it', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const csr = await certificateRequest({ commonName: 'csr.example.com' })
  const full = await certificateRequest({ commonName: 'full.example.com', subject: { O: 'Org' }, dns: ['full.example.com'] })
  const plain = await newRole(bench, ROLE)
  const by = (operation: string, name: string, needed: JsonObject) => (more: JsonObject) =>
    bench.call(operation, { path: { name }, body: { ...needed, ...more } })
  const [body, signed] = [{ common_name: NAME }, { common_name: NAME, csr }]
  const issue = { operation: 'pki.issue', ask: (more = {}) => by('pki.issue', plain, body)(more) }
  const sign = { operation: 'pki.sign', ask: (more = {}) => by('pki.sign', plain, signed)(more) }
  await inTurn(context, issue)
  await inTurn(context, sign, { ...RICH, 'by another request': { csr: full, ...NAMES } })
  const fields = { csr, common_name: NAME, ttl: '24h' }
  await inTurn(context, {
    operation: 'pki.signIntermediate',
    ask: (more = {}) => bench.call('pki.signIntermediate', { body: { ...fields, ...more } }),
    rich: { ...SUBJECT, csr: full, use_csr_values: true, max_path_length: 2, permitted_dns_domains: 'example.com' },
  })
})

check('pki/roles-in-turn', 'PKI-APART-01', 'a role has nothing of the one that was used before', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const csr = await certificateRequest({ commonName: NAME })
  const plain = await newRole(bench, { allow_any_name: true })
  const requests: [operation: string, body: JsonObject][] = [
    ['pki.issue', { common_name: NAME }],
    ['pki.sign', { common_name: NAME, csr }],
  ]
  const usedBy = async (name: string): Promise<unknown[]> => {
    const seen: unknown[] = []
    for (const [operation, body] of requests) seen.push(await look(bench, await bench.call(operation, { path: { name }, body })))
    return seen
  }
  const bare = { ...BARE, policies: [] }
  const before = await usedBy(plain)
  await bench.decide('PKI-APART-01', () => expect(before, 'at first').toMatchObject([bare, bare]))
  for (const [at, other] of roleBodies().entries()) {
    const fields = {
      ...other,
      ...quickKey,
      allow_any_name: true,
      no_store: at % 2 === 0,
      generate_lease: at % 2 > 0,
    }
    const full = await newRole(bench, fields)
    for (const [operation, body] of requests) await bench.call(operation, { path: { name: full }, body })
    const after = await usedBy(plain)
    await bench.decide('PKI-APART-01', () => expect(after, `after role ${at + 1}`).toEqual(before))
  }
})

check('pki/roots-in-turn', 'PKI-APART-01', 'a root has nothing of the one before it', { needs: ownAuthority }, async (context) => {
  const { bench } = context
  await withoutRoot(bench)
  const ask = (more: JsonObject = {}) => {
    const { type = 'internal', ...fields } = more
    const body = { common_name: NAME, ttl: '240h', ...quickKey, ...fields }
    return bench.call('pki.generateRoot', { path: { type: String(type) }, body })
  }
  await inTurn(context, {
    operation: 'pki.generateRoot',
    ask,
    rich: { type: 'exported', ...SUBJECT, key_bits: 384, max_path_length: 2, permitted_dns_domains: 'example.com' },
    between: () => bench.call('pki.deleteRoot'),
  })
})

const DENIED: [clause: string, body: JsonObject, request: RequestInput][] = [
  ['PKI-CN-02', { common_name: 'evil.org' }, { commonName: 'evil.org' }],
  ['PKI-ALT-03', { common_name: NAME, alt_names: 'evil.org' }, { commonName: NAME, dns: ['evil.org'] }],
  ['PKI-URISANS-01', { common_name: NAME, uri_sans: 'spiffe://a/b' }, { commonName: NAME, uri: ['spiffe://a/b'] }],
]

check(
  'pki/denied-makes-nothing',
  DENIED.map(([clause]) => clause),
  'a request that is denied makes no certificate',
  { needs: { ...ownAuthority, features: ['mounts'] } },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const role = await newRole(bench, { allowed_domains: ['example.com'], allow_subdomains: true })
    const listed = async () => {
      const { keys } = (await bench.call('pki.listCertificates')).data
      return (Array.isArray(keys) ? keys : []).map(plainSerial).sort()
    }
    await bench.given('pki.issue', { path: { name: role }, body: { common_name: NAME } })
    const before = await listed()
    for (const [clause, body, request] of DENIED)
      await bench.decide(clause, async () => {
        expect(await bench.call('pki.issue', { path: { name: role }, body }), 'an issue').toBeRefused()
        const csr = await certificateRequest(request)
        expect(await bench.call('pki.sign', { path: { name: role }, body: { csr } }), 'a signature').toBeRefused()
        expect(await listed(), 'certificates afterwards').toEqual(before)
      })
  },
)
