/** Signing a self-issued certificate as it is. */
import { check, judgeCertificate, type KeyKind, ownCertificate, pathProblem } from '../../../harness/checks/index.ts'
import { caAsServed, ownMount, pemBlocks, sameText, withRoot } from '../fixtures.ts'
import { withoutSudo } from './without-sudo.ts'

const given = (name: string, more: { namesOwnKey?: boolean; hours?: number; key?: KeyKind } = {}) =>
  ownCertificate({
    commonName: name,
    subject: { O: 'Old organization' },
    ca: true,
    dns: ['old.example.com'],
    keyUsage: ['keyCertSign', 'cRLSign', 'digitalSignature'],
    extension: { oid: '1.3.6.1.4.1.99999.42', value: '0c0568656c6c6f' },
    hours: 48,
    ...more,
  })

check(
  'pki/self-issued',
  ['PKI-SELF-01', 'PKI-SELF-02', 'PKI-SELF-03', 'PKI-SELF-04'],
  'a self-issued certificate keeps everything but its issuer, whatever its key',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const ca = await withRoot(bench)
    for (const key of ['ec256', 'rsa2048'] as const) {
      const { certificate } = await given(bench.fresh('old'), { key })
      const answer = await bench.call('pki.signSelfIssued', { body: { certificate } })
      const signed = String(answer.data.certificate)
      await bench.decide('PKI-SELF-01', async () => {
        expect(answer).toHaveStatus(200)
        expect(await pathProblem(bench, signed, [ca])).toBe(undefined)
      })
      await bench.decide('PKI-SELF-02', () => expect(sameText(answer.data.issuing_ca)).toBe(sameText(pemBlocks(ca)[0])))
      if (!answer.ok) bench.blocked('nothing was signed to compare', 'see PKI-SELF-01 first')
      const [before, after, issuer] = [
        await judgeCertificate(bench, certificate),
        await judgeCertificate(bench, signed),
        await judgeCertificate(bench, ca),
      ]
      await bench.decide('PKI-SELF-03', () => {
        const changing = ['2.5.29.35', '2.5.29.31', '1.3.6.1.5.5.7.1.1']
        const kept = ({ issuer: _issuer, authorityKeyId: _key, extensions: _oids, extensionValues, ...rest }: typeof before) => ({
          ...rest,
          extensions: Object.fromEntries(Object.entries(extensionValues).filter(([oid]) => !changing.includes(oid))),
        })
        expect(kept(after)).toEqual(kept(before))
      })
      await bench.decide('PKI-SELF-04', () => {
        expect(after.issuer).toEqual(issuer.subject)
        // The row says that it changes, not that it is added.
        if (after.authorityKeyId !== undefined) expect(after.authorityKeyId).toBe(issuer.subjectKeyId)
      })
    }
  },
)

check(
  'pki/self-issued-outlives',
  'PKI-SELF-03',
  'a certificate that outlives the CA keeps its end',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const ca = await judgeCertificate(bench, await withRoot(bench))
    const hours = Math.ceil((ca.notAfter - ca.notBefore) / 3600) + 240
    const { certificate } = await given(bench.fresh('old'), { hours })
    const answer = await bench.call('pki.signSelfIssued', { body: { certificate } })
    // Whether it may outlive the CA is not said.
    if (!answer.ok) return bench.observe('PKI-SELF-03', 'refused')
    const [before, after] = [await judgeCertificate(bench, certificate), await judgeCertificate(bench, String(answer.data.certificate))]
    expect([after.notBefore, after.notAfter], 'its validity').toEqual([before.notBefore, before.notAfter])
  },
)

check(
  'pki/self-issued-own-authority-key',
  'PKI-SELF-04',
  'the authority key id of the CA takes the place of the one that a certificate has of its own',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const issuer = await judgeCertificate(bench, await withRoot(bench))
    const { certificate } = await given(bench.fresh('old'), { namesOwnKey: true })
    const answer = await bench.call('pki.signSelfIssued', { body: { certificate } })
    expect(answer).toHaveStatus(200)
    const { authorityKeyId, extensions } = await judgeCertificate(bench, String(answer.data.certificate))
    expect(extensions.filter((oid) => oid === '2.5.29.35')).toHaveLength(1)
    expect(authorityKeyId).toBe(issuer.subjectKeyId)
  },
)

check(
  'pki/self-issued-sudo',
  'PKI-SELF-05',
  'signing a self-issued certificate needs sudo, also once somebody who has it has signed one',
  { kind: 'security', needs: { ...ownMount, features: ['identities'] } },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const { certificate } = await given(bench.fresh('old'))
    const sudo = await bench.identity([{ operation: 'pki.signSelfIssued', capabilities: ['create', 'update', 'sudo'] }])
    const body = { certificate }
    for (const [what, plain] of await withoutSudo(bench, 'pki.signSelfIssued')) {
      await bench.refuses('pki.signSelfIssued', { bad: { body, as: plain }, control: { body, as: sudo }, unchanged: caAsServed(bench) })
      for (const method of ['POST', 'PUT'])
        for (const carrier of ['token', 'bearer']) {
          const answer = await bench.call('pki.signSelfIssued', { body, as: plain, method, carrier })
          expect(answer, `a second signature, by ${method} with the ${carrier} header, for a caller ${what}`).toBeRefused()
        }
    }
  },
)

check(
  'pki/self-issued-refusals',
  ['PKI-SELF-06', 'PKI-SELF-07', 'PKI-SELF-08'],
  'a certificate that is not self-issued is refused',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const old = await given(bench.fresh('old'))
    const below = await ownCertificate({ commonName: bench.fresh('below'), ca: true, issuer: old })
    const good = { body: { certificate: old.certificate } }
    const refused = (certificate: string) =>
      bench.refuses('pki.signSelfIssued', { bad: { body: { certificate } }, control: good, unchanged: caAsServed(bench) })
    await bench.decide('PKI-SELF-06', async () => {
      expect(await bench.call('pki.signSelfIssued', { body: {}, invalid: true })).toBeRefused()
      await bench.refuses('pki.signSelfIssued', {
        bad: { body: { certificate: { pem: old.certificate } } },
        control: good,
        unchanged: caAsServed(bench),
      })
    })
    await bench.decide('PKI-SELF-07', async () => {
      for (const text of ['no PEM', old.certificate.slice(0, old.certificate.length / 2), old.privateKey]) await refused(text)
    })
    await bench.decide('PKI-SELF-08', async () => {
      await refused(below.certificate)
    })
  },
)
