/** Mistakes with who may ask for an operation of the secrets API: overrides of the rules of all requests. */
import type { JudgedRequest } from '../../core/judged-request.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { Capability } from '../../core/policy-syntax.ts'
import type { CoreRules } from '../../core/rules.ts'

export interface AccessPlace {
  operations: readonly string[]
}

/** As other operators, but of rules. */
export interface AccessOperator {
  title: string
  /** The clause that it breaks wherever it applies. */
  clause?: string
  rules(place: AccessPlace): NonNullable<Mutation<CoreRules, unknown>['rules']>
}

const at = ({ operations }: AccessPlace, { operation }: JudgedRequest): boolean => operation !== undefined && operations.includes(operation)

/** A caller who has one capability counts as having whichever is asked for. */
const enough = (has: Capability): AccessOperator => ({
  title: `{} is open to who has the capability ${has}`,
  rules: (place) => ({
    capabilityGranted: (original) => (granted, needed, call, request) =>
      original(granted, needed, call) || (at(place, request) && needed !== 'sudo' && original(granted, has, call)),
  }),
})

export const access: Record<string, AccessOperator> = {
  anyone: {
    title: '{} is open to every caller who is not denied',
    rules: (place) => ({
      capabilityGranted: (original) => (granted, needed, call, request) =>
        (at(place, request) && !granted.has('deny')) || original(granted, needed, call),
    }),
  },
  'deny-overlooked': {
    title: '{} is open to a caller who is denied',
    clause: 'CORE-CAP-23',
    rules: (place) => ({
      capabilityGranted: (original) => (granted, needed, call, request) =>
        (at(place, request) && granted.has('deny')) || original(granted, needed, call),
    }),
  },
  'read-is-enough': enough('read'),
  'list-is-enough': enough('list'),
  'update-is-enough': enough('update'),
}
