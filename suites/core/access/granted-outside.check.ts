import { type Answer, sweep } from '../../../harness/checks/index.ts'
import { EVERYTHING, isGoodByItself, needsToken, placeOf } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

sweep({
  id: 'core/granted-outside',
  clauses: ['CORE-CAP-14'],
  title: 'who may do everything at a path outside a namespace may do nothing at the same path within it',
  kind: 'security',
  needs: { features: ['identities'] },
  nested: true,
  applies: (operation) => needsToken(operation) && operation.mount !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const before = await state(request)
    const answers: [what: string, answer: Answer][] = []
    const everything = { operation: operation.id, ...placeOf(request), capabilities: EVERYTHING }
    const outsider = await bench.identity([everything])
    for (const namespaceInPath of [0, 2])
      for (const method of methodsOf(operation)) {
        const answer = await bench.call(operation.id, { ...request, as: outsider, method, namespaceInPath })
        answers.push([`${method} with ${namespaceInPath} segments of the namespace in the path`, answer])
      }
    const after = await state(request)
    await isGoodByItself(bench, operation, request, answers)
    for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
    expect(after, 'state after what was refused').toEqual(before)
  },
})
