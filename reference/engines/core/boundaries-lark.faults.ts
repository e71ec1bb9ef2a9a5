/** Faults of the conventions: empty, one, many, first, last, at the limit. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { emptyListing } from './lark-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule('lark-limit-33', 'CORE-LIMIT-02', 'bodies up to 33 MiB are accepted (000, 8: the maximum request size is 32 MB)', {
  requestTooLarge: () => (bytes) => bytes > 33 * 1024 * 1024,
})

rule(
  'lark-oversize-body',
  'CORE-ERROR-01',
  'the refusal of a body above the limit has `error`, a text, and no `errors` (000, 2.4: the body of every status from 400 on has `errors`)',
  {
    errorBody: (original) => (messages) =>
      messages[0] === 'request body too large' ? { error: messages[0], status: 413 } : original(messages),
  },
)

rule(
  'lark-empty-mount-listing',
  'CORE-LIST-04',
  'the listing of a mount that holds nothing answers 200 with no keys, unlike that of an empty directory (000, 1.5: an empty listing returns 404)',
  emptyListing(200, ({ params }) => params.directory === ''),
)

rule(
  'lark-two-periods',
  'CORE-PERIOD-01',
  'a name that ends in two periods is accepted, only a single one at the end is refused (000, 2.1: a path parameter must not end in a period)',
  { pathParameterAllowed: (original) => (value) => value.endsWith('..') || original(value) },
)
