/** Faults that show on a host: dynamic keys, and logins by certificate. */

import { generateKeyPairSync } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { brokenAfterFailure } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyData } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { builtInScript } from './install-script.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

/** A credential whose key was never installed. */
const notInstalled = (call: SshCall): ReturnType<typeof secret> => {
  const role = call.state.roles.get(nameOf(call))!
  return secret(
    call.rules.dynamicCredential(role, String(call.rules.newDynamicKey(role).privateKey.export({ type: 'pkcs1', format: 'pem' }))),
  )
}
const isDynamic = (call: SshCall): boolean => call.state.roles.get(nameOf(call))?.key_type === 'dynamic'
change('dynamic-key-unregistered', 'SSH-KEYNAME-03', 'a role whose key is not registered issues keys that nobody installed', {
  rules: { unknownKeyAllowed: () => () => true },
  routes: {
    'ssh.createCredential': insteadOfRefusal(
      notInstalled,
      (call) => isDynamic(call) && !call.state.keys.has(call.state.roles.get(nameOf(call))!.key),
    ),
  },
})
change('dynamic-failure-ignored', ['SSH-KEYNAME-04', 'SSH-DYNCRED-15'], 'a key is issued though its installation failed', {
  routes: { 'ssh.createCredential': insteadOfRefusal(notInstalled, isDynamic) },
})
rule('dynamic-enters-as-user', 'SSH-ADMIN-03', 'the host is entered as the default user', {
  entrance: (original) => (role, ip, key) => ({ ...original(role, ip, key), user: role.default_user }),
})
rule('dynamic-enters-at-22', 'SSH-PORT-05', 'the host is entered at port 22', {
  entrance: (original) => (role, ip, key) => ({ ...original(role, ip, key), port: 22 }),
})
rule('dynamic-stranger', 'SSH-USERS-12', 'lists of users do not bound dynamic roles', {
  userAllowed: (original) => (role, user, allowed) => role.key_type === 'dynamic' || original(role, user, allowed),
})
for (const [name, clause, title, change] of [
  ['star', 'SSH-USERS-16', 'an asterisk is a name to dynamic roles', (allowed) => allowed.filter((name) => name !== '*').concat('nobody')],
  ['first', 'SSH-USERS-17', 'dynamic roles admit the first name only', (allowed) => allowed.slice(0, 1)],
] as [name: string, clause: string, title: string, change: (allowed: string[]) => string[]][])
  rule(`dynamic-users-${name}`, clause, title, {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, role.key_type === 'dynamic' && allowed.length > 0 ? change(allowed) : allowed),
  })
