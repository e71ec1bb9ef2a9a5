/** Operations that the document only names: what the target answers at the paths of its family. */
import {
  type Answer,
  type Bench,
  certificateRequest,
  check,
  type JsonObject,
  judgeCertificate,
  type RequestInput,
} from '../../harness/checks/index.ts'
import { ownAuthority, ownMount, quickKey, withRoot } from './fixtures.ts'

const members = (data: JsonObject): string => Object.keys(data).sort().join(' ')

check('pki/observe-crl', 'PKI-OTHER-01', 'reading the CRL', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const [der, pem] = [await bench.call('pki.readCrl', { observing: true }), await bench.call('pki.readCrlPem', { observing: true })]
  bench.observe('PKI-OTHER-01', { der: der.status, pem: pem.status, type: der.headers['content-type'] ?? '' })
})
check('pki/observe-crl-config', 'PKI-OTHER-02', 'configuration of the CRL', { needs: ownAuthority }, async ({ bench }) => {
  const before = await bench.call('pki.readCrlConfig', { observing: true })
  const written = await bench.call('pki.writeCrlConfig', { body: { expiry: '48h' }, observing: true })
  bench.observe('PKI-OTHER-02', {
    before: before.status,
    written: written.status,
    members: members((await bench.call('pki.readCrlConfig', { observing: true })).data),
  })
})
check('pki/observe-urls', 'PKI-OTHER-03', 'URLs that certificates carry', { needs: ownAuthority }, async ({ bench }) => {
  const before = await bench.call('pki.readUrls', { observing: true })
  const written = await bench.call('pki.writeUrls', { body: { issuing_certificates: ['http://127.0.0.1/ca'] }, observing: true })
  bench.observe('PKI-OTHER-03', {
    before: before.status,
    written: written.status,
    members: members((await bench.call('pki.readUrls', { observing: true })).data),
  })
})
check('pki/observe-rotate', 'PKI-OTHER-04', 'rotating the CRL', { needs: ownAuthority }, async ({ bench }) => {
  await withRoot(bench)
  bench.observe('PKI-OTHER-04', { status: (await bench.call('pki.rotateCrl', { observing: true })).status })
})
check('pki/observe-tidy', 'PKI-OTHER-05', 'tidying up', { needs: ownAuthority }, async ({ bench }) => {
  bench.observe('PKI-OTHER-05', { status: (await bench.call('pki.tidy', { body: { tidy_cert_store: true }, observing: true })).status })
})
check('pki/observe-intermediate', 'PKI-OTHER-06', 'generating an intermediate key', { needs: ownAuthority }, async ({ bench }) => {
  const body = { common_name: bench.fresh('below'), ...quickKey }
  const made = await bench.call('pki.generateIntermediate', { path: { type: 'internal' }, body, observing: true })
  bench.observe('PKI-OTHER-06', { status: made.status, members: members(made.data) })
})

/** Has a certificate request signed as it is, for an hour, as the default of a mount may exceed what is left to its CA; blocks the check where a plain request is not. */
const verbatim = async (bench: Bench, request: RequestInput): Promise<Answer> => {
  const signed = await bench.call('pki.signVerbatim', { body: { csr: await certificateRequest(request), ttl: '1h' } })
  // Neither the path nor the body is shown.
  if (request.ca === undefined && (!signed.ok || typeof signed.data.certificate !== 'string'))
    bench.blocked('the target signs nothing verbatim as its family does', 'map pki.signVerbatim in a dialect')
  return signed
}

check(
  'pki/verbatim',
  'PKI-VERBATIM-01',
  'signing verbatim keeps the values of the request',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const signed = await verbatim(bench, { commonName: 'Any Name', subject: { O: 'Example' }, dns: ['a.example.com'], ip: ['10.1.2.3'] })
    const facts = await judgeCertificate(bench, String(signed.data.certificate))
    expect(facts).toMatchObject({ subject: { CN: ['Any Name'], O: ['Example'] }, dns: ['a.example.com'], ip: ['10.1.2.3'] })
  },
)
check(
  'pki/verbatim-ca',
  'PKI-VERBATIM-02',
  'signing verbatim makes no CA',
  { kind: 'security', needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    await verbatim(bench, { commonName: 'Any Name' })
    for (const ca of [true, 'uncritical'] as const) {
      const signed = await verbatim(bench, { commonName: 'Any Name', ca })
      if (!signed.ok) expect(signed).toBeRefused()
      else expect((await judgeCertificate(bench, String(signed.data.certificate))).basicConstraints?.ca ?? false, `asked ${ca}`).toBe(false)
    }
  },
)
