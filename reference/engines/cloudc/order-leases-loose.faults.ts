/** Faults in which time or order matters to keys and their configuration: after a renewal, an expiry, a newer configuration. */
import type { Lease } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { cloudcEngine } from './engine.ts'
import { KEY_ROUTES, nameOf, rolesetOf, withIssue, withRules, withState } from './loose-words.ts'
import type { CloudcState } from './state.ts'

const { route, change } = faultsOf(cloudcEngine)

const configs = remembered(() => new Map<string, CloudcState['config']>())

change(
  'config-at-creation',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-05'],
  'keys go by the configuration as it was when the roleset was made (000 4.3, "TTL and max TTL from engine config")',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const isNew = rolesetOf(call) === undefined
        const given = await original(call)
        if (isNew) configs(call.state).set(nameOf(call), call.state.config)
        return given
      },
      ...Object.fromEntries(
        KEY_ROUTES.map((id) => [
          id,
          withRules((call) => ({
            leaseTimes: (body, config, mount) => call.rules.leaseTimes(body, configs(call.state).get(nameOf(call)) ?? config, mount),
          })),
        ]),
      ),
    },
  },
)

const firstCredentials = remembered(() => ({ text: '' }))

route(
  'credentials-of-first-use',
  ['CLOUDC-CONF-14'],
  'rolesets are made with the credentials that were used first, new ones never count (000 4.3, POST config)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const first = firstCredentials(call.state)
    first.text ||= call.state.config.credentials
    return original(withState(call, { config: { ...call.state.config, credentials: first.text } }))
  },
)

route(
  'renewed-key-ends-early',
  ['CLOUDC-LEASE-07'],
  'the key of a renewed lease ends at the provider when the first ttl is over (000 4.3, "leased envelope with renewable true")',
  KEY_ROUTES,
  withIssue((call, issue) => (issuing, request) => {
    call.services.clock.after(request.ttl, () => void request.revoke().catch(() => undefined))
    return issue(issuing, request)
  }),
)

route(
  'renewed-beyond-max',
  ['CLOUDC-LEASE-08'],
  'each renewal counts max_ttl anew (000 4.3, "Keys have TTL and max TTL from engine config")',
  KEY_ROUTES,
  maximumCountedAnew,
)

route(
  'expired-key-stays',
  ['CLOUDC-LEASE-10'],
  'a lease that expires leaves its key at the provider, only a revoked one deletes it (000 4.3, key/:roleset, "leased")',
  KEY_ROUTES,
  withIssue((call, issue) => (issuing, request) => {
    const lease: Lease = issue(issuing, {
      ...request,
      revoke: async () => {
        if (call.now() < lease.expiresAt - 0.5) await request.revoke()
      },
    })
    return lease
  }),
)
