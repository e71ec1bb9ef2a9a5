import { type Answer, sweep } from '../../../harness/checks/index.ts'
import { EVERYTHING, isGoodByItself, needsToken, placeOf } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

sweep({
  id: 'core/granted-beside',
  clauses: ['CORE-CAP-14'],
  title: 'who may do everything at one path, and does, may do nothing at another one of the same kind',
  kind: 'security',
  needs: { features: ['identities'] },
  applies: (operation) => needsToken(operation) && operation.parameters.length > 0,
  async body({ bench, expect, operation, input, state }) {
    const own = await input()
    const request = await input()
    if (JSON.stringify(own.path) === JSON.stringify(request.path)) return bench.observe('CORE-CAP-14', 'there is one such path only')
    const caller = await bench.identity([{ operation: operation.id, ...placeOf(own), capabilities: EVERYTHING }])
    // What a caller was let do once must not be taken for a right to the rest.
    const first = await bench.call(operation.id, { ...own, as: caller })
    const before = await state(request)
    const answers: [what: string, answer: Answer][] = []
    for (const method of methodsOf(operation)) answers.push([method, await bench.call(operation.id, { ...request, as: caller, method })])
    const after = await state(request)
    await isGoodByItself(bench, operation, request, answers)
    for (const [method, answer] of answers)
      expect(answer, `${method} at the other path, after ${first.status} at its own`).toHaveStatus(403, 404)
    expect(after, 'state after what was refused').toEqual(before)
  },
})
