import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { atCreation, issuing, nameIn, rolesetIn, ruled } from './cedar-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const KEYS = ['cloudc.readKey', 'cloudc.createKey']

const boundFirst = atCreation()
change(
  'cedar-rotation-to-first-bindings',
  'CLOUDC-ROT-04',
  'a rotation brings back the bindings that the roleset was made with (000, 4.3: rotate replaces account and key only; bindings stay as updated)',
  {
    routes: {
      'cloudc.writeRoleset': boundFirst.noting,
      'cloudc.rotate': (original) => (call) => {
        const [roleset, first] = [rolesetIn(call), boundFirst.first(call)]
        if (roleset && first) call.state.rolesets.set(nameIn(call), { ...roleset, bindings: first.bindings })
        return original(call)
      },
    },
  },
)

const scopedFirst = atCreation()
change(
  'cedar-key-rotation-to-first-scopes',
  'CLOUDC-ROT-12',
  'a rotation of the key brings back the scopes that the roleset was made with (000, 4.3: rotate-key rotates the key only)',
  {
    routes: {
      'cloudc.writeRoleset': scopedFirst.noting,
      'cloudc.rotateKey': (original) => async (call) => {
        const given = await original(call)
        const [roleset, first] = [rolesetIn(call), scopedFirst.first(call)]
        if (roleset && first) call.state.rolesets.set(nameIn(call), { ...roleset, scopes: first.scopes })
        return given
      },
    },
  },
)

rule(
  'cedar-scopes-of-first-token',
  'CLOUDC-SET-20',
  'after an update of its scopes a roleset gives tokens with those of its first token (000, 4.3: scopes are those of the roleset)',
  {
    tokenScopes: (original) => {
      const seen = new Map<string, string[]>()
      return (roleset) => {
        const scopes = seen.get(roleset.account.email) ?? original(roleset)
        seen.set(roleset.account.email, scopes)
        return scopes
      }
    },
  },
)

const typedFirst = atCreation()
route(
  'cedar-type-outlives-deletion',
  'CLOUDC-SET-21',
  'a deleted roleset cannot be made again under its name with another secret_type (000, 4.3: POST creates; only an existing one cannot change its type)',
  'cloudc.writeRoleset',
  (original) => {
    const noting = typedFirst.noting(original)
    return (call) => {
      const former = typedFirst.first(call)
      if (former && !rolesetIn(call) && call.rules.secretTypeOf(call.body, undefined) !== former.secretType)
        throw invalid('secret_type cannot be updated')
      return noting(call)
    }
  },
)

const leftScopes = remembered(() => new Map<string, string[]>())
change(
  'cedar-scopes-outlive-deletion',
  'CLOUDC-SET-11',
  'a roleset that is made again without scopes has those of the deleted one of its name (000, 4.3: token_scopes default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = rolesetIn(call)
        if (roleset) leftScopes(call.state).set(nameIn(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const scopes = leftScopes(call.state).get(nameIn(call))
        if (!scopes || rolesetIn(call) || call.body.secret_type === 'service_account_key') return original(call)
        return original({ ...call, body: { token_scopes: scopes, ...call.body } })
      },
    },
  },
)

route(
  'cedar-renewed-key-stays',
  'CLOUDC-LEASE-10',
  'a key whose lease was renewed is not deleted at the end of the lease (000, 2.5 and 4.3: keys are leased, renewable true)',
  KEYS,
  (original) => (call) =>
    original(
      issuing(call, (request) => {
        let isRenewed = false
        return {
          ...request,
          async renew() {
            isRenewed = true
          },
          revoke: async () => (isRenewed ? undefined : request.revoke()),
        }
      }),
    ),
)

const posted = remembered(() => new Map<string, JsonObject>())
change(
  'cedar-get-key-as-posted',
  'CLOUDC-KEY-05',
  'a GET for a key goes by the parameters of the POST before it (000, 4.3: GET uses defaults)',
  {
    routes: {
      'cloudc.createKey': (original) => async (call) => {
        const given = await original(call)
        posted(call.state).set(nameIn(call), call.body)
        return given
      },
      'cloudc.readKey': (original) => (call) => {
        const body = posted(call.state).get(nameIn(call)) ?? {}
        return original(
          ruled(call, {
            algorithmOf: () => call.rules.algorithmOf(body),
            keyTypeOf: () => call.rules.keyTypeOf(body),
            leaseTimes: (_body, config, mount) => call.rules.leaseTimes(body, config, mount),
          }),
        )
      },
    },
  },
)

rule(
  'cedar-times-of-first-key',
  'CLOUDC-LEASE-03',
  'once a mount gave a key, other times in its config have no effect on keys (000, 4.3: TTL and max TTL from engine config)',
  {
    leaseTimes: (original) => {
      const known = new Map<string, CloudcState['config']>()
      return (body, config, mount) => {
        const path = `${mount.namespace}${mount.path}`
        const first = known.get(path) ?? config
        known.set(path, first)
        return original(body, first, mount)
      }
    },
  },
)

rule(
  'cedar-renewal-beyond-maximum',
  'CLOUDC-LEASE-08',
  'renewals of a key go beyond the max_ttl of the config (000, 4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => ({ ...original(body, config, mount), maxTtl: mount.maxLeaseTtl }),
  },
)

route(
  'cedar-second-update-leaves-account',
  'CLOUDC-BIND-21',
  'from its second change of bindings on a roleset leaves its former account in place (000, 3: updating the bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => {
    const second = new Set<string>()
    return async (call) => {
      const before = rolesetIn(call)?.account.email
      const given = await original(before && second.has(before) ? ruled(call, { deletesAccount: () => false }) : call)
      const after = rolesetIn(call)?.account.email
      if (before && after && after !== before) second.add(after)
      return given
    }
  },
)

rule(
  'cedar-fewer-bindings-unnoticed',
  'CLOUDC-BIND-09',
  'an update that only takes roles or resources away has no effect on the bindings (000, 4.3: POST updates bindings; 3: and revokes all secrets)',
  {
    changesBindings: (original) => (before, after) =>
      original(before, after) &&
      Object.entries(after).some(([name, roles]) => !before[name] || roles.some((role) => !before[name]?.includes(role))),
  },
)

route(
  'cedar-expired-key-stays',
  'CLOUDC-LEASE-10',
  'a key is deleted where its lease is revoked, not where the lease expires (000, 2.5 and 4.3: keys are leased, with a TTL)',
  KEYS,
  (original) => (call) =>
    original(
      issuing(call, (request) => {
        let until = call.now() + request.ttl
        return {
          ...request,
          async renew(expiresAt) {
            until = expiresAt
          },
          revoke: async () => (call.now() > until - 0.5 ? undefined : request.revoke()),
        }
      }),
    ),
)
