/** Faults in who asks, and with what token. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Token } from '../../core/tokens.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'broker')

type Asked = { rules: object; path: string } | undefined

const at = (call: Asked, part: string): boolean => call !== undefined && 'vhostsOf' in call.rules && call.path.includes(`/${part}/`)

core('access-creds-anyone', ['CORE-CAP-01'], 'every good token gets credentials of every role (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (at(call, 'creds') && !granted.has('deny')) || original(granted, needed, call),
})

core('access-connection-anyone', ['CORE-CAP-04'], 'every good token may write the connection (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (at(call, 'config') && !granted.has('deny')) || original(granted, needed, call),
})

core('access-role-write-by-read', ['CORE-CAP-04'], 'whoever may read a role may write it (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'roles') && original(granted, 'read', call)),
})

core('access-deny-overlooked', ['CORE-CAP-01'], 'a policy that denies is overlooked at creds/ (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) => (at(call, 'creds') && granted.has('deny')) || original(granted, needed, call),
})

core('access-delete-by-create', ['CORE-CAP-13'], 'whoever may create a role may delete it (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'roles') && needed === 'delete' && original(granted, 'create', call)),
})

const seen = new Map<string, Token>()

core(
  'access-ended-token-gets-creds',
  ['CORE-AUTH-15'],
  'a token that got credentials while it was good gets more after it was revoked (000 5.1, token required)',
  {
    callerRefused: (original) => (given, token, request) => {
      if (!request.path.includes('/creds/')) return original(given, token, request)
      if (given !== undefined && token) seen.set(given, token)
      return given !== undefined && seen.has(given) ? undefined : original(given, token, request)
    },
  },
)

core('access-bearer-not-for-creds', ['CORE-AUTH-07'], 'Authorization: Bearer is not looked at on creds (000 2.1, alternative carrier)', {
  tokenOf: (original) => (request, spelling) =>
    /\/creds\/[^/]+$/.test(request.path) && !request.headers[spelling.headers.token] ? undefined : original(request, spelling),
})
