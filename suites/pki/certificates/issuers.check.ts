/** The CA that a certificate names, where one CA follows another. */
import { check, pathProblem } from '../../../harness/checks/index.ts'
import { newRoot, obtain, openRole, ownAuthority, sameText, WAYS, withIntermediate } from '../fixtures.ts'

check(
  'pki/issuers-in-turn',
  ['PKI-ISSUE-02', 'PKI-ISSUE-07', 'PKI-SIGN-02', 'PKI-SIGN-12'],
  'after a change of the CA, certificates are of the new one and name it',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const role = await openRole(bench)
    const turns = [
      { what: 'a first root', make: async () => [await newRoot(bench, {})] },
      { what: 'a root after it', make: async () => [await newRoot(bench, {})] },
      {
        what: 'an uploaded CA after that',
        async make() {
          const { certificate, root } = await withIntermediate(bench)
          return [certificate, root]
        },
      },
    ]
    for (const { what, make } of turns) {
      const chain = await make()
      for (const way of WAYS) {
        const { answer, certificate } = await obtain(context, way, role)
        const [names, verifies] = way === 'issue' ? (['PKI-ISSUE-02', 'PKI-ISSUE-07'] as const) : (['PKI-SIGN-02', 'PKI-SIGN-12'] as const)
        await bench.decide(names, () => expect(sameText(answer.data.issuing_ca), `${way} by ${what}`).toBe(sameText(chain[0])))
        await bench.decide(verifies, async () => expect(await pathProblem(bench, certificate, chain), `${way} by ${what}`).toBe(undefined))
      }
    }
  },
)
