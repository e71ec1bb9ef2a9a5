import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { asIf } from './wrappers.ts'

const { rule } = faultsOf(sshEngine)

rule(
  'access-ca-default-user',
  ['SSH-DEFUSER-06'],
  'the default user of a ca role may be asked for though it is not among the allowed users (000 4.4, default_user)',
  {
    allowedUsers: (original) => (role, token) =>
      role.key_type === 'ca' && role.default_user !== '' ? [...original(role, token), role.default_user] : original(role, token),
  },
)

rule('access-otp-no-root', ['SSH-USERS-01'], 'root must be listed where allowed_users is empty (000 4.4, any user including admin)', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) && !(user === 'root' && allowed.length === 0),
})

rule(
  'access-template-unasked',
  ['SSH-TEMPLATE-01'],
  'templates in allowed_users stand for the caller also where they are not enabled (000 4.4, allowed_users_template)',
  {
    allowedUsers: (original) => asIf(() => ({ allowed_users_template: true }), original),
  },
)

rule(
  'access-template-only',
  ['SSH-TEMPLATE-03'],
  'where templates are enabled plain names are no longer allowed (000 4.4, non-templated users also permitted)',
  {
    allowedUsers: (original) =>
      asIf(
        (role) =>
          role.allowed_users_template
            ? {
                allowed_users: entriesOf(role.allowed_users)
                  .filter((name) => name.includes('{{'))
                  .join(','),
              }
            : {},
        original,
      ),
  },
)

rule('access-either-type', ['SSH-USERCERT-01'], 'a role that signs for hosts signs for users too (000 4.4, allow_user_certificates)', {
  typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates),
})

rule(
  'access-domain-suffix',
  ['SSH-SUBDOM-04'],
  'a host whose name only ends in the letters of a listed domain counts as its subdomain (000 4.4, allow_subdomains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)
