import { type Bench, type CallInput, type OperationFacts, sweep } from '../../../harness/checks/index.ts'
import { EVERYTHING, isRefusedThroughout, needsToken, placeOf } from './granted-callers.ts'

type Grants = Parameters<Bench['identity']>[0]

/** Who is granted everything somewhere else, of an operation in so many namespaces, one within the other. */
const outside = (nested: 1 | 2, name: string, title: string, grantsFor: (everything: Grants[number]) => Grants): void =>
  sweep({
    id: `core/${name}`,
    clauses: ['CORE-CAP-14'],
    title,
    kind: 'security',
    needs: { features: ['identities'] },
    nested,
    applies: (operation) => needsToken(operation) && operation.mount !== undefined,
    async body(context) {
      const { bench, operation } = context
      await isRefusedThroughout(context, (request) => bench.identity(grantsFor(everythingOn(operation, request))), [0, nested])
    },
  })

const everythingOn = (operation: OperationFacts, request: CallInput): Grants[number] => ({
  operation: operation.id,
  ...placeOf(request),
  capabilities: EVERYTHING,
})

outside(
  1,
  'granted-outside',
  'who may do everything at a path outside a namespace may do nothing at the same path within it',
  (everything) => [everything],
)

outside(
  2,
  'granted-outside-the-inner',
  'all rights at a path outside an inner namespace give none at the same path within it',
  (everything) => [
    everything,
    // The path in the outer one, and what would be left of that in the inner one if the outer did not count.
    { ...everything, namespace: (own) => own.slice(0, own.indexOf('/') + 1) },
    { ...everything, namespace: (own) => own.slice(own.indexOf('/') + 1) },
  ],
)
