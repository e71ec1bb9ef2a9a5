/** An intermediate CA whose key the mount made, signed by the CA of another mount. */
import { type Bench, check, ownCertificate, pathProblem } from '../../../harness/checks/index.ts'
import { asked, caAsServed, expectChain, expectOwnCa, newRole, pemBlocks, sameText, twoMounts } from '../fixtures.ts'
import { signedBelow } from './below.ts'

check(
  'pki/set-signed',
  ['PKI-SIGNED-01', 'PKI-SIGNED-02', 'PKI-CHAIN-03', 'PKI-CA-05', 'PKI-ISSUE-03', 'PKI-SIGN-03'],
  'a signed intermediate issues, with the full chain',
  { needs: twoMounts },
  async (context) => {
    const { bench, expect } = context
    const { root, signed } = await signedBelow(bench)
    const written = await bench.call('pki.setSigned', { body: { certificate: `${signed}\n${root}` }, mount: 'below' })
    const role = await newRole(bench, { allow_any_name: true }, 'below')
    const [made, byRequest] = [
      await bench.call('pki.issue', { ...(await asked('issue', role)), mount: 'below' }),
      await bench.call('pki.sign', { ...(await asked('sign', role)), mount: 'below' }),
    ]
    await bench.decide('PKI-SIGNED-01', async () => {
      expect(written).toSucceed()
      expect(made).toSucceed()
      expect(sameText(made.data.issuing_ca)).toBe(sameText(signed))
      expect(await pathProblem(bench, String(made.data.certificate), [signed, root])).toBe(undefined)
    })
    const expectFull = (chain: string): void => {
      expect(pemBlocks(chain).map(sameText)).toContain(sameText(signed))
      expect(pemBlocks(chain).map(sameText)).toContain(sameText(root))
    }
    await bench.decide('PKI-SIGNED-02', () => {
      for (const { data } of [made, byRequest]) {
        const chain = Array.isArray(data.ca_chain) ? data.ca_chain.join('\n') : ''
        // Only the appended certificate is required. The issuing one is advised (PKI-ISSUE-15).
        expect(pemBlocks(chain).map(sameText)).toContain(sameText(root))
      }
    })
    await bench.decide('PKI-ISSUE-03', () => expectChain(context, made.data.ca_chain))
    await bench.decide('PKI-SIGN-03', () => expectChain(context, byRequest.data.ca_chain))
    await bench.decide('PKI-CHAIN-03', async () => expectFull((await bench.call('pki.readCaChain', { mount: 'below' })).text))
    await bench.decide('PKI-CA-05', () => expectOwnCa(bench, expect, signed, { mount: 'below' }))
  },
)

const below = (bench: Bench) => caAsServed(bench, { mount: 'below' })

check(
  'pki/set-signed-missing',
  'PKI-SIGNED-03',
  'a certificate is required, as a string',
  { needs: twoMounts },
  async ({ bench, expect }) => {
    const { signed } = await signedBelow(bench)
    expect(await bench.call('pki.setSigned', { body: {}, mount: 'below', invalid: true })).toBeRefused()
    const good = { body: { certificate: signed }, mount: 'below' }
    await bench.refuses('pki.setSigned', {
      bad: { body: { certificate: { pem: signed } }, mount: 'below' },
      control: good,
      unchanged: below(bench),
    })
  },
)

check(
  'pki/set-signed-broken',
  'PKI-SIGNED-04',
  'broken PEM is refused and the CA stays',
  { needs: twoMounts },
  async ({ bench, expect }) => {
    const { signed } = await signedBelow(bench)
    const before = await below(bench)()
    for (const certificate of [
      'no PEM',
      signed.slice(0, signed.length / 2),
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    ]) {
      expect(await bench.call('pki.setSigned', { body: { certificate }, mount: 'below', invalid: true })).toBeRefused()
    }
    expect(await below(bench)()).toEqual(before)
    const good = { body: { certificate: signed }, mount: 'below' }
    await bench.refuses('pki.setSigned', {
      bad: { body: { certificate: signed.replace(/\n[^\n]{64}\n/, '\n') }, mount: 'below' },
      control: good,
      unchanged: below(bench),
    })
  },
)

check('pki/set-signed-stranger', 'PKI-SIGNED-05', 'a certificate for a strange key is refused', { needs: twoMounts }, async ({ bench }) => {
  const { signed } = await signedBelow(bench)
  const stranger = await ownCertificate({ commonName: bench.fresh('stranger'), ca: true })
  await bench.refuses('pki.setSigned', {
    bad: { body: { certificate: stranger.certificate }, mount: 'below' },
    control: { body: { certificate: signed }, mount: 'below' },
    unchanged: below(bench),
  })
})
