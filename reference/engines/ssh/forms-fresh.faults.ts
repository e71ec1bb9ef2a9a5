/** Faults of forms: verbs, spellings, types, empty values, and what another route shows. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshCall } from './loose-wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

route(
  'fresh-list-by-get-without-key-info',
  ['SSH-ROLE-06'],
  'a listing by GET with list=true lacks key_info, which LIST shows (000 1.5 and 4.4: data.keys and data.key_info)',
  'ssh.listRoles',
  replyData((data, call: SshCall) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

core.rule('fresh-verify-without-put', ['CORE-WRITE-01'], 'verify answers PUT with 405 (000 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) => {
    if (request.method === 'PUT' && /(^|\/)verify$/.test(request.path)) throw new ApiError(405, 'unsupported operation')
    return original(bytes, request)
  },
})

rule(
  'fresh-ipv6-compared-as-text',
  ['SSH-LOOKUP-02'],
  'an IPv6 address lies in a block where its text begins like the text of the block (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      block.family === 'ipv6' && address.includes(':') ? address.startsWith(block.address.replace(/::$/, '')) : original(block, address),
  },
)

rule(
  'fresh-extension-values-lost',
  ['SSH-DEFEXT-03'],
  'extensions come into a certificate without their values (000 4.4: default_extensions and extensions, map string to string)',
  {
    extensions: (original) => (role, requested) => Object.fromEntries(Object.keys(original(role, requested)).map((name) => [name, ''])),
  },
)

const inMinutes = (text: string): string => text.replace(/m[\d.]+s$/, 'm0s')

rule(
  'fresh-role-ttl-read-in-minutes',
  ['SSH-MAXTTL-03'],
  'a read of a ca role shows ttl and max_ttl above a minute without their seconds (000 4.4: ttl, max_ttl in the read row)',
  {
    readRole: (original) => (role) => {
      const shown = original(role)
      if (role.key_type !== 'ca') return shown
      return { ...shown, ttl: inMinutes(String(shown.ttl)), max_ttl: inMinutes(String(shown.max_ttl)) }
    },
  },
)

rule(
  'fresh-key-id-format-variable-once',
  ['SSH-KEYFMT-04'],
  'a variable that stands twice in key_id_format is filled in once only (000 4.4: key_id_format, variables)',
  {
    defaultKeyId: (original) => (role, facts) =>
      role.key_id_format === ''
        ? original(role, facts)
        : role.key_id_format
            .replace('{{token_display_name}}', () => facts.displayName)
            .replace('{{role_name}}', () => facts.roleName)
            .replace('{{public_key_hash}}', () => facts.publicKeyHash),
  },
)

route(
  'fresh-listed-names-escaped',
  ['SSH-ROLE-05'],
  'a listing shows names as they are escaped in a URL, not as they are (000 4.4: data.keys (names))',
  'ssh.listRoles',
  replyData((data) => (Array.isArray(data.keys) ? { ...data, keys: data.keys.map((name) => encodeURIComponent(String(name))) } : data)),
)

core.rule(
  'fresh-wrong-method-404-on-open-paths',
  ['CORE-STATUS-08'],
  'verify and public_key answer a method that they do not have with 404 (000 7: 405 unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.every(({ unauthenticated }) => unauthenticated) ? 404 : original(method, routes),
  },
)

core.rule(
  'fresh-sign-needs-content-type',
  ['CORE-MEDIA-02'],
  'sign overlooks a body that comes without Content-Type (000 2.1: clients need not send it)',
  {
    parseBody: (original) => (bytes, request) =>
      /(^|\/)sign\/[^/]+$/.test(request.path) && !request.headers['content-type'] ? { text: '{}', body: {} } : original(bytes, request),
  },
)

rule(
  'fresh-empty-cidr-list-not-read',
  ['SSH-OTPREAD-01'],
  'a read of an otp or dynamic role without blocks lacks cidr_list (000 4.4: role fields of the read row)',
  {
    readRole: (original) => (role) => {
      const { cidr_list, ...rest } = original(role)
      return cidr_list === undefined || cidr_list === '' ? rest : { cidr_list, ...rest }
    },
  },
)

core.rule(
  'fresh-two-trailing-periods',
  ['CORE-PERIOD-01'],
  'a name that ends in two periods is taken (000 2.1: a path parameter must not end in a period)',
  { pathParameterAllowed: (original) => (value) => value.endsWith('..') || original(value) },
)
