import { sweep } from '../../../harness/checks/index.ts'
import { methodsOf } from '../access/methods.ts'

sweep({
  id: 'core/not-from-within',
  clauses: ['CORE-NS-07'],
  title: 'what is mounted outside a namespace is not reached from within it',
  kind: 'security',
  needs: { features: ['namespaces'] },
  applies: (operation) => operation.mount !== undefined && operation.engine !== 'core',
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const namespace = await bench.namespace()
    const before = await state(request)
    for (const namespaceInPath of [0, 1]) {
      for (const method of methodsOf(operation)) {
        const answer = await bench.call(operation.id, { ...request, namespace, namespaceInPath, method })
        expect(answer, `${method}, with the namespace in the ${namespaceInPath === 0 ? 'header' : 'path'}`).toBeRefused()
      }
    }
    expect(await state(request), 'state after requests from within a namespace').toEqual(before)
    await bench.given(operation.id, request)
  },
})
