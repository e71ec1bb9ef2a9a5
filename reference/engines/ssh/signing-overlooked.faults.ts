/** Faults of signed certificates that a hurried change would leave behind. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { nameOf } from './wrappers.ts'

const { rule, change } = faultsOf(sshEngine)

// Boundaries.
rule(
  'overlooked-lengths-apart',
  ['SSH-KEYLEN-02'],
  'a key is signed whose kind stands in one entry of the lengths and whose size in another',
  {
    keyLengthAllowed: (original) => (lengths, key) => {
      const names = [key.kind, key.algorithm, ...(key.kind === 'ecdsa' ? ['ec'] : [])]
      const isListed = names.some((name) => Object.hasOwn(lengths, name)) && Object.values(lengths).includes(key.bits)
      return isListed || original(lengths, key)
    },
  },
)

// Identity and access.
const firstExpanded = new WeakMap<object, string[]>()
rule('overlooked-template-of-first-caller', ['SSH-TEMPLATE-04'], 'identity templates of a role stand for its first caller', {
  allowedUsers: (original) => (role, token) => {
    if (!role.allowed_users_template) return original(role, token)
    const names = firstExpanded.get(role) ?? original(role, token)
    firstExpanded.set(role, names)
    return names
  },
})
const authors = remembered(() => new Map<string, string>())
change('overlooked-key-id-of-author', ['SSH-KEYFMT-01'], 'the key id is the display name of the token that wrote the role', {
  routes: {
    'ssh.writeRole': (original) => async (call) => {
      const given = await original(call)
      authors(call.state).set(nameOf(call), call.token?.displayName ?? '')
      return given
    },
    'ssh.signKey': (original) => (call) => {
      const defaultKeyId: typeof call.rules.defaultKeyId = (role, facts) =>
        call.rules.defaultKeyId(role, { ...facts, displayName: authors(call.state).get(nameOf(call)) ?? facts.displayName })
      return original({ ...call, rules: { ...call.rules, defaultKeyId } })
    },
  },
})

// Shape.
rule(
  'overlooked-critical-option-of-default',
  ['SSH-CRITOPT-03'],
  'a critical option outside the allowed list is signed where the defaults have its name',
  {
    forbiddenCriticalOptions: (original) => (role, requested) =>
      original(role, requested).filter((name) => !Object.hasOwn(role.default_critical_options, name)),
  },
)
rule('overlooked-dot-of-domain', ['SSH-DOMAIN-03'], 'a period within an allowed domain stands for any character of a host name', {
  hostAllowed: (original) => (role, host) =>
    original(role, host) ||
    (role.allow_subdomains &&
      entriesOf(role.allowed_domains).some((domain) => new RegExp(`[^.]\\.${domain.replace(/[*+?^${}()|[\]\\]/g, '\\$&')}$`).test(host))),
})
