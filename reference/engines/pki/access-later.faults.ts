/** Faults of who may ask: tokens and their carriers, capabilities, deny, sudo, and whose certificates are whose. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Capability } from '../../core/policy-syntax.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { asks } from './later-help.ts'
import { noting } from './overlays.ts'
import type { PkiState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'pki')
const { change } = faultsOf(pkiEngine, 'pki')

const ORDINARY: Capability[] = ['create', 'read', 'update', 'delete', 'list']
const isRootDeletion = asks('DELETE', /^root$/)
const isSelfIssued = asks('POST', /^root\/sign-self-issued$/)

rule(
  'later-everything-is-sudo',
  ['CORE-CAP-15'],
  'who holds every ordinary capability deletes the root without sudo (001 4.2: DELETE root needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (needed === 'sudo' && isRootDeletion(call) && ORDINARY.every((name) => granted.has(name))),
  },
)

rule(
  'later-sudo-at-default-mount-only',
  ['CORE-CAP-15'],
  'sign-self-issued needs sudo only where the engine is mounted at pki/ (001 4.2: needs sudo; mounts can be mounted elsewhere)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (needed === 'sudo' && isSelfIssued(call) && call?.mount.path !== 'pki/' && !granted.has('deny')),
  },
)

rule(
  'later-denied-role-readable',
  ['CORE-CAP-01'],
  'a policy that denies a role does not keep its holder from reading the role (000 7: 403 no access; 404 may not view a path)',
  denyOverlooked(asks('GET', /^roles\/./)),
)

rule(
  'later-read-revokes',
  ['CORE-CAP-04'],
  'who may only read revokes certificates (000 7: 403 forbidden; 001 4.2: POST revoke)',
  countsAs('read', asks('POST', /^revoke$/), 'update'),
)

rule(
  'later-delete-writes-roles',
  ['CORE-CAP-04'],
  'who may only delete roles writes them, too (000 1.6: policies distinguish create and update; 000 7: 403 forbidden)',
  countsAs('delete', asks('POST', /^roles\/./), 'update'),
)

rule('later-chain-needs-token', ['PKI-CHAIN-02'], 'ca_chain is refused without a token (001 4.2: GET ca_chain is UNAUTHENTICATED)', {
  needsToken: (original) => (route) => route?.id === 'pki.readCaChain' || original(route),
})

rule(
  'later-serials-without-token',
  ['CORE-AUTH-01'],
  'the listing of certificates needs no token, as the read of one (001: all require a client token unless marked UNAUTHENTICATED)',
  { needsToken: (original) => (route) => route?.id !== 'pki.listCertificates' && original(route) },
)

rule(
  'later-no-bearer-for-issue',
  ['CORE-AUTH-07'],
  'issue does not take a token from the Authorization header (000 5.1: sent in X-Service-Token or as Bearer <token>)',
  bearerIgnored(({ path }) => /(^|\/)issue\/[^/]+$/.test(path)),
)

rule(
  'later-issue-after-revocation',
  ['CORE-AUTH-15'],
  'a token that has issued once issues after it was revoked (000 5.1: a client token is required; 000 7: 403 wrong credentials)',
  goodForEver(({ method, path }) => /^(POST|PUT)$/.test(method) && /(^|\/)issue\/[^/]+$/.test(path)),
)

rule(
  'later-refused-deletion-deletes',
  ['CORE-CAP-21'],
  'the deletion of a role by a caller who may not is 403, and the role is gone (000 7: 403 forbidden; it has no effect)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && asks('DELETE', /^roles\/./)(call)) (call?.state as PkiState | undefined)?.roles.delete(call?.params.name ?? '')
      return may
    },
  },
)

const issuers = noting((call) => call.token?.id)

change(
  'later-issuer-alone-revokes',
  ['CORE-CAP-06'],
  'a certificate is revoked only by the token that it was issued to (001 4.2: POST revoke, serial_number; any token with the capability)',
  {
    routes: {
      'pki.issue': issuers.noted,
      'pki.sign': issuers.noted,
      'pki.revoke': (original) => (call) => {
        const serial = typeof call.body.serial_number === 'string' ? call.rules.serialKey(textOf(call.body, 'serial_number')) : ''
        const issuer = issuers.notes(call.state).get(serial)
        if (issuer !== undefined && issuer !== call.token?.id) throw new ApiError(403, 'permission denied')
        return original(call)
      },
    },
  },
)
