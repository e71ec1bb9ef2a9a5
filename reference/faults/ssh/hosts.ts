/** Faults that show on a host: dynamic keys, and logins by certificate. */
import { generateKeyPairSync } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { builtInScript } from '../../engines/ssh/install-script.ts'
import { forgiving, nameOf, routeFault, ruleFault, type SshCall, sshFault, withData } from './shared.ts'

const isDynamic = (call: SshCall): boolean => call.state.roles.get(nameOf(call))?.key_type === 'dynamic'

/** A credential whose key was never installed. */
const notInstalled = (call: SshCall): ReturnType<typeof secret> => {
  const role = call.state.roles.get(nameOf(call))!
  return secret(
    call.rules.dynamicCredential(role, String(call.rules.newDynamicKey(role).privateKey.export({ type: 'pkcs1', format: 'pem' }))),
  )
}

const entering: Fault[] = [
  sshFault('dynamic-key-unregistered', 'SSH-KEYNAME-03', 'a role whose key is not registered issues keys that nobody installed', {
    rules: { unknownKeyAllowed: () => () => true },
    routes: {
      'ssh.createCredential': forgiving(
        notInstalled,
        (call) => isDynamic(call) && !call.state.keys.has(call.state.roles.get(nameOf(call))!.key),
      ),
    },
  }),
  routeFault(
    'dynamic-failure-ignored',
    ['SSH-KEYNAME-04', 'SSH-DYNCRED-15'],
    'a key is issued though its installation failed',
    'createCredential',
    forgiving(notInstalled, isDynamic),
  ),
  ruleFault('dynamic-enters-as-user', 'SSH-ADMIN-03', 'the host is entered as the default user', {
    entrance: (original) => (role, ip, key) => ({ ...original(role, ip, key), user: role.default_user }),
  }),
  ruleFault('dynamic-enters-at-22', 'SSH-PORT-05', 'the host is entered at port 22', {
    entrance: (original) => (role, ip, key) => ({ ...original(role, ip, key), port: 22 }),
  }),
  ruleFault('dynamic-stranger', 'SSH-USERS-12', 'lists of users do not bound dynamic roles', {
    userAllowed: (original) => (role, user, allowed) => role.key_type === 'dynamic' || original(role, user, allowed),
  }),
  ...(
    [
      [
        'star',
        'SSH-USERS-16',
        'an asterisk is a name to dynamic roles',
        (allowed) => allowed.filter((name) => name !== '*').concat('nobody'),
      ],
      ['first', 'SSH-USERS-17', 'dynamic roles admit the first name only', (allowed) => allowed.slice(0, 1)],
    ] as [name: string, clause: string, title: string, change: (allowed: string[]) => string[]][]
  ).map(([name, clause, title, change]) =>
    ruleFault(`dynamic-users-${name}`, clause, title, {
      userAllowed: (original) => (role, user, allowed) =>
        original(role, user, role.key_type === 'dynamic' && allowed.length > 0 ? change(allowed) : allowed),
    }),
  ),
  ruleFault('dynamic-users-without-default', 'SSH-USERS-18', 'the list of a dynamic role shuts the default user out', {
    userAllowed: (original) => (role, user, allowed) =>
      original(role.key_type === 'dynamic' ? { ...role, default_user: '' } : role, user, allowed),
  }),
  ruleFault('dynamic-anywhere', 'SSH-CIDR-11', 'dynamic roles issue for every address', {
    includedBlocks: (original) => (role) => (role.key_type === 'dynamic' ? ['0.0.0.0/0', '::/0'] : original(role)),
  }),
  ruleFault('dynamic-not-excluded', 'SSH-EXCL-07', 'dynamic roles ignore excluded blocks', {
    excludedBlocks: (original) => (role) => (role.key_type === 'dynamic' ? [] : original(role)),
  }),
  ruleFault('dynamic-no-administrator', 'SSH-USERS-13', 'the administrator must be on the list', {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && (user !== role.admin_user || allowed.includes(user)),
  }),
]

