/** Signing certificate requests by a role. */
import {
  certificateRequest,
  check,
  type JsonObject,
  judgeCertificate,
  pathProblem,
  type RequestInput,
  requestPublicKey,
} from '../../../harness/checks/index.ts'
import { ALLOWS_EMAIL, expectChain, openRole, ownMount, pemBlocks, plainSerial, sameText, sign, withRoot } from '../fixtures.ts'

const plain = { commonName: 'www.example.com' }

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
    await bench.decide('PKI-SIGN-01', async () => {
      expect(made.facts.publicKey).toBe(requestPublicKey(await certificateRequest(plain)))
      // Of every kind of key that roles have, by a role of that kind.
      for (const [key, key_type, key_bits] of [
        ['ec384', 'ec', 384],
        ['rsa2048', 'rsa', 2048],
      ] as const) {
        const { facts } = await sign(context, await openRole(bench, { key_type, key_bits }), { ...plain, key })
        expect(facts.publicKey, key).toBe(requestPublicKey(await certificateRequest({ ...plain, key })))
      }
    })
    await bench.decide('PKI-SIGN-02', () => expect(sameText(data.issuing_ca)).toBe(sameText(pemBlocks(ca)[0])))
    await bench.decide('PKI-SIGN-03', () => expectChain(context, data.ca_chain))
    await bench.decide('PKI-SIGN-04', () => expect(plainSerial(data.serial_number)).toBe(made.facts.serial))
    await bench.decide('PKI-SIGN-12', async () => expect(await pathProblem(bench, made.certificate, [ca])).toBe(undefined))
  },
)

check(
  'pki/csr-line-ends',
  'PKI-SIGN-01',
  'a line end after the last line does not belong to PEM',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const name = await openRole(bench)
    const csr = (await certificateRequest(plain)).trim()
    for (const end of ['', '\n', '\n\n'])
      expect(await bench.call('pki.sign', { path: { name }, body: { csr: csr + end } }), `${end.length} line ends`).toSucceed()
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
      // Where the body has none either, there is none, or nothing is signed.
      const path = { name: await openRole(bench, { use_csr_common_name: false, use_csr_sans: false }) }
      const answer = await bench.call('pki.sign', { path, body: { csr: await certificateRequest(request) } })
      if (!answer.ok) return expect(answer).toBeRefused()
      expect((await judgeCertificate(bench, String(answer.data.certificate))).subject.CN ?? []).not.toContain(request.commonName)
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
    const request = {
      ...{ ...plain, dns: ['request.example.com'], ip: ['10.9.8.7'] },
      ...{ email: ['request@example.com'], uri: ['spiffe://request/a'], principal: ['request'] },
    }
    await bench.decide('PKI-CSRSANS-02', async () => {
      const { facts } = await sign(
        context,
        await openRole(bench, { ...ALLOWS_EMAIL, allowed_uri_sans: 'spiffe://request/*', allowed_other_sans: '*' }),
        request,
      )
      expect(facts.dns).toContain('request.example.com')
      expect([facts.email, facts.ip, facts.uri]).toEqual([request.email, request.ip, request.uri])
      expect(facts.other.map(({ value }) => value)).toEqual(request.principal)
    })
    await bench.decide('PKI-CSRSANS-03', async () => {
      const role = await openRole(bench, {
        ...ALLOWS_EMAIL,
        use_csr_sans: false,
        allowed_uri_sans: 'spiffe://request/*,spiffe://body/*',
        allowed_other_sans: '*',
      })
      const [ips, uris] = [
        ['10.1.2.3', '192.0.2.7'],
        ['spiffe://body/a', 'spiffe://body/b'],
      ]
      const others = ['1.3.6.1.4.1.311.20.2.3;UTF8:another', '1.3.6.1.4.1.311.20.2.3;UTF8:someone']
      const names = { ip_sans: ips.join(','), uri_sans: uris.join(','), other_sans: others.join(',') }
      const { facts } = await sign(context, role, request, { alt_names: 'body.example.com,body@example.com', ...names })
      expect(facts.dns).toContain('body.example.com')
      expect(facts.dns).not.toContain('request.example.com')
      expect([facts.email, [...facts.ip].sort(), [...facts.uri].sort()]).toEqual([['body@example.com'], ips, uris])
      expect(facts.other.map(({ oid, value }) => `${oid};UTF8:${value}`).sort()).toEqual(others)
      // Where the body has no names of a kind, those of the request do not take their place.
      const bare = await sign(context, role, request, { common_name: plain.commonName })
      const { dns, email, ip, uri, other } = bare.facts
      expect([dns.filter((name) => name !== plain.commonName), email, ip, uri, other], 'names of the request').toEqual([[], [], [], [], []])
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
    const [strict, free] = [
      await openRole(bench),
      await openRole(bench, { ...ALLOWS_EMAIL, require_cn: false, allowed_uri_sans: 'spiffe://a/*', allowed_other_sans: '*' }),
    ]
    const body = { alt_names: 'a.example.com' }
    await bench.decide('PKI-REQUIRECN-02', async () => {
      expect(await bench.call('pki.issue', { path: { name: strict }, body })).toBeRefused()
      const csr = await certificateRequest({ dns: ['a.example.com'] })
      expect(await bench.call('pki.sign', { path: { name: strict }, body: { csr } })).toBeRefused()
      expect(await bench.call('pki.issue', { path: { name: strict }, body: { ...body, common_name: 'a.example.com' } })).toSucceed()
    })
    await bench.decide('PKI-REQUIRECN-03', async () => {
      const names: { what: string; asked: JsonObject; request: RequestInput }[] = [
        { what: 'a host name', asked: body, request: { dns: ['a.example.com'] } },
        { what: 'an email address', asked: { alt_names: 'a@example.com' }, request: { email: ['a@example.com'] } },
        { what: 'an address', asked: { ip_sans: '10.1.2.3' }, request: { ip: ['10.1.2.3'] } },
        { what: 'a URI', asked: { uri_sans: 'spiffe://a/b' }, request: { uri: ['spiffe://a/b'] } },
        { what: 'an other name', asked: { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:a' }, request: { principal: ['a'] } },
      ]
      for (const { what, asked, request } of names) {
        expect(await bench.call('pki.issue', { path: { name: free }, body: asked }), `issued for ${what} only`).toSucceed()
        const csr = await certificateRequest(request)
        expect(await bench.call('pki.sign', { path: { name: free }, body: { csr } }), `signed for ${what} only`).toSucceed()
      }
    })
  },
)
