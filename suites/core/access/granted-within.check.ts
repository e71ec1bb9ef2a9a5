import { type Answer, type CallInput, type Identity, type SweepContext, sweep } from '../../../harness/checks/index.ts'
import { EVERYTHING, isGoodByItself, needsToken, placeOf } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

/** A caller is refused an operation by every method, under each of these spellings of its namespace, and nothing comes of it. */
const isRefused = async (
  { bench, expect, operation, input, state }: SweepContext,
  callerFor: (request: CallInput) => Promise<Identity>,
  segmentsInPath: readonly number[],
): Promise<void> => {
  const request = await input()
  const before = await state(request)
  const caller = await callerFor(request)
  const answers: [what: string, answer: Answer][] = []
  for (const namespaceInPath of segmentsInPath)
    for (const method of methodsOf(operation)) {
      const answer = await bench.call(operation.id, { ...request, as: caller, method, namespaceInPath })
      answers.push([`${method} with ${namespaceInPath} segments of the namespace in the path`, answer])
    }
  const after = await state(request)
  await isGoodByItself(bench, operation, request, answers)
  for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
  expect(after, 'state after what was refused').toEqual(before)
}

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
    await isRefused(context, (request) => bench.identity([everything(request)], { namespace }), [0])
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
    await isRefused(context, (request) => bench.identity([plain(request)]), [0, 1, 2])
  },
})
