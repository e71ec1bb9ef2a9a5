/** Legal alternatives of lists: one of their two forms alone. */
import { variantsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { arraysRefused, LISTS, textsSplit } from './list-forms.ts'

const { route } = variantsOf(pkiEngine)

const READING = 'an array or the text of a JSON list: each alone is open'

for (const [name, , operations, fields] of LISTS) {
  route(
    `${name}-in-arrays-only`,
    READING,
    'a text is separated by commas, whatever it begins with',
    operations,
    requestBody(textsSplit(fields)),
  )
  route(
    `${name}-in-texts-only`,
    READING,
    'an array is refused where the text of a JSON list is taken',
    operations,
    requestBody(arraysRefused(fields)),
  )
}
