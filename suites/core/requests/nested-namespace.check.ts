import { sweep } from '../../../harness/checks/index.ts'

/** The clause of each spelling, by how many segments of the namespace are in the path instead of the header. */
const CLAUSES = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03']

sweep({
  id: 'core/within-namespaces',
  clauses: CLAUSES,
  title: 'reached in a namespace within a namespace, under each spelling of it',
  kind: 'contract',
  nested: true,
  applies: (operation) => operation.mount !== undefined && operation.engine !== 'core',
  async body({ bench, expect, operation, input }) {
    for (const [namespaceInPath, clause] of CLAUSES.entries()) {
      const request = await input()
      const answer = await bench.call(operation.id, { ...request, namespaceInPath })
      await bench.decide(clause, () => expect(answer, `with ${namespaceInPath} of its segments in the path`).toSucceed())
    }
  },
})
