/** Faults of what was before: settings remembered, second tokens of a value, roles made again, grants taken back. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { beside, overInternalStore, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const nameOf = (call: { params: Record<string, string> }): string => call.params.name ?? ''

route(
  'rushed-role-takes-its-grants',
  [],
  'deleting a role takes its name from all allowed_roles',
  'transform.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, transformation] of [...call.state.transformations]) {
      const allowedRoles = transformation.allowedRoles.filter((role) => role !== nameOf(call))
      call.state.transformations.set(name, { ...transformation, allowedRoles })
    }
    return reply
  },
)

const firstCharacters = beside(() => new Map<string, string>())

route(
  'rushed-mask-remembered',
  [],
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
  [],
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
  [],
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

change('rushed-role-made-again', [], 'a role that is made again without transformations gets those that it had before its deletion', {
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
})

/** Roles that have used a transformation, by its key, which updates keep. */
const admitted = remembered(() => new Set<string>())

rule('rushed-grant-remembered', [], 'a role that has used a transformation may go on after it was taken from allowed_roles', {
  transformationAllows: (original) => (transformation, role) => {
    if (original(transformation, role)) admitted(transformation.key).add(role)
    return admitted(transformation.key).has(role)
  },
})
