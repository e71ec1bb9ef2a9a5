/** Faults of principals: users and hosts that certificates are for. */

import { faultsOf } from '../../faults/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import type { Role } from './state.ts'
import { asIf, type Handle } from './wrappers.ts'

const { rule, route, declared } = faultsOf(sshEngine)

rule('template-unasked', 'SSH-TEMPLATE-01', 'templates in allowed_users stand for the caller also where they are not enabled', {
  allowedUsers: (original) => asIf(() => ({ allowed_users_template: true }), original),
})
rule('ca-users-none', 'SSH-USERS-06', 'an empty list signs for anybody', {
  principalAllowed: (original) => (user, allowed) => allowed.length === 0 || original(user, allowed),
})
rule('ca-users-star', 'SSH-USERS-07', 'an asterisk is a name', {
  principalAllowed: () => (user, allowed) => allowed.includes(user),
})
rule('ca-users-first', 'SSH-USERS-08', 'the first name only is signed for', {
  principalAllowed: (original) => (user, allowed) => original(user, allowed.slice(0, 1)),
})
rule('root-never-listed', ['SSH-USERS-08', 'SSH-USERS-03'], 'a list of users that has root in it does not admit root', {
  allowedUsers: (original) => (role, token) => original(role, token).filter((name) => name !== 'root'),
})
rule('ca-users-unchecked', 'SSH-USERS-09', 'any list signs for anybody', {
  principalAllowed: (original) => (user, allowed) => allowed.length > 0 || original(user, allowed),
})
rule('ca-users-part', 'SSH-USERS-10', 'prolonged names are signed for', {
  principalAllowed: (original) => (user, allowed) => original(user, allowed) || allowed.some((name) => user.startsWith(name)),
})
/** Judges the first principal of a request only. */
const firstOnly =
  (rule: 'principalAllowed' | 'hostAllowed') =>
  (original: Handle): Handle =>
  (call) => {
    let judged = false
    const once =
      <P extends unknown[]>(judge: (...parameters: P) => boolean) =>
      (...parameters: P): boolean => {
        if (judged) return true
        judged = true
        return judge(...parameters)
      }
    return original({ ...call, rules: { ...call.rules, [rule]: once(call.rules[rule] as (...parameters: unknown[]) => boolean) } })
  }
