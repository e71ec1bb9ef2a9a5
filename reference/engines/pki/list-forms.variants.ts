/** Legal alternatives of lists: one of their two forms alone. */
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { arraysRefused, LISTS, textsSplit } from './list-forms.ts'
import type { PkiCall } from './requests.ts'

const { change } = variantsOf(pkiEngine)

/** Both change a rule, and leave it as it is: together the two would leave no form, which is not legal, so that no server has both. */
const apart = { alternativeNames: <R>(original: R): R => original }

const READING = 'an array or the text of a JSON list: each alone is open'

for (const [name, , operations, fields] of LISTS) {
  const inAll = (changed: (body: JsonObject) => JsonObject) => ({
    rules: apart,
    routes: Object.fromEntries(operations.map((operation) => [operation, requestBody<PkiCall>(changed)])),
  })
  change(`${name}-in-arrays-only`, READING, 'a text is separated by commas, whatever it begins with', inAll(textsSplit(fields)))
  change(`${name}-in-texts-only`, READING, 'an array is refused where the text of a JSON list is taken', inAll(arraysRefused(fields)))
}
