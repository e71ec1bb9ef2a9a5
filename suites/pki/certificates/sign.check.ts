/** Signing certificate requests by a role. */
import {
  type Bench,
  certificateRequest,
  check,
  forgedRequest,
  type JsonObject,
  pathProblem,
  type RequestInput,
  requestPublicKey,
} from '../../../harness/checks/index.ts'
import { expectChain, newRole, openRole, ownMount, pemBlocks, plainSerial, sameText, sign, withRoot } from '../fixtures.ts'

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
  'pki/signed-request',
  ['PKI-SIGN-01', 'PKI-SIGN-02', 'PKI-SIGN-03', 'PKI-SIGN-04', 'PKI-SIGN-12'],
  'a signed request is what it says',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const made = await sign(context, role, plain)
    const { data } = made.answer
    await bench.decide('PKI-SIGN-01', async () => expect(made.facts.publicKey).toBe(requestPublicKey(await certificateRequest(plain))))
    await bench.decide('PKI-SIGN-02', () => expect(sameText(data.issuing_ca)).toBe(sameText(pemBlocks(ca)[0])))
    await bench.decide('PKI-SIGN-03', () => expectChain(expect, data.ca_chain))
    await bench.decide('PKI-SIGN-04', () => expect(plainSerial(data.serial_number)).toBe(made.facts.serial))
    await bench.decide('PKI-SIGN-12', async () => expect(await pathProblem(bench, made.certificate, [ca])).toBe(undefined))
  },
)

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

check('pki/csr-broken', 'PKI-SIGN-06', 'what is no certificate request is refused', { needs: ownMount }, async ({ bench }) => {
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
    for (const request of bad) await deniedRequest(bench, name, request, good)
  },
)

check('pki/csr-ca', 'PKI-SIGN-09', 'a request cannot make a CA of a role', { kind: 'security', needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await openRole(bench)
  const csr = await certificateRequest({ ...plain, ca: true })
  const answer = await bench.call('pki.sign', { path: { name: role }, body: { csr } })
  if (!answer.ok) expect(answer).toBeRefused()
  else expect((await sign(context, role, { ...plain, ca: true })).facts.basicConstraints?.ca ?? false).toBe(false)
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

check('pki/sign-unknown-role', 'PKI-SIGN-10', 'signing by an unknown role is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const name = await openRole(bench)
  const body = { csr: await certificateRequest(plain) }
  await bench.refuses('pki.sign', {
    bad: { path: { name: bench.fresh('nobody') }, body },
    control: { path: { name }, body },
    unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    status: [400, 404],
  })
})

check(
  'pki/csr-common-name',
  ['PKI-CSRCN-02', 'PKI-CSRCN-03'],
  'the common name comes from the request or from the body',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const request = { commonName: 'request.example.com' }
    const body = { common_name: 'body.example.com' }
    await bench.decide('PKI-CSRCN-02', async () => {
      expect((await sign(context, await openRole(bench), request)).facts.subject.CN).toEqual([request.commonName])
    })
    await bench.decide('PKI-CSRCN-03', async () => {
      const { facts } = await sign(context, await openRole(bench, { use_csr_common_name: false }), request, body)
      expect(facts.subject.CN).toEqual([body.common_name])
      expect(facts.dns).not.toContain(request.commonName)
    })
  },
)

check(
  'pki/csr-alternative-names',
  ['PKI-CSRSANS-02', 'PKI-CSRSANS-03'],
  'alternative names come from the request or from the body',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const request = { ...plain, dns: ['request.example.com'], ip: ['10.9.8.7'] }
    await bench.decide('PKI-CSRSANS-02', async () => {
      const { facts } = await sign(context, await openRole(bench), request)
      expect(facts.dns).toContain('request.example.com')
      expect(facts.ip).toEqual(['10.9.8.7'])
    })
    await bench.decide('PKI-CSRSANS-03', async () => {
      const role = await openRole(bench, { use_csr_sans: false, allowed_uri_sans: '*', allowed_other_sans: '*' })
      const names = { ip_sans: '10.1.2.3', uri_sans: 'spiffe://body/a', other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:someone' }
      const { facts } = await sign(context, role, request, { alt_names: 'body.example.com,body@example.com', ...names })
      expect(facts.dns).toContain('body.example.com')
      expect(facts.dns).not.toContain('request.example.com')
      expect([facts.email, facts.ip, facts.uri]).toEqual([['body@example.com'], ['10.1.2.3'], ['spiffe://body/a']])
      expect(facts.other.map(({ value }) => value)).toEqual(['someone'])
    })
  },
)

check(
  'pki/require-cn',
  ['PKI-REQUIRECN-02', 'PKI-REQUIRECN-03'],
  'a common name is required unless the role says otherwise',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const [strict, free] = [await openRole(bench), await openRole(bench, { require_cn: false })]
    const body = { alt_names: 'a.example.com' }
    await bench.decide('PKI-REQUIRECN-02', async () => {
      expect(await bench.call('pki.issue', { path: { name: strict }, body })).toBeRefused()
      const csr = await certificateRequest({ dns: ['a.example.com'] })
      expect(await bench.call('pki.sign', { path: { name: strict }, body: { csr } })).toBeRefused()
      expect(await bench.call('pki.issue', { path: { name: strict }, body: { ...body, common_name: 'a.example.com' } })).toSucceed()
    })
    await bench.decide('PKI-REQUIRECN-03', async () => expect(await bench.call('pki.issue', { path: { name: free }, body })).toSucceed())
  },
)
