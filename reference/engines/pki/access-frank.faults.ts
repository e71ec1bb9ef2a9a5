/** Faults of who may ask: tokens and their carriers, capabilities, namespaces, what is open to everyone. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isPkiCall, isPkiPath, isPkiState } from './frank-help.ts'

const core = faultsOf(coreEngine, 'pki')

const at =
  (method: string, path: RegExp) =>
  (call: Asked): boolean =>
    call !== undefined && isPkiCall(call) && call.method === method && path.test(call.path)

core.rule(
  'frank-everything-else-is-sudo',
  'CORE-CAP-15',
  'whoever may create, read, update, delete and list counts as having sudo (001 4.2: DELETE /pki/root, sign-self-issued need sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' &&
        isPkiCall(call) &&
        (['create', 'read', 'update', 'delete', 'list'] as const).every((capability) => granted.has(capability))),
  },
)

core.rule(
  'frank-no-sudo-in-namespaces',
  'PKI-DELETE-03',
  'below the root namespace nothing needs sudo (001 4.2: DELETE /pki/root needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' && call !== undefined && isPkiCall(call) && call.mount.namespace !== '' && !granted.has('deny')),
  },
)

core.rule(
  'frank-any-token-lists-certificates',
  'CORE-AUTH-03',
  'certificates are listed to whoever sends a token, be it one that nobody issued (001: all endpoints require a client token; 000 7: 403)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && token === undefined && /(^|\/)certs\/?$/.test(request.path) && isPkiPath(request)
        ? undefined
        : original(given, token, request),
  },
)

core.rule(
  'frank-ended-token-still-issues',
  'CORE-AUTH-15',
  'a token that has issued a certificate still does when it has ended (000 5: a client token is required; 000 7: 403 wrong credentials)',
  goodForEver((request) => /(^|\/)issue\/[^/]+$/.test(request.path) && isPkiPath(request)),
)

core.rule(
  'frank-bearer-cannot-list',
  'CORE-AUTH-07',
  'with the verb LIST a bearer token is not looked for (000 5: or in header Authorization as Bearer <token>)',
  bearerIgnored((request) => request.method === 'LIST' && isPkiPath(request)),
)

core.rule(
  'frank-denied-read-roles',
  'CORE-CAP-01',
  'a role is shown to callers to whom its path is denied (000 7: 403 forbidden, 404 when the caller may not view a path)',
  denyOverlooked(at('GET', /\/roles\/[^/]+$/)),
)

core.rule(
  'frank-readers-revoke',
  'CORE-CAP-04',
  'whoever may read may revoke (000 7: 403 forbidden; 000 5: create and update capabilities)',
  countsAs('read', at('POST', /\/revoke$/), 'update'),
)

core.rule(
  'frank-role-policy-goes-on',
  'CORE-CAP-04',
  'who may issue by a role may issue by roles whose names continue its name (000 7: 403 forbidden, no access; 001 4.2: issue by role)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)issue\/[^/*+]+$/.test(pattern) &&
        path.startsWith(pattern) &&
        !path.slice(pattern.length).includes('/') &&
        isPkiPath({ path })),
  },
)

core.rule(
  'frank-nested-namespace-header',
  'CORE-NS-01',
  'of a header that names a namespace below another the last part is lost (000 2.2: header <ns1>/<ns2>/ with path secret/foo)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const parts = (header ?? '').split('/').filter((part) => part !== '')
      return original(parts.length > 1 && isPkiPath(request) ? parts.slice(0, -1).join('/') : header, request, namespaces)
    },
  },
)

core.rule(
  'frank-header-ends-namespace',
  'CORE-NS-02',
  'where a header names a namespace, one below it cannot be named by the path (000 2.2: header <ns1>/ with path <ns2>/secret/foo)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = (header ?? '').split('/').filter((part) => part !== '')
      if (named.length === 0 || !isPkiPath({ path: effectivePath })) return original(effectivePath, namespaces, header)
      const whole = `${named.join('/')}/`
      return original(
        effectivePath,
        namespaces.filter((path) => whole.startsWith(path)),
        header,
      )
    },
  },
)

core.rule(
  'frank-refused-deletion-deletes',
  'CORE-CAP-15',
  'the CA key is gone although the caller was refused for want of sudo (001 4.2: DELETE /pki/root needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const allowed = original(granted, needed, call)
      if (allowed || needed !== 'sudo' || call?.method !== 'DELETE' || !isPkiState(call.state)) return allowed
      if (call.state.authority !== undefined) call.state.authority = { ...call.state.authority, key: undefined }
      return allowed
    },
  },
)

core.rule(
  'frank-bearer-has-no-sudo',
  'CORE-AUTH-07',
  'sudo is not honoured of a token in the Authorization header (000 5: sent in header X-Service-Token, or as Bearer)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) && !(needed === 'sudo' && isPkiCall(call) && call?.headers.authorization !== undefined),
  },
)
