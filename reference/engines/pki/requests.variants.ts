/** Legal alternatives of what requests hold, and of lists in one of their two forms alone. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { arraysRefused, LISTS, type PkiCall, textsSplit } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(pkiEngine)

rule('requests-unproven', '`csr-signature`: advised', 'the signature of a certificate request is not looked at', {
  requestProven: () => () => true,
})
route(
  'permitted-domains-blank',
  'the table gives them no default',
  'an empty text of permitted domains is refused',
  ['pki.generateRoot', 'pki.signIntermediate'],
  (original) => (call) => {
    if (call.body.permitted_dns_domains === '') throw invalid('permitted_dns_domains is empty')
    return original(call)
  },
)

const READING = 'an array or the text of a JSON list: each alone is open'

for (const [name, , operations, fields] of LISTS) {
  const inAll = (changed: (body: JsonObject) => JsonObject) => ({
    routes: Object.fromEntries(operations.map((operation) => [operation, requestBody<PkiCall>(changed)])),
    // Together the two would leave no form, which is not legal.
    touches: `the forms of ${name}`,
  })
  change(`${name}-in-arrays-only`, READING, 'a text is separated by commas, whatever it begins with', inAll(textsSplit(fields)))
  change(`${name}-in-texts-only`, READING, 'an array is refused where the text of a JSON list is taken', inAll(arraysRefused(fields)))
}

export const variants = declared
