/** The CA that a certificate names, where one CA follows another. */
import { type CallInput, certificateRequest, check, ownCertificate, pathProblem } from '../../../harness/checks/index.ts'
import { ask, emptyMounts, newRoot, openRole, ownAuthority, quickKey, rootWanted, sameText, WAYS, withIntermediate } from '../fixtures.ts'

for (const way of WAYS) {
  const [names, verifies] = way === 'issue' ? (['PKI-ISSUE-02', 'PKI-ISSUE-07'] as const) : (['PKI-SIGN-02', 'PKI-SIGN-12'] as const)
  check(
    `pki/${way}-by-issuers-in-turn`,
    [names, verifies],
    `after a change of the CA, what ${way} gives is of the new one and names it`,
    { needs: ownAuthority },
    async ({ bench, expect }) => {
      // Older than any CA of the mount. All of them have one name: that is not what makes a CA.
      const role = await openRole(bench)
      const common_name = bench.fresh('ca')
      const uploaded = async () => {
        const { certificate, root } = await withIntermediate(bench, common_name)
        return [certificate, root]
      }
      const turns = [
        { what: 'a first root', make: async () => [await newRoot(bench, { common_name })] },
        { what: 'a root after it', make: async () => [await newRoot(bench, { common_name })] },
        { what: 'an uploaded CA after that', make: uploaded },
        { what: 'another uploaded one', make: uploaded },
      ]
      for (const { what, make } of turns) {
        const chain = await make()
        const answer = await ask(bench, way, role)
        await bench.decide(names, () => {
          expect(answer, `${way} under ${what}`).toSucceed()
          expect(sameText(answer.data.issuing_ca), what).toBe(sameText(chain[0]))
        })
        await bench.decide(verifies, async () => {
          expect(answer, `${way} under ${what}`).toSucceed()
          expect(await pathProblem(bench, String(answer.data.certificate), chain), what).toBe(undefined)
        })
      }
    },
  )
}

check(
  'pki/issuers-of-one-name',
  ['PKI-ISSUE-02', 'PKI-ISSUE-07', 'PKI-SIGN-02', 'PKI-SIGN-12', 'PKI-INTER-01', 'PKI-SELF-01', 'PKI-SELF-02'],
  'of two mounts whose CAs have one name each signs by its own, and names it',
  { needs: emptyMounts },
  async ({ bench, expect }) => {
    const there = await bench.mount('pki', { exclusive: true })
    const common_name = bench.fresh('ca')
    const name = bench.mixedName('role')
    const csr = await certificateRequest({ commonName: 'www.example.com' })
    const { certificate: selfIssued } = await ownCertificate({ commonName: bench.fresh('old'), ca: true })
    const cas: Record<string, string> = {}
    for (const mount of ['pki', there]) {
      const { data } = await bench.given('pki.generateRoot', { ...rootWanted(bench, { common_name }), mount })
      cas[mount] = String(data.certificate)
      await bench.given('pki.writeRole', { path: { name }, body: { allow_any_name: true, ttl: '1h', ...quickKey }, mount })
    }
    const signings: [verifies: string, names: string | undefined, operation: string, input: CallInput][] = [
      ['PKI-ISSUE-07', 'PKI-ISSUE-02', 'pki.issue', { path: { name }, body: { common_name: 'www.example.com' } }],
      ['PKI-SIGN-12', 'PKI-SIGN-02', 'pki.sign', { path: { name }, body: { csr } }],
      ['PKI-INTER-01', undefined, 'pki.signIntermediate', { body: { csr, common_name: bench.fresh('below'), ttl: '24h' } }],
      ['PKI-SELF-01', 'PKI-SELF-02', 'pki.signSelfIssued', { body: { certificate: selfIssued } }],
    ]
    for (const mount of ['pki', there, 'pki'])
      for (const [verifies, names, operation, input] of signings) {
        const answer = await bench.call(operation, { ...input, mount })
        const what = `${operation} in ${mount === there ? 'the other mount' : 'the first mount'}`
        await bench.decide(verifies, async () => {
          expect(answer, what).toSucceed()
          expect(await pathProblem(bench, String(answer.data.certificate), [cas[mount]!]), what).toBe(undefined)
        })
        if (names !== undefined) await bench.decide(names, () => expect(sameText(answer.data.issuing_ca), what).toBe(sameText(cas[mount])))
      }
  },
)