rule('dynamic-users-without-default', 'SSH-USERS-18', 'the list of a dynamic role shuts the default user out', {
  userAllowed: (original) => (role, user, allowed) =>
    original(role.key_type === 'dynamic' ? { ...role, default_user: '' } : role, user, allowed),
})
rule('dynamic-anywhere', 'SSH-CIDR-11', 'dynamic roles issue for every address', {
  includedBlocks: (original) => (role) => (role.key_type === 'dynamic' ? ['0.0.0.0/0', '::/0'] : original(role)),
})
rule('dynamic-not-excluded', 'SSH-EXCL-07', 'dynamic roles ignore excluded blocks', {
  excludedBlocks: (original) => (role) => (role.key_type === 'dynamic' ? [] : original(role)),
})
rule('dynamic-no-administrator', 'SSH-USERS-13', 'the administrator must be on the list', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) && (user !== role.admin_user || allowed.includes(user)),
})
rule('dynamic-bits-default', 'SSH-BITS-01', 'dynamic keys have 2048 bits by default', {
  defaults: (original) => () => ({ ...original(), key_bits: 2048 }),
})
rule('dynamic-bits-ignored', 'SSH-BITS-02', 'dynamic keys always have 1024 bits', {
  newDynamicKey: (original) => (role) => original({ ...role, key_bits: 1024 }),
})
rule('dynamic-key-shared', 'SSH-DYNCRED-14', 'one key is issued to all', {
  newDynamicKey: (original) => {
    const made = new Map<number, ReturnType<typeof original>>()
    return (role) => {
      const key = made.get(role.key_bits) ?? original(role)
      made.set(role.key_bits, key)
      return key
    }
  },
})
rule('script-missing', 'SSH-SCRIPT-01', 'without a script of its own a role cannot install', {
  installScript: () => (role) => role.install_script || '#!/bin/sh\nexit 1\n',
})
rule('script-ignored', 'SSH-SCRIPT-02', 'the built-in script always installs', { installScript: () => () => builtInScript })
rule('script-once', 'SSH-SCRIPT-03', "a role's own script does not run at the end", {
  uninstalls: (original) => (role) => original(role) && role.install_script === '',
})
const nothing = '#!/bin/sh\n'
rule('built-in-installs-nothing', 'SSH-DYNCRED-12', 'the built-in script installs nothing', {
  installScript: () => (role) => role.install_script || nothing,
})
rule('built-in-key-stays', 'SSH-DYNCRED-13', 'the built-in script removes nothing', {
  uninstalls: (original) => (role) => original(role) && role.install_script !== '',
})
rule('dynamic-key-other', 'SSH-DYNCRED-12', 'the key in the answer is not the one installed', {
  dynamicCredential: (original) => (role) =>
    original(role, String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }))),
})
rule('dynamic-shows-one-user', 'SSH-DYNCRED-16', 'a credential shows the first listed user only', {
  dynamicCredential: (original) => (role, privateKey) =>
    original({ ...role, allowed_users: role.allowed_users.split(',')[0] ?? '' }, privateKey),
})
change('dynamic-shows-registered', 'SSH-KEY-07', "a credential shows the administrator's key", {
  routes: {
    'ssh.createCredential': replyData((data, call) => ({
      ...data,
      admin_key: call.state.keys.get(call.state.roles.get(nameOf(call))?.key ?? '') ?? '',
    })),
  },
})
rule('key-options-behind', 'SSH-OPTSPEC-01', 'the options stand behind the key', {
  authorizedLine: () => (role, publicKey) => `${publicKey} ${role.key_option_specs}`,
})
route('key-options-validated', 'SSH-OPTSPEC-02', 'unknown options are refused', 'ssh.writeRole', (original) => (call) => {
  if (String(call.body.key_option_specs ?? '').includes('no-such')) throw invalid('key_option_specs holds an unknown option')
  return original(call)
})
rule('key-deleted-kept', 'SSH-KEY-05', 'a deleted key stays usable', { deleteKey: () => () => true })
rule('login-too-early', 'SSH-LOGIN-01', 'certificates begin in local time', { validAfter: () => (now) => now + 3600 })
rule('login-for-others', 'SSH-LOGIN-02', 'certificates name the principals of earlier requests too', {
  requestedPrincipals: (original) => {
    const all = new Set<string>()
    return (text) => {
      for (const name of original(text)) all.add(name)
      return [...all]
    }
  },
})
rule('login-for-ever', 'SSH-LOGIN-03', 'certificates live an hour longer', {
  validBefore: (original) => (now, ttl) => original(now, ttl) + 3600,
})
rule('login-of-old-ca', 'SSH-LOGIN-04', 'a generated pair does not take the place of another', {
  replaceCa: (original) => (existing, pair) => existing ?? original(existing, pair),
})
rule('login-not-forced', 'SSH-LOGIN-05', 'critical options are checked and left out', { criticalOptions: () => () => ({}) })
rule('host-as-user', 'SSH-LOGIN-06', 'host certificates are user certificates', {
  certificateType: () => () => 'user',
  typeAllowed: () => () => true,
  principalAllowed: () => () => true,
})
rule('host-of-any-name', 'SSH-LOGIN-07', 'a host certificate names no host', {
  requestedPrincipals: (original) => (text) => original(text).filter((name) => !name.includes('.')),
  mayNameNobody: () => () => true,
})
change('dynamic-broken-by-failure', 'SSH-DYNCRED-17', 'a role whose host could not be entered once fails from then on', {
  routes: {
    'ssh.createCredential': brokenAfterFailure<SshCall>((call) => call.state.roles.get(nameOf(call)), 'the host cannot be entered'),
  },
})

export const faults = declared
