/** Faults of roles, their listing, and of what they may use. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, firstWriteWins, withoutContinued } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

route('role-dropped', 'TRANSFORM-ROLE-01', 'a write of a role stores nothing', 'transform.writeRole', () => () => ({ status: 204 }))
route(
  'role-first-wins',
  ['TRANSFORM-ROLE-02', 'TRANSFORM-ACCESS-09'],
  'a second write of a role is dropped',
  'transform.writeRole',
  firstWriteWins((state) => state.roles),
)
rule('role-merged', ['TRANSFORM-ROLE-02', 'TRANSFORM-ACCESS-09'], 'a second write adds to the list', {
  roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])],
})
route(
  'role-sorted',
  'TRANSFORM-ROLE-03',
  'a role shows its first transformation only',
  'transform.readRole',
  replyData((data) => ({ transformations: (data.transformations as string[]).slice(0, 1) })),
)
route(
  'role-unknown-empty',
  'TRANSFORM-ROLE-04',
  'an unknown role reads as empty',
  'transform.readRole',
  insteadOfRefusal(() => secret({ transformations: [] })),
)
rule('role-list-short', 'TRANSFORM-ROLE-05', 'the listing of roles leaves out names that continue another', {
  roleNames: (original) => (state) => withoutContinued(original(state)),
})
rule('role-empty-is-any', ['TRANSFORM-ROLE-06', 'TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-03'], 'an empty list of a role means any', {
  roleAllows: (original) => (transformations, name) => transformations.length === 0 || original(transformations, name),
})
route('role-object', 'TRANSFORM-ROLE-07', 'an object is an empty list', 'transform.writeRole', requestNestedAs('transformations', []))
rule('role-kept', 'TRANSFORM-ROLE-08', 'the deletion of a role does nothing', { forgetsRole: () => () => false })
route('role-remembered', 'TRANSFORM-ROLE-09', 'a role that is made anew has what the old one had', 'transform.writeRole', (original) => {
  const last = new Map<string, string[]>()
  return async (call) => {
    const name = call.params.name ?? ''
    if (call.body.transformations === undefined && !call.state.roles.has(name)) call.state.roles.set(name, last.get(name) ?? [])
    const reply = await original(call)
    last.set(name, call.state.roles.get(name) ?? [])
    return reply
  }
})
rule('filter-ignored', ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-05', 'TRANSFORM-FILTER-07'], 'the filter is ignored', {
  fits: () => () => true,
})
rule('filter-substring', ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-05'], 'a filter is a part of the name', {
  fits: () => (name, filter) => name.includes(filter.replaceAll('*', '')),
})
rule('filter-regex', 'TRANSFORM-FILTER-06', 'a filter is a regular expression', {
  fits: (original) => (name, filter) => {
    try {
      return new RegExp(`^${filter.replaceAll('*', '.*')}$`).test(name)
    } catch {
      return original(name, filter)
    }
  },
})
rule('filter-prefix', ['TRANSFORM-FILTER-03', 'TRANSFORM-FILTER-04'], 'only a star at the end counts', {
  fits: () => (name, filter) => name.startsWith(filter.replace(/\*.*$/, '')),
})
rule('filter-no-middle', 'TRANSFORM-FILTER-04', 'a star within a filter stands for itself', {
  fits: (original) => (name, filter) => (/^\*?[^*]*\*?$/.test(filter) ? original(name, filter) : name === filter),
})
rule('filter-default-none', 'TRANSFORM-FILTER-01', 'without a filter no role is listed that has a hyphen', {
  filterOf: (original) => (query) => (query.get('filter') === null ? 'none' : original(query)),
})
route(
  'filter-none-200',
  'TRANSFORM-FILTER-07',
  'a filter that fits nothing lists everything',
  'transform.listRoles',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch {
      return original({ ...call, query: new URLSearchParams() })
    }
  },
)
rule('role-side-only', ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-04'], 'allowed_roles of a transformation is not looked at', {
  transformationAllows: () => () => true,
})
rule('transformation-side-only', ['TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-03'], 'the list of a role is not looked at', {
  roleAllows: () => () => true,
})
rule('allowed-empty-is-any', ['TRANSFORM-FPE-07', 'TRANSFORM-MASKING-06', 'TRANSFORM-TYPED-11'], 'empty allowed_roles mean any role', {
  transformationAllows: (original) => (transformation, role) => transformation.allowedRoles.length === 0 || original(transformation, role),
})
rule('allowed-prefix', ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-04'], 'a role is allowed whose name begins with an allowed one', {
  transformationAllows: () => (transformation, role) => transformation.allowedRoles.some((allowed) => role.startsWith(allowed)),
})
rule('allowed-first-only', 'TRANSFORM-ACCESS-13', 'the first of the allowed roles counts', {
  transformationAllows: () => (transformation, role) => transformation.allowedRoles[0] === role,
})
rule('role-first-only', ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'], 'the first transformation of a role counts', {
  roleAllows: () => (transformations, name) => transformations[0] === name,
})
route(
  'decode-ignores-role',
  'TRANSFORM-ACCESS-03',
  'decoding asks the transformation only',
  'transform.decode',
  byRules(() => ({ roleAllows: () => true })),
)
route(
  'decode-ignores-transformation',
  'TRANSFORM-ACCESS-04',
  'decoding asks the role only',
  'transform.decode',
  byRules(() => ({ transformationAllows: () => true })),
)
route(
  'unknown-role-any',
  'TRANSFORM-ACCESS-05',
  'an unknown role may what the transformation allows somebody',
  CODING,
  (original) => (call) => {
    const role = call.params.role_name ?? ''
    if (call.state.roles.has(role)) return original(call)
    const roles = new Map(call.state.roles).set(role, [...call.state.transformations.keys()])
    const rules = { ...call.rules, transformationAllows: () => true }
    return original({ ...call, state: { ...call.state, roles }, rules })
  },
)
rule('name-always-needed', 'TRANSFORM-ACCESS-06', 'the transformation has to be named always', {
  chosenName: (original) => (item, transformations) => {
    if (textOf(item, 'transformation') === '') throw invalid('transformation is missing')
    return original(item, transformations)
  },
})
rule('first-by-default', 'TRANSFORM-ACCESS-07', 'without a name the first transformation is taken', {
  chosenName: () => (item, transformations) => textOf(item, 'transformation') || (transformations[0] ?? ''),
})
rule('name-ignored', 'TRANSFORM-ACCESS-08', 'whatever is named, the first transformation of the role is used', {
  chosenName: (original) => (item, transformations) => {
    const name = original(item, transformations)
    return transformations.includes(name) ? transformations[0]! : name
  },
})
route('decisions-cached', ['TRANSFORM-ACCESS-09', 'TRANSFORM-ACCESS-10'], 'who was allowed once stays allowed', CODING, (original) => {
  const allowed = new Set<string>()
  return (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        roleAllows: (list, name) => remembered(allowed, `r ${call.params.role_name} ${name}`, call.rules.roleAllows(list, name)),
        transformationAllows: (transformation, role) =>
          remembered(allowed, `t ${role} ${transformation.template}`, call.rules.transformationAllows(transformation, role)),
      },
    })
})
const remembered = (known: Set<string>, key: string, holds: boolean): boolean => {
  if (holds) known.add(key)
  return known.has(key)
}
