/** Faults of who may do what at broker mounts: carriers of the token, verbs, capabilities, neighbouring paths, ends of tokens. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { below } from './anew-help.ts'
import { asksForCreds, isConfigPath, isLeasePath, isRolePath, writes } from './later-help.ts'
import type { BrokerState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'broker')

rule(
  'later-deny-on-creds-overlooked',
  ['CORE-CAP-01'],
  'a token that is denied `creds/:name` gets credentials (000 7: 403 forbidden)',
  denyOverlooked((call) => below(call).startsWith('creds/')),
)

rule(
  'later-sudo-writes-config',
  ['CORE-CAP-04'],
  'a token with sudo but without update may write connection and lease settings (000 5: sudo besides `create` and `update`)',
  countsAs('sudo', (call) => below(call).startsWith('config/'), 'update'),
)

rule(
  'later-creds-without-bearer',
  ['CORE-AUTH-07'],
  'credentials cannot be had with `Authorization: Bearer` (000 2.1 and 5: alternative token carrier)',
  bearerIgnored(asksForCreds),
)

rule(
  'later-config-by-ended-token',
  ['CORE-AUTH-15'],
  'a token that wrote the settings of a mount once may do so after it was revoked or expired (000 5: a client token is required)',
  goodForEver((request) => writes(request) && isConfigPath(request)),
)

rule(
  'later-lease-without-token',
  ['CORE-AUTH-01'],
  'lease settings can be written without any token (001: all endpoints require a client token)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && writes(request) && isLeasePath(request) ? undefined : original(given, token, request),
  },
)

rule(
  'later-creds-of-longer-names',
  ['CORE-CAP-01'],
  'a token that may ask for the users of one role may do so for roles whose names begin with its name (000 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/\/creds\/[^/*+]+$/.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)

rule(
  'later-writers-get-creds',
  ['CORE-CAP-05'],
  'a token that may only update below `creds/` gets credentials by GET (000 7: 403, no access to the feature; 001 4.3: `GET creds/:name`)',
  countsAs('update', (call) => below(call).startsWith('creds/'), 'read'),
)

rule(
  'later-role-readers-get-creds',
  ['CORE-CAP-01'],
  'a token that may read a role, but not its credentials, gets credentials of it (000 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || original(pattern, path.replace(/\/creds\/([^/]+)$/, '/roles/$1')),
  },
)

rule(
  'later-policy-of-shorter-mount',
  ['CORE-CAP-01'],
  'a policy on everything below one mount counts for mounts whose paths begin like it, too (000 7: 403, no access to the feature)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (pattern.endsWith('/*') &&
        /\/((roles|creds)\/[^/]+|config\/(connection|lease))$/.test(path) &&
        original(`${pattern.slice(0, -2)}*`, path)),
  },
)

rule(
  'later-wrong-token-401',
  ['CORE-AUTH-03'],
  'an unknown token is refused with 401 at roles and credentials (000 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && (isRolePath(request) || asksForCreds(request)) ? 401 : refused
    },
  },
)

rule(
  'later-refused-delete-deletes',
  ['CORE-CAP-21'],
  'a token without the right to delete a role is refused, but the role is gone (000 7: 403 forbidden; a refusal changes nothing)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const allowed = original(granted, needed, call)
      if (!allowed && call?.method === 'DELETE' && below(call).startsWith('roles/'))
        (call as Call<BrokerState, object>).state.roles.delete(call.params.name ?? '')
      return allowed
    },
  },
)
