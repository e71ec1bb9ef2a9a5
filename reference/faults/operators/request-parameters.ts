/** Mistakes with any parameter of a write: what is set and what is left out. */
import type { Json } from '../../core/json.ts'
import { around, type Family, memoryOf } from './family.ts'
import { requestMember } from './members.ts'

export interface ParameterPlace {
  operations: readonly string[]
  member: string
}

export const parameters: Family<ParameterPlace> = {
  ignored: {
    title: '{} is taken and has no effect',
    change: ({ operations, member }) =>
      around(
        operations,
        requestMember(member, () => undefined),
      ),
  },
  'first-kept': {
    title: '{} keeps its first value over later writes',
    change: ({ operations, member }) => {
      const first = memoryOf<Json>()
      return around(
        operations,
        requestMember(member, (value, call) => {
          const kept = first(call).get(call.path)
          if (kept === undefined && value !== undefined) first(call).set(call.path, value)
          return kept === undefined || value === undefined ? value : kept
        }),
      )
    },
  },
  'carried-over': {
    title: '{} that is left out is that of the request before, to whatever it went',
    change: ({ operations, member }) => {
      const last = memoryOf<Json>()
      return around(
        operations,
        requestMember(member, (value, call) => {
          if (value === undefined) return last(call).get('')
          last(call).set('', value)
          return value
        }),
      )
    },
  },
}

export interface DefaultPlace extends ParameterPlace {
  /** Another value than the stated default. */
  value: Json
}

export const defaults: Family<DefaultPlace> = {
  other: {
    title: '{} has another default',
    change: ({ operations, member, value }) =>
      around(
        operations,
        requestMember(member, (given) => given ?? value),
      ),
  },
}

/** A member that has to be there, and a value that would do. */
export const needed: Family<DefaultPlace> = {
  'made-up': {
    title: '{} is made up where it is left out',
    change: ({ operations, member, value }) =>
      around(
        operations,
        requestMember(member, (given) => (given === undefined || given === null ? value : given)),
      ),
  },
  'made-up-for-empty': {
    title: '{} is made up where it is empty',
    change: ({ operations, member, value }) =>
      around(
        operations,
        requestMember(member, (given) => (given === '' ? value : given)),
      ),
  },
}
