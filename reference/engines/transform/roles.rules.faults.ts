/** Faults in which roles a filter lists, which transformations a role may use, and who may use a role. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'
import { beside, byRules, CODING, withState } from './wrappers.ts'

const { rule, route, declared } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

rule('filter-ignored', ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-05', 'TRANSFORM-FILTER-07'], 'the filter is ignored', {
  fits: () => () => true,
})
rule('filter-substring', ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-05'], 'a filter is a part of the name', {
  fits: () => (name, filter) => name.includes(filter.replaceAll('*', '')),
})
rule('filter-dot', 'TRANSFORM-FILTER-06', 'a dot in a filter stands for any character', {
  fits: () => (name, filter) => new RegExp(`^${filter.replace(/[+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 's').test(name),
})
rule('filter-prefix', ['TRANSFORM-FILTER-03', 'TRANSFORM-FILTER-04'], 'only a star at the end counts', {
  fits: () => (name, filter) => name.startsWith(filter.replace(/\*.*$/, '')),
})
rule('filter-ends-only', 'TRANSFORM-FILTER-04', 'of a filter what stands before the first star and after the last counts', {
  fits: (original) => (name, filter) => {
    const parts = filter.split('*')
    return parts.length < 2 ? original(name, filter) : name.startsWith(parts[0]!) && name.endsWith(parts.at(-1)!)
  },
})
rule('filter-default-none', 'TRANSFORM-FILTER-01', 'without a filter no role is listed that has a hyphen', {
  filterOf: (original) => (query) => (query.get('filter') === null ? 'none' : original(query)),
})
rule('filter-star-is-one', 'TRANSFORM-FILTER-01', 'a filter of one star lists names without a hyphen', {
  fits: (original) => (name, filter) => (filter === '*' ? !name.includes('-') : original(name, filter)),
})
route(
  'filter-none-200',
  'TRANSFORM-FILTER-07',
  'a filter that fits nothing is answered with an empty list',
  'transform.listRoles',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    ({ state, query }) => state.roles.size > 0 && query.has('filter'),
  ),
)

rule('allowed-prefix', ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-15'], 'a role may use what allows a role with the beginning of its name', {
  transformationAllows:
    () =>
    ({ allowedRoles }, role) =>
      allowedRoles.some((allowed) => role.startsWith(allowed)),
})
rule('allowed-any-case', ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-04'], 'allowed_roles are compared without case', {
  transformationAllows:
    () =>
    ({ allowedRoles }, role) =>
      allowedRoles.some((allowed) => role.toLowerCase() === allowed.toLowerCase()),
})
rule('allowed-empty-is-any', ['TRANSFORM-FPE-07', 'TRANSFORM-MASKING-06', 'TRANSFORM-TYPED-11'], 'empty allowed_roles mean any role', {
  transformationAllows: (original) => (one, role) => one.allowedRoles.length === 0 || original(one, role),
})
rule('allowed-last', ['TRANSFORM-ACCESS-13', 'TRANSFORM-ACCESS-01'], 'of allowed_roles only the last counts', {
  transformationAllows:
    () =>
    ({ allowedRoles }, role) =>
      allowedRoles.at(-1) === role,
})
rule('third-transformation', 'TRANSFORM-ACCESS-13', 'a role may use the first two of its transformations only', {
  roleAllows: (original) => (transformations, name) => original(transformations.slice(0, 2), name),
})
rule('first-transformation', ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'], 'a role may use the first of its transformations only', {
  roleAllows: () => (transformations, name) => transformations[0] === name,
})
route(
  'allowed-not-for-masking',
  ['TRANSFORM-ACCESS-02', 'TRANSFORM-MASKING-06'],
  'masking does not look at allowed_roles',
  'transform.encode',
  byRules(({ transformationAllows }) => ({
    transformationAllows: (one, role) => one.type === 'masking' || transformationAllows(one, role),
  })),
)
for (const [name, role, transformation] of [
  ['encode', '01', '02'],
  ['decode', '03', '04'],
  ['validate', '14', '15'],
  ['tokenized', '16', '17'],
  ['metadata', '18', '19'],
] as const) {
  const use = `transform.${name}`
  route(
    `${name}-ignores-role`,
    `TRANSFORM-ACCESS-${role}`,
    'the list of the role is not looked at',
    use,
    byRules(() => ({ roleAllows: () => true })),
  )
  route(
    `${name}-ignores-transformation`,
    `TRANSFORM-ACCESS-${transformation}`,
    'allowed_roles is not looked at',
    use,
    byRules(() => ({ transformationAllows: () => true })),
  )
  route(
    `${name}-ignores-role-in-batch`,
    `TRANSFORM-ACCESS-${role}`,
    'the list of the role is not looked at for a batch',
    use,
    byRules(({ roleAllows }, { body }) => ({ roleAllows: (names, one) => body.batch_input !== undefined || roleAllows(names, one) })),
  )
  route(
    `${name}-ignores-transformation-in-batch`,
    `TRANSFORM-ACCESS-${transformation}`,
    'allowed_roles is not looked at for a batch',
    use,
    byRules(({ transformationAllows }, { body }) => ({
      transformationAllows: (one, role) => body.batch_input !== undefined || transformationAllows(one, role),
    })),
  )
}
route(
  'unknown-role-any',
  'TRANSFORM-ACCESS-05',
  'an unknown role may what the transformation allows somebody',
  CODING,
  (original) => (call) => {
    const role = call.params.role_name ?? ''
    if (call.state.roles.has(role)) return original(call)
    const roles = new Map(call.state.roles).set(role, [...call.state.transformations.keys()])
    return byRules(() => ({ transformationAllows: () => true }))(original)(withState(call, { roles }))
  },
)
rule('name-always-needed', 'TRANSFORM-ACCESS-06', 'the transformation has to be named always', {
  chosenName: (original) => (item, transformations) => {
    if (textOf(item, 'transformation') === '') throw invalid('transformation is missing')
    return original(item, transformations)
  },
})
rule('name-not-needed-refused', 'TRANSFORM-ACCESS-06', 'a role with one transformation may not name it', {
  chosenName: (original) => (item, transformations) => {
    if (transformations.length === 1 && textOf(item, 'transformation') !== '') throw invalid('transformation is not needed')
    return original(item, transformations)
  },
})
rule('first-by-default', 'TRANSFORM-ACCESS-07', 'without a name the first transformation is taken', {
  chosenName: () => (item, transformations) => textOf(item, 'transformation') || (transformations[0] ?? ''),
})
rule('last-by-default', 'TRANSFORM-ACCESS-07', 'of several transformations the last is taken where none is named', {
  chosenName: (original) => (item, transformations) => textOf(item, 'transformation') || (transformations.at(-1) ?? original(item, [])),
})
const allowed = beside(() => new Set<string>())
const remembering = (state: TransformState, key: string, holds: boolean): boolean => {
  if (holds) allowed(state).add(key)
  return allowed(state).has(key)
}
route(
  'decisions-cached',
  ['TRANSFORM-ACCESS-09', 'TRANSFORM-ACCESS-10'],
  'who was allowed once stays allowed',
  CODING,
  byRules(({ roleAllows, transformationAllows }, { state, params }) => ({
    roleAllows: (list, name) => remembering(state, `r ${params.role_name} ${name}`, roleAllows(list, name)),
    transformationAllows: (one, role) => remembering(state, `t ${role} ${one.template}`, transformationAllows(one, role)),
  })),
)
core.rule('list-by-get', 'CORE-CAP-11', 'a listing asked for with GET needs read instead of list', {
  capabilityGranted: (original) => (granted, needed, call, request) =>
    original(granted, needed === 'list' && request.engine === 'transform' && request.method === 'GET' ? 'read' : needed, call),
})

export const faults = [...declared, ...core.declared]
