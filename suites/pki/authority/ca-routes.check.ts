/** The CA certificate as anyone may read it. */
import { check, judgeCertificate } from '../../../harness/checks/index.ts'
import { issue, openRole, ownAuthority, ownMount, pemBlocks, sameText, withRoot } from '../fixtures.ts'

check('pki/ca-der', 'PKI-CA-01', 'the CA certificate comes as raw DER', { needs: ownMount }, async ({ bench, expect }) => {
  const pem = await withRoot(bench)
  const der = await bench.call('pki.readCa')
  expect(der).toHaveStatus(200)
  expect(Buffer.from(der.bytes).toString('base64')).toBe(sameText(pem).replace(/-----[A-Z]+-----/g, ''))
})

check('pki/ca-pem', 'PKI-CA-02', 'the CA certificate comes as bare PEM', { needs: ownMount }, async ({ bench, expect }) => {
  await withRoot(bench)
  const pem = await bench.call('pki.readCaPem')
  expect(pem).toHaveStatus(200)
  expect(pem.text.trim()).toMatch(/^-----BEGIN CERTIFICATE-----[^{]*-----END CERTIFICATE-----$/)
  expect((await judgeCertificate(bench, pem.text)).basicConstraints?.ca).toBe(true)
})

check(
  'pki/ca-without-token',
  ['PKI-CA-03', 'PKI-CA-04', 'PKI-CHAIN-02'],
  'the CA routes need no token',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    for (const [clause, operation] of [
      ['PKI-CA-03', 'pki.readCa'],
      ['PKI-CA-04', 'pki.readCaPem'],
      ['PKI-CHAIN-02', 'pki.readCaChain'],
    ] as const) {
      await bench.decide(clause, async () => expect(await bench.call(operation, { as: 'none' })).toHaveStatus(200))
    }
  },
)

check('pki/ca-same', 'PKI-CA-05', 'both forms hold the certificate that new ones name as issuer', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await openRole(bench)
  const made = await issue(context, role)
  const pem = (await bench.call('pki.readCaPem')).text
  expect(sameText(pem)).toBe(sameText(made.answer.data.issuing_ca))
  const der = Buffer.from((await bench.call('pki.readCa')).bytes).toString('base64')
  expect(sameText(pem)).toContain(der)
})

check('pki/ca-content-types', 'PKI-CA-06', 'content types of the CA routes', { needs: ownAuthority }, async ({ bench }) => {
  const before = await bench.call('pki.readCa', { observing: true })
  await withRoot(bench)
  const [der, pem] = [await bench.call('pki.readCa'), await bench.call('pki.readCaPem')]
  bench.observe('PKI-CA-06', {
    der: der.headers['content-type'] ?? '',
    pem: pem.headers['content-type'] ?? '',
    statusWithoutCa: before.status,
  })
})

check('pki/chain-has-ca', 'PKI-CHAIN-01', 'the chain is bare PEM with the CA in it', { needs: ownMount }, async ({ bench, expect }) => {
  const ca = await withRoot(bench)
  const chain = await bench.call('pki.readCaChain')
  expect(chain).toHaveStatus(200)
  expect(pemBlocks(chain.text).map(sameText)).toContain(sameText(pemBlocks(ca)[0]))
  expect(chain.text.trim()).toMatch(/^-----BEGIN/)
})
