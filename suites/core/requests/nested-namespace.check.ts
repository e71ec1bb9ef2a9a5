import { type Answer, sweep } from '../../../harness/checks/index.ts'

/** The clause of each spelling, by how many segments of the namespace are in the path instead of the header. */
const CLAUSES = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03']

sweep({
  id: 'core/within-namespaces',
  clauses: CLAUSES,
  title: 'reached in a namespace within a namespace, under each spelling of it',
  kind: 'scenario',
  nested: 2,
  applies: (operation) => operation.mount !== undefined && operation.engine !== 'core',
  async body({ bench, expect, operation, input: make }) {
    // Where one of the spellings is not served, what is made by another one shows it.
    const input = () => bench.withNamespaceInPath(2, make)
    const answers: Answer[] = []
    for (const namespaceInPath of CLAUSES.keys()) answers.push(await bench.call(operation.id, { ...(await input()), namespaceInPath }))
    // What is served under no spelling may be served nowhere.
    if (!answers.some(({ ok }) => ok)) await bench.given(operation.id, await input())
    for (const [namespaceInPath, clause] of CLAUSES.entries())
      await bench.decide(clause, () => expect(answers[namespaceInPath]!, `with ${namespaceInPath} segments in the path`).toSucceed())
  },
})
