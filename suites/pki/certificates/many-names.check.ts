/** Requests with many names of every kind: what is issued has all of them. */
import { type CertificateFacts, type CheckContext, certificateRequest, check, judgeCertificate } from '../../../harness/checks/index.ts'
import { ALLOWS_EMAIL, openRole, ownMount, withRoot } from '../fixtures.ts'

const UPN = '1.3.6.1.4.1.311.20.2.3'

const numbered = (count: number, name: (at: number) => string): string[] => Array.from({ length: count }, (_, at) => name(at))

const namesOf = (count: number) => ({
  dns: numbered(count, (at) => `n${at}.example.com`),
  email: numbered(count, (at) => `n${at}@example.com`),
  ip: numbered(count, (at) => `10.0.${at >> 7}.${at & 127}`),
  uri: numbered(count, (at) => `spiffe://example.com/n${at}`),
  other: numbered(count, (at) => `${UPN};UTF8:n${at}`),
})

const KINDS = { dns: 'PKI-ALT-01', email: 'PKI-ALT-02', ip: 'PKI-IPSANS-02', uri: 'PKI-URISANS-02', other: 'PKI-OTHERSANS-09' } as const

const shown = ({ dns, email, ip, uri, other }: CertificateFacts) => ({
  ...{ dns, email, ip, uri },
  other: other.map(({ oid, value }) => `${oid};UTF8:${value}`),
})

/** Of these names, those that a certificate lacks, of each kind; nothing of any where the request was refused. */
const lacking = async ({ bench, expect }: CheckContext, way: string, count: number): Promise<Record<keyof typeof KINDS, string[]>> => {
  const fields = { ...ALLOWS_EMAIL, allowed_uri_sans: 'spiffe://example.com/*', allowed_other_sans: '*', require_cn: false }
  const role = await openRole(bench, way === 'signed with the body' ? { ...fields, use_csr_sans: false } : fields)
  const { dns, email, ip, uri, other } = namesOf(count)
  const names = { alt_names: [...dns, ...email].join(','), ip_sans: ip.join(','), uri_sans: uri.join(','), other_sans: other.join(',') }
  const plain = { commonName: 'n0.example.com' }
  const csr = way === 'signed' ? await certificateRequest({ ...plain, dns, email, ip, uri }) : await certificateRequest(plain)
  const answer =
    way === 'issued'
      ? await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'n0.example.com', ...names } })
      : await bench.call('pki.sign', { path: { name: role }, body: way === 'signed' ? { csr } : { csr, ...names } })
  const none = { dns: [], email: [], ip: [], uri: [], other: [] }
  // That a server takes so many is not said; that it keeps all that it takes is.
  if (!answer.ok && count > 5) {
    expect(answer, `${count} names of each kind, ${way}`).toBeRefused()
    return none
  }
  expect(answer, `${count} names of each kind, ${way}`).toSucceed()
  const has = shown(await judgeCertificate(bench, String(answer.data.certificate)))
  const wanted = { ...namesOf(count), ...(way === 'signed' ? { other: [] } : {}) }
  const missing = (kind: keyof typeof KINDS) => wanted[kind].filter((name) => !has[kind].includes(name))
  return { dns: missing('dns'), email: missing('email'), ip: missing('ip'), uri: missing('uri'), other: missing('other') }
}

check(
  'pki/all-of-many-names',
  [...Object.values(KINDS), 'PKI-CSRSANS-02', 'PKI-CSRSANS-03'],
  'of many names all are in the certificate, of each kind',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    for (const count of [5, 40, 120]) {
      const issued = await lacking(context, 'issued', count)
      for (const [kind, clause] of Object.entries(KINDS))
        await bench.decide(clause, () => expect(issued[kind as keyof typeof KINDS], `missing of ${count}`).toEqual([]))
      const none = { dns: [], email: [], ip: [], uri: [], other: [] }
      await bench.decide('PKI-CSRSANS-02', async () => expect(await lacking(context, 'signed', count), 'missing').toEqual(none))
      await bench.decide('PKI-CSRSANS-03', async () =>
        expect(await lacking(context, 'signed with the body', count), 'missing').toEqual(none),
      )
    }
  },
)
