/** The CA that a certificate names, where one CA follows another. */
import { check, pathProblem } from '../../../harness/checks/index.ts'
import { newRoot, obtain, openRole, ownAuthority, sameText, WAYS, withIntermediate } from '../fixtures.ts'

for (const way of WAYS) {
  const [names, verifies] = way === 'issue' ? (['PKI-ISSUE-02', 'PKI-ISSUE-07'] as const) : (['PKI-SIGN-02', 'PKI-SIGN-12'] as const)
  check(
    `pki/${way}-by-issuers-in-turn`,
    [names, verifies],
    `after a change of the CA, what ${way} gives is of the new one and names it`,
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
        const { answer, certificate } = await obtain(context, way, role)
        await bench.decide(names, () => expect(sameText(answer.data.issuing_ca), what).toBe(sameText(chain[0])))
        await bench.decide(verifies, async () => expect(await pathProblem(bench, certificate, chain), what).toBe(undefined))
      }
    },
  )
}
