/** Faults in who may ask, from where, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'cloudc')

const at =
  (part: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'mayGiveToken' in call.rules && call.path.includes(`/${part}/`)

core('access-anyone-gets-tokens', [], 'every good token gets access tokens of every roleset', anyoneMay(at('token')))

core('access-update-by-create', [], 'whoever may create a roleset may update it', countsAs('create', at('roleset'), 'update'))

core(
  'access-ended-token-gets-keys',
  [],
  'a token that got a key while it was good gets more after it was revoked',
  goodForEver(({ path }) => /\/key\/[^/]+$/.test(path)),
)

core('access-put-without-parameters', [], 'the parameters of a key are looked at in a POST, not in a PUT', {
  parseBody: (original) => (bytes, request) =>
    original(request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) ? new Uint8Array() : bytes, request),
})

core(
  'access-bearer-not-for-rotation',
  [],
  'Authorization: Bearer is not looked at where a roleset is rotated',
  bearerIgnored(({ path }) => /\/roleset\/[^/]+\/rotate(-key)?$/.test(path)),
)

core('access-list-by-get', [], 'rolesets are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'cloudc.listRolesets' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})

core('access-mount-of-parent', [], 'a mount of the root namespace answers in the namespaces below it, too', {
  mountsSeen: (original) => (all, namespace) => {
    const own = original(all, namespace)
    const above = all.filter((mount) => mount.engine.type === 'cloudc' && mount.namespace === '' && namespace !== '')
    return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
  },
})
