/** Faults in who may ask, from where, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, anyoneMay, bearerIgnored, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'cloudc')

const at =
  (part: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'mayGiveToken' in call.rules && call.path.includes(`/${part}/`)

core('access-anyone-gets-tokens', 'CORE-CAP-01', 'every good token gets access tokens of every roleset', anyoneMay(at('token')))

core(
  'access-ended-token-gets-keys',
  'CORE-AUTH-15',
  'a token that got a key while it was good gets more after it was revoked',
  goodForEver(({ path }) => /\/key\/[^/]+$/.test(path)),
)

core('access-put-without-parameters', 'CLOUDC-LEASE-02', 'the parameters of a key are looked at in a POST, not in a PUT', {
  parseBody: (original) => (bytes, request) =>
    original(request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) ? new Uint8Array() : bytes, request),
})

core(
  'access-bearer-not-for-rotation',
  'CORE-AUTH-07',
  'Authorization: Bearer is not looked at where a roleset is rotated',
  bearerIgnored(({ path }) => /\/roleset\/[^/]+\/rotate(-key)?$/.test(path)),
)

core('access-list-by-get', 'CORE-LIST-02', 'rolesets are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'cloudc.listRolesets' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})