const installing: Fault[] = [
  ruleFault('dynamic-bits-default', 'SSH-BITS-01', 'dynamic keys have 2048 bits by default', {
    defaults: (original) => () => ({ ...original(), key_bits: 2048 }),
  }),
  ruleFault('dynamic-bits-ignored', 'SSH-BITS-02', 'dynamic keys always have 1024 bits', {
    newDynamicKey: (original) => (role) => original({ ...role, key_bits: 1024 }),
  }),
  ruleFault('dynamic-key-shared', 'SSH-DYNCRED-14', 'one key is issued to all', {
    newDynamicKey: (original) => {
      const made = new Map<number, ReturnType<typeof original>>()
      return (role) => {
        const key = made.get(role.key_bits) ?? original(role)
        made.set(role.key_bits, key)
        return key
      }
    },
  }),
  ruleFault('script-missing', 'SSH-SCRIPT-01', 'without a script of its own a role cannot install', {
    installScript: () => (role) => role.install_script || '#!/bin/sh\nexit 1\n',
  }),
  ruleFault('script-ignored', 'SSH-SCRIPT-02', 'the built-in script always installs', { installScript: () => () => builtInScript }),
  ruleFault('script-once', 'SSH-SCRIPT-03', "a role's own script does not run at the end", {
    uninstalls: (original) => (role) => original(role) && role.install_script === '',
  }),
  ruleFault('dynamic-key-stays', 'SSH-DYNCRED-13', 'keys stay on the host', { uninstalls: () => () => false }),
  ruleFault('dynamic-key-other', 'SSH-DYNCRED-12', 'the key in the answer is not the one installed', {
    dynamicCredential: (original) => (role) =>
      original(role, String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }))),
  }),
  ruleFault('dynamic-shows-defaults', 'SSH-DYNCRED-16', 'a credential shows the default port and length', {
    dynamicCredential: (original) => (role, privateKey) => original({ ...role, port: 22, key_bits: 1024 }, privateKey),
  }),
  ruleFault('dynamic-shows-one-user', 'SSH-DYNCRED-16', 'a credential shows the first listed user only', {
    dynamicCredential: (original) => (role, privateKey) =>
      original({ ...role, allowed_users: role.allowed_users.split(',')[0] ?? '' }, privateKey),
  }),
  routeFault(
    'dynamic-shows-registered',
    'SSH-KEY-07',
    "a credential shows the administrator's key",
    'createCredential',
    withData((data, call) => ({ ...data, admin_key: call.state.keys.get(call.state.roles.get(nameOf(call))?.key ?? '') ?? '' })),
  ),
  ruleFault('key-options-behind', 'SSH-OPTSPEC-01', 'the options stand behind the key', {
    authorizedLine: () => (role, publicKey) => `${publicKey} ${role.key_option_specs}`,
  }),
  routeFault('key-options-validated', 'SSH-OPTSPEC-02', 'unknown options are refused', 'writeRole', (original) => (call) => {
    if (String(call.body.key_option_specs ?? '').includes('no-such')) throw invalid('key_option_specs holds an unknown option')
    return original(call)
  }),
  ruleFault('key-deleted-kept', 'SSH-KEY-05', 'a deleted key stays usable', { deleteKey: () => () => true }),
]

const logins: Fault[] = [
  ruleFault('login-too-early', 'SSH-LOGIN-01', 'certificates begin in local time', { validAfter: () => (now) => now + 3600 }),
  ruleFault('login-for-others', 'SSH-LOGIN-02', 'certificates name the principals of earlier requests too', {
    requestedPrincipals: (original) => {
      const all = new Set<string>()
      return (text) => {
        for (const name of original(text)) all.add(name)
        return [...all]
      }
    },
  }),
  ruleFault('login-for-ever', 'SSH-LOGIN-03', 'certificates live an hour longer', {
    validBefore: (original) => (now, ttl) => original(now, ttl) + 3600,
  }),
  ruleFault('login-of-old-ca', 'SSH-LOGIN-04', 'a generated pair does not take the place of another', {
    replaceCa: (original) => (existing, pair) => existing ?? original(existing, pair),
  }),
  ruleFault('login-not-forced', 'SSH-LOGIN-05', 'critical options are checked and left out', { criticalOptions: () => () => ({}) }),
  ruleFault('host-as-user', 'SSH-LOGIN-06', 'host certificates are user certificates', {
    certificateType: () => () => 'user',
    typeAllowed: () => () => true,
    principalAllowed: () => () => true,
  }),
  ruleFault('host-of-any-name', 'SSH-LOGIN-07', 'a host certificate names no host', {
    requestedPrincipals: (original) => (text) => original(text).filter((name) => !name.includes('.')),
    mayNameNobody: () => () => true,
  }),
]

export const hostFaults: Fault[] = [...entering, ...installing, ...logins]
