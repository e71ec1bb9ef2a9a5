/** Mistakes with values of a wrong type: an object, or a list that holds one, where a plain value belongs. */
import type { Json } from '../../core/json.ts'
import { isNested } from '../wrappers.ts'
import { around, type Family, memoryOf, type Operator } from './family.ts'
import { requestMember } from './members.ts'
import type { ParameterPlace } from './request-parameters.ts'

export interface TypePlace extends ParameterPlace {
  /** What an object is taken for; default: an empty text. */
  value?: Json
  /** Whether it is a map of plain values, where an object within it is wrong. */
  isMap?: true
}

const isWrong = ({ isMap }: TypePlace, value: Json | undefined): value is Json => {
  const values = isMap && value !== null && typeof value === 'object' ? Object.values(value) : [value]
  return values.some(isNested)
}

const nested = (title: string, change: (value: Json, place: TypePlace) => Json | undefined): Operator<TypePlace> => ({
  title: `{} ${title}`,
  change: (place) =>
    around(
      place.operations,
      requestMember(place.member, (value) => (isWrong(place, value) ? change(value, place) : value)),
    ),
})

export const types: Family<TypePlace> = {
  'object-left-out': nested('that is an object counts as left out', () => undefined),
  'object-taken': nested('that is an object is taken for another value', (_value, { value }) => value ?? ''),
  'object-as-text': nested('that is an object is taken for its own JSON text', (value) => JSON.stringify(value)),
  'object-as-before': {
    title: '{} that is an object is taken for the value of the request before',
    change: (place) => {
      const last = memoryOf<Json>()
      return around(
        place.operations,
        requestMember(place.member, (value, call) => {
          if (isWrong(place, value)) return last(call).get('') ?? value
          if (value !== undefined) last(call).set('', value)
          return value
        }),
      )
    },
  },
}
