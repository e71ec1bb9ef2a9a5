/** Faults of lists in both of their forms. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { arraysRefused, LISTS, listsChanged, textsSplit } from './list-forms.ts'

const { route } = faultsOf(pkiEngine)

const textOf = (items: Json[]): string => items.map(String).join(',')

const WRONG: [name: string, what: string, change: (fields: readonly string[]) => (body: JsonObject) => JsonObject][] = [
  ['in-no-list', 'a JSON list is taken in neither form', (fields) => (body) => textsSplit(fields)(arraysRefused(fields)(body))],
  ['first-of-list', 'the first item of a JSON list counts', (fields) => listsChanged(fields, (items) => items.slice(0, 1))],
  ['list-as-one', 'a JSON list is taken for a single item', (fields) => listsChanged(fields, (items) => [textOf(items)])],
]
for (const [list, clause, operations, fields] of LISTS)
  for (const [name, what, change] of WRONG) route(`${list}-${name}`, clause, what, operations, requestBody(change(fields)))

// A pattern of URIs holds no comma.
for (const [list, clause, operations, fields] of LISTS.slice(1))
  route(
    `${list}-items-split`,
    clause,
    'items of a JSON list are split at their commas',
    operations,
    requestBody(listsChanged(fields, textOf)),
  )
