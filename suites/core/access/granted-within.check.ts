import { type CallInput, sweep } from '../../../harness/checks/index.ts'
import { EVERYTHING, isRefusedThroughout, needsToken, placeOf } from './granted-callers.ts'

sweep({
  id: 'core/granted-within',
  clauses: ['CORE-CAP-14'],
  title: 'whose token is of a namespace and may do everything at a path there may do nothing at the same path outside of it',
  kind: 'security',
  needs: { features: ['identities', 'namespaces'] },
  applies: (operation) => needsToken(operation) && operation.mount !== undefined,
  async body(context) {
    const { bench, operation } = context
    const namespace = await bench.namespace()
    const everything = (request: CallInput) => ({ operation: operation.id, ...placeOf(request), capabilities: EVERYTHING })
    await isRefusedThroughout(context, (request) => bench.identity([everything(request)], { namespace }), [0])
  },
})

sweep({
  id: 'core/sudo-within',
  clauses: ['CORE-CAP-15'],
  title: 'what needs the elevated capability needs it within a namespace, under every spelling of that',
  kind: 'security',
  needs: { features: ['identities'] },
  nested: 2,
  applies: (operation) => needsToken(operation) && operation.mount !== undefined && operation.sudo,
  async body(context) {
    const { bench, operation } = context
    const capabilities = EVERYTHING.filter((capability) => capability !== 'sudo')
    const plain = (request: CallInput) => ({ operation: operation.id, ...placeOf(request), capabilities, namespace: (own: string) => own })
    await isRefusedThroughout(context, (request) => bench.identity([plain(request)]), [0, 1, 2])
  },
})

sweep({
  id: 'core/sudo-elsewhere',
  clauses: ['CORE-CAP-15'],
  title: 'who has the elevated capability at one mount, and used it there, does without it nothing that needs it at another one',
  kind: 'security',
  needs: { features: ['identities', 'mounts'] },
  applies: (operation) => needsToken(operation) && operation.mount !== undefined && operation.sudo,
  async body(context) {
    const { bench, operation } = context
    const capabilities = EVERYTHING.filter((capability) => capability !== 'sudo')
    const mount = await bench.mount(operation.mount!)
    const elsewhere = async (request: CallInput) => {
      const as = await bench.identity([
        { operation: operation.id, ...placeOf(request), capabilities },
        { operation: operation.id, ...placeOf({ ...request, mount }), capabilities: EVERYTHING },
      ])
      await bench.call(operation.id, { ...request, mount, as })
      return as
    }
    await isRefusedThroughout(context, elsewhere, [0])
  },
})
