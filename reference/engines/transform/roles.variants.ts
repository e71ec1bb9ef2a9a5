/** Legal alternatives of what roles and transformations allow. */
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { transformEngine } from './engine.ts'

const { rule, route, declared } = variantsOf(transformEngine)

rule('unknown-role-400', 'unknown role in an action: 400 or 404', 'an unknown role is a bad request', {
  unknownRole: () => (name) => invalid(`no role ${name}`),
})
rule('role-star', 'a star among allowed roles: open', 'a star stands for any role', {
  transformationAllows: (original) => (transformation, role) => transformation.allowedRoles.includes('*') || original(transformation, role),
})
rule('lists-sorted', 'the order of roles and transformations: open', 'lists of roles and transformations are read sorted', {
  shownRole: (original) => (transformations) => original([...transformations].sort()),
  shownTransformation: (original) => (one) => original({ ...one, allowedRoles: [...one.allowedRoles].sort() }),
})
route(
  'role-of-unknown-refused',
  'a role that names an unknown transformation: open',
  'a role is refused that names a transformation that is not there',
  'transform.writeRole',
  (original) => (call) => {
    const named = call.body.transformations
    if (Array.isArray(named) && named.some((one) => typeof one === 'string' && one !== '*' && !call.state.transformations.has(one)))
      throw invalid('a transformation is not there')
    return original(call)
  },
)
route(
  'no-role-404',
  'what a role may not: 4xx',
  'what a role may not is not found',
  ['transform.encode', 'transform.decode'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && /may not use|does not allow|no transformation/.test(error.message)) throw notFound(error.message)
      throw error
    }
  },
)

export const variants = declared
