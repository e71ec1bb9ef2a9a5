/** Certificate requests that are refused, and what a request does not get by asking for it. */
import {
  type Bench,
  certificateRequest,
  check,
  forgedRequest,
  type JsonObject,
  judgeCertificate,
  type RequestInput,
} from '../../../harness/checks/index.ts'
import { newRole, openRole, ownMount, sign, withRoot } from '../fixtures.ts'

const plain = { commonName: 'www.example.com' }

/** Signing is refused for one request and not for another; the role stays. */
const deniedRequest = async (bench: Bench, name: string, bad: RequestInput, good: RequestInput, body: JsonObject = {}): Promise<void> => {
  await bench.refuses('pki.sign', {
    bad: { path: { name }, body: { ...body, csr: await certificateRequest(bad) } },
    control: { path: { name }, body: { ...body, csr: await certificateRequest(good) } },
    unchanged: { operation: 'pki.readRole', input: { path: { name } } },
  })
}

check(
  'pki/csr-missing',
  'PKI-SIGN-05',
  'a certificate request is required, as a string',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const name = await openRole(bench)
    const csr = await certificateRequest(plain)
    expect(await bench.call('pki.sign', { path: { name }, body: { common_name: 'www.example.com' }, invalid: true })).toBeRefused()
    await bench.refuses('pki.sign', {
      bad: { path: { name }, body: { csr: { pem: csr } } },
      control: { path: { name }, body: { csr } },
      unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    })
  },
)

check('pki/csr-broken', 'PKI-SIGN-06', 'a text that is not a certificate request is refused', { needs: ownMount }, async ({ bench }) => {
  const ca = await withRoot(bench)
  const name = await openRole(bench)
  const csr = await certificateRequest(plain)
  const broken = ['no PEM', ca, csr.slice(0, csr.length / 2), csr.replace(/\n[^\n]{64}\n/, '\n')]
  for (const text of broken) {
    await bench.refuses('pki.sign', {
      bad: { path: { name }, body: { csr: text } },
      control: { path: { name }, body: { csr } },
      unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    })
  }
})

check(
  'pki/csr-forged',
  'PKI-SIGN-07',
  'a request with a wrong signature is refused',
  { kind: 'security', needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const name = await newRole(bench, { allow_any_name: true, key_type: 'any', key_bits: 2048 })
    for (const key of ['ec256', 'rsa2048'] as const) {
      await bench.refuses('pki.sign', {
        bad: { path: { name }, body: { csr: await forgedRequest({ ...plain, key }) } },
        control: { path: { name }, body: { csr: await certificateRequest({ ...plain, key }) } },
        unchanged: { operation: 'pki.readRole', input: { path: { name } } },
      })
    }
  },
)

check(
  'pki/csr-names',
  'PKI-SIGN-08',
  'names in a certificate request do not slip past policy',
  { kind: 'security', needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const fields = { allowed_domains: ['one.example'], allow_subdomains: true, allow_ip_sans: false }
    const name = await newRole(bench, { ...fields, allowed_uri_sans: 'spiffe://one.example/*' })
    const good = { commonName: 'a.one.example', dns: ['b.one.example'], uri: ['spiffe://one.example/a'] }
    const bad: RequestInput[] = [
      { ...good, commonName: 'evil.example' },
      { ...good, dns: ['b.one.example', 'evil.example'] },
      { ...good, email: ['someone@evil.example'] },
      { ...good, ip: ['10.1.2.3'] },
      { ...good, uri: ['spiffe://evil.example/a'] },
      { ...good, principal: ['administrator'] },
    ]
    for (const request of bench.few(bad)) await deniedRequest(bench, name, request, good)
  },
)

/** Names that no role below allows, as a body asks for them; the clause that denies them, and where a certificate would have them. */
const FORBIDDEN: [clause: string, body: JsonObject, kind: 'dns' | 'email' | 'ip' | 'uri' | 'other'][] = [
  ['PKI-ALT-03', { alt_names: 'evil.example' }, 'dns'],
  ['PKI-ALT-03', { alt_names: 'someone@evil.example' }, 'email'],
  ['PKI-IPSANS-03', { ip_sans: '10.1.2.3' }, 'ip'],
  ['PKI-URISANS-04', { uri_sans: 'spiffe://evil.example/a' }, 'uri'],
  ['PKI-OTHERSANS-05', { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:administrator' }, 'other'],
]

check(
  'pki/csr-without-names',
  [...new Set(FORBIDDEN.map(([clause]) => clause))],
  'names of the body do not slip past policy where the certificate request has none',
  { kind: 'security', needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const fields = { allowed_domains: ['one.example'], allow_subdomains: true, allow_ip_sans: false }
    const path = { name: await newRole(bench, { ...fields, allowed_uri_sans: 'spiffe://one.example/*' }) }
    const csr = await certificateRequest({ commonName: 'a.one.example' })
    for (const [clause, body, kind] of FORBIDDEN) {
      const answer = await bench.call('pki.sign', { path, body: { csr, ...body } })
      await bench.decide(clause, async () => {
        // By default names come from the certificate request: whether those of the body count beside it is not said.
        if (!answer.ok) return expect(answer, JSON.stringify(body)).toBeRefused()
        const names = (await judgeCertificate(bench, String(answer.data.certificate)))[kind]
        expect(
          [...names].filter((name) => name !== 'a.one.example'),
          `names with ${JSON.stringify(body)}`,
        ).toEqual([])
      })
    }
    expect(await bench.call('pki.sign', { path, body: { csr } }), 'the request without such names').toSucceed()
  },
)

check('pki/csr-ca', 'PKI-SIGN-09', 'a request cannot make a CA of a role', { kind: 'security', needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const csr = await certificateRequest({ ...plain, ca: true })
  for (const fields of [{}, { basic_constraints_valid_for_non_ca: true }] as JsonObject[]) {
    const role = await openRole(bench, fields)
    const answer = await bench.call('pki.sign', { path: { name: role }, body: { csr } })
    if (!answer.ok) expect(answer).toBeRefused()
    else expect((await sign(context, role, { ...plain, ca: true })).facts.basicConstraints?.ca ?? false, JSON.stringify(fields)).toBe(false)
  }
})

check(
  'pki/csr-usages',
  'PKI-SIGN-13',
  'a request gets no usages beyond the role',
  { kind: 'security', needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench, { client_flag: false, key_usage: ['DigitalSignature'] })
    const wanted = { ...plain, keyUsage: ['keyCertSign' as const, 'cRLSign' as const], extendedKeyUsage: ['1.3.6.1.5.5.7.3.3'] }
    const { facts } = await sign(context, role, wanted)
    expect(facts.keyUsage).toEqual(['digitalSignature'])
    expect(facts.extendedKeyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  },
)
