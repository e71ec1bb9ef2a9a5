/** Faults of roles and of the names, keys and times of certificates that a hurried change would leave behind. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { Handle, PkiCall } from './wrappers.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine)

// Neighbours.
route(
  'overlooked-role-of-other-case',
  ['PKI-ROLE-05'],
  'the deletion of a role takes roles whose names differ in case along',
  'pki.deleteRole',
  (original) => (call) => {
    const { roles } = call.state
    const deleted = call.params.name!.toLowerCase()
    for (const name of [...roles.keys()]) if (name.toLowerCase() === deleted) roles.delete(name)
    return original(call)
  },
)
const lastUsages = remembered<{ list: string[] }>(() => ({ list: [] }))
route(
  'overlooked-usages-of-other-role',
  ['PKI-ROLE-05'],
  'a role that names no extended usages gets those of the role that last named some',
  'pki.writeRole',
  (original: Handle) => async (call) => {
    const last = lastUsages(call.state)
    const isGiven = call.body.ext_key_usage !== undefined && call.body.ext_key_usage !== null
    const given = await original(isGiven ? call : { ...call, body: { ...call.body, ext_key_usage: last.list } })
    last.list = call.state.roles.get(call.params.name!)?.ext_key_usage ?? []
    return given
  },
)

// Boundaries.
rule('overlooked-longer-oid', ['PKI-OTHERSANS-03'], 'where any value of an OID is allowed, so is any OID that begins like it', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) ||
    role.allowed_other_sans.some((entry) => {
      const allowed = parseOtherName(entry)
      return allowed?.value === '*' && name.oid.startsWith(allowed.oid)
    }),
})
rule('overlooked-not-before-of-zero', ['PKI-NOTBEFORE-02'], 'a backdating of zero is taken for none and becomes the default', {
  validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
})

// Time and order.
const formerDomains = remembered(() => new Map<string, string[]>())
change('overlooked-domains-of-deleted-role', ['PKI-ROLE-05'], 'a role made anew under a deleted name has the domains of the deleted one', {
  routes: {
    'pki.deleteRole': (original) => (call) => {
      const role = call.state.roles.get(call.params.name!)
      if (role !== undefined) formerDomains(call.state).set(call.params.name!, role.allowed_domains)
      return original(call)
    },
    'pki.writeRole': (original) => (call) => {
      const former = call.state.roles.has(call.params.name!) ? undefined : formerDomains(call.state).get(call.params.name!)
      return original(former === undefined ? call : { ...call, body: { allowed_domains: former, ...call.body } })
    },
  },
})
const issuers = remembered(() => new Map<string, JsonObject[string]>())
route(
  'overlooked-issuer-of-first-use',
  ['PKI-SIGN-02', 'PKI-ISSUE-02'],
  'a role that issued under a former CA goes on showing that one as the issuer',
  ['pki.issue', 'pki.sign'],
  replyData<PkiCall>((data, call) => {
    const kind = JSON.stringify([call.params.name, call.body.format === 'der'])
    const seen = issuers(call.state)
    if (!seen.has(kind)) seen.set(kind, data.issuing_ca!)
    return { ...data, issuing_ca: seen.get(kind)! }
  }),
)

// Shape.
route(
  'overlooked-exclusion-as-text',
  ['PKI-INTER-18'],
  'an intermediate keeps its common name among the alternative names where the exclusion comes as a string',
  'pki.signIntermediate',
  (original) => (call) =>
    typeof call.body.exclude_cn_from_sans === 'string' ? requestWithout<PkiCall>('exclude_cn_from_sans')(original)(call) : original(call),
)
route(
  'overlooked-key-form-of-der',
  ['PKI-KEYFORMAT-04'],
  'the form of the private key is ignored where the format is der',
  'pki.issue',
  (original) => (call) => (call.body.format === 'der' ? requestWithout<PkiCall>('private_key_format')(original)(call) : original(call)),
)
