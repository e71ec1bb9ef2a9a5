import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

route(
  'shape-get-list-without-info',
  ['SSH-ROLE-06'],
  'a listing by GET with list=true has no key_info (000 1.5 and 4.4, LIST roles)',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

rule(
  'shape-empty-as-null',
  ['SSH-CAREAD-06', 'SSH-CAREAD-07'],
  'an empty text of a role reads as null (000 4.4, role fields are strings)',
  {
    readRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([name, value]) => [name, value === '' && name !== 'ttl' && name !== 'max_ttl' ? null : value]),
      ),
  },
)

rule(
  'shape-extensions-as-text',
  ['SSH-DEFEXT-05', 'SSH-CAREAD-09'],
  'default_extensions reads as JSON text (000 4.4, map string to string)',
  {
    readRole: (original) => (role) => {
      const shown = original(role)
      return role.key_type === 'ca' ? { ...shown, default_extensions: JSON.stringify(role.default_extensions) } : shown
    },
  },
)

route(
  'shape-key-comment',
  ['SSH-SIGN-31'],
  'a public key with a comment is refused (000 4.4, sign public_key)',
  'ssh.signKey',
  (original) => (call) => {
    const line = call.body.public_key
    if (typeof line === 'string' && line.trim().split(/\s+/).length > 2) throw invalid('public_key is not an SSH public key')
    return original(call)
  },
)

const ROLE_ROUTES = ['ssh.writeRole', 'ssh.readRole', 'ssh.deleteRole', 'ssh.createCredential', 'ssh.signKey']
const renamed =
  (change: (name: string) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call.params.name ?? '') } })

route(
  'shape-name-extension',
  ['SSH-ROLE-03'],
  'what follows a period in a role name is dropped, so that two roles are one (000 4.4, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.replace(/\.[^.]+$/, '')),
)

route(
  'shape-name-case',
  ['SSH-ROLE-03'],
  'role names that differ by case are one role (000 4.4, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.toLowerCase()),
)
