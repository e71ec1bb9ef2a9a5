/** Faults of what was before: settings remembered, second tokens of a value, and roles made again. */
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { beside, overInternalStore, withState } from './wrappers.ts'

const { route, change } = faultsOf(transformEngine)

const nameOf = (call: { params: Record<string, string> }): string => call.params.name ?? ''

const firstCharacters = beside(() => new Map<string, string>())

route(
  'rushed-mask-remembered',
  ['TRANSFORM-MASKING-08'],
  'masking goes on with the character that it had when a role first used it',
  'transform.encode',
  (original) => (call) => {
    const known = firstCharacters(call.state)
    const used = call.state.roles.get(call.params.role_name ?? '') ?? []
    const transformations = new Map(call.state.transformations)
    for (const [name, transformation] of call.state.transformations) {
      if (transformation.type !== 'masking' || !used.includes(name)) continue
      const maskingCharacter = known.get(transformation.id) ?? transformation.maskingCharacter
      known.set(transformation.id, maskingCharacter)
      transformations.set(name, { ...transformation, maskingCharacter })
    }
    return original(withState(call, { transformations }))
  },
)

route(
  'rushed-first-token-of-value',
  ['TRANSFORM-TTL-06'],
  'whether a value is tokenized goes by its first token, also when that has ended and a later one lives',
  'transform.tokenized',
  overInternalStore((store) => ({
    async byValue(owner, digests) {
      const found = await store.byValue(owner, digests)
      return found.filter((token, index) => found.findIndex(({ value }) => value === token.value) === index)
    },
  })),
)

route(
  'rushed-expiry-of-first-token',
  ['TRANSFORM-TTL-06'],
  'a further token for a value ends when its first one does',
  'transform.encode',
  overInternalStore((store) => ({
    async put(tokens) {
      const known = await store.byValue(
        tokens[0]?.owner ?? '',
        tokens.map(({ value }) => value),
      )
      const first = (value: string) => known.find((token) => token.value === value)
      await store.put(tokens.map((token) => ({ ...token, expiresAt: (first(token.value) ?? token).expiresAt })))
    },
  })),
)

const deletedRoles = beside(() => new Map<string, string[]>())

change(
  'rushed-role-made-again',
  ['TRANSFORM-ROLE-09'],
  'a role that is made again without transformations gets those that it had before its deletion',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const before = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
        if (before === undefined || (call.body.transformations ?? null) !== null) return original(call)
        return original({ ...call, body: { ...call.body, transformations: before } })
      },
    },
  },
)