route('ca-users-once', 'SSH-USERS-11', 'the first principal only is judged', 'ssh.signKey', firstOnly('principalAllowed'))
rule('ca-default-user-shut-out', 'SSH-DEFUSER-05', 'the default user is taken off the list', {
  allowedUsers: (original) => (role, token) => original(role, token).filter((name) => role.key_type !== 'ca' || name !== role.default_user),
})
rule('ca-default-user-let-in', 'SSH-DEFUSER-06', 'the default user is always signed for', {
  allowedUsers: (original) => (role, token) => [...original(role, token), ...(role.key_type === 'ca' ? entriesOf(role.default_user) : [])],
})
rule('ca-default-user-not-filled', 'SSH-DEFUSER-08', 'the default user is not filled in', { defaultPrincipals: () => () => [] })
rule('principals-more', 'SSH-SIGN-19', 'a certificate names everybody too', {
  requestedPrincipals: (original) => (text) => (original(text).length === 0 ? [] : [...original(text), 'everybody']),
  principalAllowed: (original) => (user, allowed) => user === 'everybody' || original(user, allowed),
})
rule('principals-first', 'SSH-SIGN-37', 'a certificate has the first principal only', {
  requestedPrincipals: (original) => (text) => original(text).slice(0, 1),
})
rule('principals-none', 'SSH-SIGN-21', 'certificates for nobody are valid for anybody', { mayNameNobody: () => () => true })
rule('template-never', 'SSH-TEMPLATE-02', 'templates are never expanded', {
  allowedUsers: (original) => asIf(() => ({ allowed_users_template: false }), original),
})
rule('template-only', 'SSH-TEMPLATE-03', 'beside templates plain names do not count', {
  allowedUsers: (original) => (role, token) =>
    original(role, token).filter((name) => !role.allowed_users_template || !entriesOf(role.allowed_users).includes(name)),
})
rule('template-not-for-otp', 'SSH-TEMPLATE-06', 'templates are for ca roles only', {
  allowedUsers: (original) => asIf((role) => ({ allowed_users_template: role.allowed_users_template && role.key_type === 'ca' }), original),
})
rule('template-anybody-otp', 'SSH-TEMPLATE-07', 'a template of an otp role stands for anybody', {
  allowedUsers: (original) => (role, token) => (role.allowed_users_template && role.key_type === 'otp' ? ['*'] : original(role, token)),
})
rule('template-value-split', ['SSH-TEMPLATE-04', 'SSH-TEMPLATE-07'], 'the value of a template counts as a list of users', {
  allowedUsers: (original) => (role, token) => original(role, token).flatMap((name) => name.split(',')),
})
rule('template-anybody', 'SSH-TEMPLATE-04', 'a template stands for anybody', {
  allowedUsers: (original) => (role, token) => (role.allowed_users_template ? ['*'] : original(role, token)),
})
/** Judges hosts as though the role said something else. */
const hosts = (change: (role: Role) => Partial<Role>) => ({
  hostAllowed: (original: SshRules['hostAllowed']) => asIf(change, original),
})
rule(
  'domains-none',
  'SSH-DOMAIN-01',
  'no domain is any domain',
  hosts((role) => ({ allowed_domains: role.allowed_domains || '*' })),
)
rule(
  'domains-star',
  'SSH-DOMAIN-02',
  'an asterisk is a domain',
  hosts((role) => ({ allowed_domains: role.allowed_domains.replace('*', 'star') })),
)
rule(
  'domains-unchecked',
  'SSH-DOMAIN-03',
  'a list allows every domain',
  hosts((role) => ({ allowed_domains: role.allowed_domains && '*' })),
)
rule(
  'domains-first',
  'SSH-DOMAIN-04',
  'the first domain only counts',
  hosts((role) => ({ allowed_domains: role.allowed_domains.split(',')[0] ?? '' })),
)
route('domains-once', 'SSH-DOMAIN-05', 'the first host only is judged', 'ssh.signKey', firstOnly('hostAllowed'))
rule(
  'bare-always',
  'SSH-BARE-01',
  'listed domains need no flag',
  hosts(() => ({ allow_bare_domains: true })),
)
rule(
  'bare-never',
  'SSH-BARE-02',
  'listed domains are never signed',
  hosts(() => ({ allow_bare_domains: false })),
)
rule(
  'bare-and-below',
  'SSH-BARE-03',
  'bare domains include subdomains',
  hosts((role) => ({ allow_subdomains: role.allow_subdomains || role.allow_bare_domains })),
)
rule(
  'subdomains-always',
  'SSH-SUBDOM-01',
  'subdomains need no flag',
  hosts(() => ({ allow_subdomains: true })),
)
rule(
  'subdomains-never',
  'SSH-SUBDOM-02',
  'subdomains are never signed',
  hosts(() => ({ allow_subdomains: false })),
)
rule(
  'subdomains-and-bare',
  'SSH-SUBDOM-03',
  'subdomains include the domain',
  hosts((role) => ({ allow_bare_domains: role.allow_bare_domains || role.allow_subdomains })),
)
rule('subdomains-by-end', 'SSH-SUBDOM-04', 'names that end alike are subdomains', {
  hostAllowed: (original) => (role, host) =>
    original(role, host) ||
    (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
})
rule('subdomains-one-label', 'SSH-SUBDOM-05', 'a subdomain has one label', {
  hostAllowed: (original) => (role, host) => {
    const domain = entriesOf(role.allowed_domains).find((name) => host.endsWith(`.${name}`))
    return original(role, host) && (domain === undefined || host.split('.').length === domain.split('.').length + 1)
  },
})
// Identity and access.
const firstExpanded = new WeakMap<object, string[]>()
rule('template-of-first-caller', 'SSH-TEMPLATE-04', 'identity templates of a role stand for its first caller', {
  allowedUsers: (original) => (role, token) => {
    if (!role.allowed_users_template) return original(role, token)
    const names = firstExpanded.get(role) ?? original(role, token)
    firstExpanded.set(role, names)
    return names
  },
})
rule('dot-of-domain', 'SSH-DOMAIN-03', 'a period within an allowed domain stands for any character of a host name', {
  hostAllowed: (original) => (role, host) =>
    original(role, host) ||
    (role.allow_subdomains &&
      entriesOf(role.allowed_domains).some((domain) => new RegExp(`[^.]\\.${domain.replace(/[*+?^${}()|[\]\\]/g, '\\$&')}$`).test(host))),
})
/** Looks for a name in the text of a list. */
const inText = (list: string, name: string): boolean => `,${list},`.includes(`,${name},`)
rule('users-found-in-text', 'SSH-USERS-10', 'several names of a list, with their comma, count as a user who is listed', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) || inText(role.allowed_users, user),
})
rule(
  'options-found-in-text',
  ['SSH-EXT-02', 'SSH-CRITOPT-03'],
  'several options of a list, with their comma, count as one that is listed',
  {
    forbiddenExtensions: (original) => (role, asked) => original(role, asked).filter((name) => !inText(role.allowed_extensions, name)),
    forbiddenCriticalOptions: (original) => (role, asked) =>
      original(role, asked).filter((name) => !inText(role.allowed_critical_options, name)),
  },
)
rule('ca-users-any-case', 'SSH-USERS-20', 'principals match allowed users of another letter case', {
  principalAllowed: (original) => (user, allowed) =>
    original(
      user.toLowerCase(),
      allowed.map((name) => name.toLowerCase()),
    ),
})

export const faults = declared
