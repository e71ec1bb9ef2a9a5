/** Faults of who may ask and for whom: tokens and their carriers, capabilities, namespaces, users, options. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { isSshCall, isSshPath, operationSeen } from './plain-help.ts'
import type { Role } from './state.ts'

const { rule } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

const bearerOperation = operationSeen()

core.rule(
  'plain-bearer-unknown',
  'CORE-AUTH-07',
  'key and zero-address routes take the token from its own header only (000 5.1: or Authorization as Bearer)',
  {
    needsToken: bearerOperation.needsToken,
    ...bearerIgnored(() => bearerOperation.isOneOf('ssh.writeKey', 'ssh.deleteKey', 'ssh.readZeroAddress', 'ssh.writeZeroAddress')),
  },
)

const openOperations = ['ssh.verifyOtp', 'ssh.readPublicKey']
const openOperation = operationSeen()

core.rule(
  'plain-open-routes-check-tokens',
  'CORE-AUTH-18',
  'unauthenticated routes refuse a caller who brings a bad or weak token (000 5.3: POST verify, GET public_key)',
  {
    needsToken: (original) => {
      const seeing = openOperation.needsToken(original)
      return (route) => seeing(route) || openOperations.includes(route?.id ?? '')
    },
    callerRefused: (original) => (given, token, request) =>
      given === undefined && openOperation.isOneOf(...openOperations) ? undefined : original(given, token, request),
  },
)

core.rule(
  'plain-create-updates',
  'CORE-CAP-07',
  'who may only create roles may update them, too (000 1.6: create or update, policies distinguish the capabilities)',
  countsAs('create', (call) => isSshCall(call) && /(^|\/)roles\/[^/]+$/.test(call.path), 'update'),
)

core.rule(
  'plain-read-issues',
  'CORE-CAP-04',
  'who may only read creds/:name gets credentials by POST (000 7: 403 no access; 1.6: create and update of writes)',
  countsAs('read', (call) => isSshCall(call) && /(^|\/)creds\/[^/]+$/.test(call.path), 'update'),
)

const issuing = operationSeen()

core.rule(
  'plain-ended-token-issues',
  'CORE-AUTH-15',
  'a token that got a credential once gets more after its end (000 5.1: a client token is required)',
  {
    needsToken: issuing.needsToken,
    ...goodForEver(() => issuing.isOneOf('ssh.createCredential')),
  },
)

core.rule(
  'plain-outer-namespace-only',
  'CORE-NS-01',
  'of several namespaces in the header only the first counts (000 2.2: header <ns1>/<ns2>/)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const [first] = (header ?? '').split('/').filter((segment) => segment !== '')
      return original(isSshPath(request) ? first : header, request, namespaces)
    },
  },
)

rule(
  'plain-template-shuts-out-names',
  'SSH-TEMPLATE-03',
  'with allowed_users_template plain names no longer count (000 4.4: non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token) => {
      if (!role.allowed_users_template) return original(role, token)
      const templates = entriesOf(role.allowed_users).filter((name) => name === '*' || name.includes('{{'))
      return templates.length === 0 ? original(role, token) : original({ ...role, allowed_users: templates.join(',') }, token)
    },
  },
)

rule(
  'plain-default-user-signed',
  'SSH-DEFUSER-06',
  'the default_user of a ca role is a principal without being listed (000 4.4: only if also in allowed_users)',
  {
    allowedUsers: (original) => (role, token) => {
      const names = original(role, token)
      return role.key_type === 'ca' && role.default_user !== '' ? [...names, role.default_user] : names
    },
  },
)

rule(
  'plain-host-role-signs-users',
  'SSH-USERCERT-01',
  'a role for host certificates signs user certificates, too (000 4.4: allow_user_certificates, false)',
  {
    typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates),
  },
)

rule(
  'plain-format-permits-key-id',
  'SSH-KEYID-01',
  'a role with key_id_format takes the id of the caller (000 4.4: allow_user_key_ids, when false never)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (requested !== '' && role.key_id_format !== ''),
  },
)

const firstCallers = new WeakMap<Role, string>()

rule(
  'plain-key-id-of-first-caller',
  'SSH-KEYID-03',
  'all certificates of a role name its first caller (000 4.4: key_id, the token display name)',
  {
    defaultKeyId: (original) => (role, facts) => {
      const displayName = firstCallers.get(role) ?? facts.displayName
      firstCallers.set(role, displayName)
      return original(role, { ...facts, displayName })
    },
  },
)

core.rule(
  'plain-ca-without-token',
  'CORE-AUTH-01',
  'GET config/ca is answered without a token (000 5.1, 5.3: unauthenticated are verify and public_key)',
  {
    needsToken: (original) => (route) => route?.id !== 'ssh.readCa' && original(route),
  },
)
