/** Faults of rolesets: what is taken, kept and shown of them, and what goes with them. */

import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, reply, replyData, requestBody, requestNestedAs } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Roleset } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

rule('no-scopes-left-out', 'CLOUDC-SET-20', 'an update with an empty list of scopes keeps the scopes', {
  scopesOf: (original) => (body, type) => {
    const scopes = original(body, type)
    return scopes?.length === 0 ? undefined : scopes
  },
})
rule('no-scopes-null', 'CLOUDC-SET-11', 'a roleset without scopes is read with null for them', {
  shownRoleset: (original) => (roleset, bindings) => {
    const shown: JsonObject = original(roleset, bindings)
    return roleset.scopes.length > 0 ? shown : { ...shown, token_scopes: null }
  },
})
change('set-not-made', 'CLOUDC-SET-01', 'a roleset of more than one scope is acknowledged and not made', {
  routes: {
    'cloudc.writeRoleset': (original) => (call) =>
      Array.isArray(call.body.token_scopes) && call.body.token_scopes.length > 1 && !call.state.rolesets.has(call.params.name ?? '')
        ? empty()
        : original(call),
  },
})
route('set-unreadable', 'CLOUDC-SET-02', 'rolesets cannot be read', 'cloudc.readRoleset', () => () => {
  throw new ApiError(405, 'unsupported operation')
})
rule('set-type-default', 'CLOUDC-SET-03', 'keys are the default', {
  secretTypeOf: (original) => (body, before) => original({ secret_type: before?.secretType ?? 'service_account_key', ...body }, before),
  scopesOf: () => (body) => (Array.isArray(body.token_scopes) ? (body.token_scopes as string[]) : undefined),
})
rule('set-type-shown', 'CLOUDC-SET-04', 'every roleset reads as one for tokens', {
  shownRoleset: (original) => (roleset, bindings) => ({ ...original(roleset, bindings), secret_type: 'access_token' }),
})
rule('set-type-any', 'CLOUDC-SET-05', 'an unknown secret type stands for tokens', {
  secretTypeOf: (original) => (body, before) => {
    try {
      return original(body, before)
    } catch {
      return 'access_token'
    }
  },
})
rule('set-project-default', 'CLOUDC-SET-06', 'without a project that of the credentials is taken', {
  projectOf: (original) => (body, before) =>
    original({ project: /projects\/([a-z0-9-]+)/.exec(String(body.bindings))?.[1] ?? 'p', ...body }, before),
})
rule('set-bindings-optional', 'CLOUDC-SET-07', 'without bindings there are none', {
  bindingsTextOf: () => (body) => (typeof body.bindings === 'string' ? body.bindings : 'none'),
  bindingsOf: (original) => async (text) => (text === 'none' ? {} : original(text)),
})
rule('set-project-shown', 'CLOUDC-SET-08', 'the project is shown as the account’s domain', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    service_account_project: roleset.account.email.split('@')[1]!,
  }),
})
rule('set-email-shown', 'CLOUDC-SET-09', 'the name of the account is shown without its domain', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    service_account_email: roleset.account.email.split('@')[0]!,
  }),
})
rule('set-scopes-first', 'CLOUDC-SET-10', 'the first scope is shown only', {
  shownRoleset: (original) => (roleset, bindings) => ({ ...original(roleset, bindings), token_scopes: roleset.scopes.slice(0, 1) }),
})
rule('set-scopes-of-keys', 'CLOUDC-SET-12', 'a roleset for keys keeps scopes', {
  scopesOf: (original) => (body) => original(body, 'access_token'),
})
change('set-unknown-empty', 'CLOUDC-SET-13', 'an unknown roleset reads as an empty one', {
  routes: {
    'cloudc.readRoleset': insteadOfRefusal(() =>
      secret({ secret_type: 'access_token', service_account_email: '', service_account_project: '', bindings: {}, token_scopes: [] }),
    ),
  },
})
change('set-list-tokens', 'CLOUDC-SET-14', 'rolesets for tokens are listed only', {
  routes: {
    'cloudc.listRolesets': (original) => (call) =>
      replyData<typeof call>((data) => ({
        keys: (data.keys as string[]).filter((name) => call.state.rolesets.get(name)?.secretType === 'access_token'),
      }))(original)(call),
  },
})
route('set-delete-lost', 'CLOUDC-SET-15', 'a deletion is acknowledged and does nothing', 'cloudc.deleteRoleset', () => () => empty())
rule('set-account-left', 'CLOUDC-SET-16', 'a deletion leaves the account', { deletesAccount: () => () => false })
rule('set-rights-left', 'CLOUDC-SET-17', 'a deletion leaves the rights', { takesBack: () => () => false })
rule('set-project-updated', 'CLOUDC-SET-18', 'another project is taken and shown', {
  refusesFixed: () => (wanted, before) => void Object.assign(before, { project: wanted.project }),
})
rule('set-type-updated', 'CLOUDC-SET-19', 'another secret type is taken', {
  refusesFixed: () => (wanted, before) => void Object.assign(before, { secretType: wanted.secretType }),
})
const firstTypes = new Map<string, string>()
change('set-again-read', 'CLOUDC-SET-21', 'a roleset that is made again shows the deleted one’s type', {
  routes: {
    'cloudc.readRoleset': (original) => (call) => {
      const first = firstTypes.get(`${call.mount.path}${call.params.name}`)
      const now = call.state.rolesets.get(call.params.name ?? '')
      if (now !== undefined && first === undefined) firstTypes.set(`${call.mount.path}${call.params.name}`, now.secretType)
      return replyData<typeof call>((data) => ({ ...data, secret_type: first ?? data.secret_type! }))(original)(call)
    },
  },
})
const shared = new Map<string, Roleset['account']>()
rule('set-shared-account', 'CLOUDC-SET-22', 'rolesets of one project share an account', {
  storedRoleset: () => (made) => {
    const account = shared.get(made.project) ?? made.account
    shared.set(made.project, account)
    return { ...made, account }
  },
})
route('set-objects', 'CLOUDC-SET-23', 'an object counts as no secret type', 'cloudc.writeRoleset', requestNestedAs('secret_type'))
change('set-scope-objects', 'CLOUDC-SET-24', 'scopes other than texts are left out', {
  routes: {
    'cloudc.writeRoleset': requestBody((body) =>
      Array.isArray(body.token_scopes) ? { ...body, token_scopes: body.token_scopes.filter((scope) => typeof scope === 'string') } : body,
    ),
  },
})
const everywhere = new Map<string, Roleset>()
route('set-every-mount', 'CLOUDC-SET-28', 'a roleset is read in every mount', 'cloudc.readRoleset', (original) => (call) => {
  const name = call.params.name ?? ''
  const own = call.state.rolesets.get(name)
  if (own !== undefined) everywhere.set(name, own)
  const known = own ?? everywhere.get(name)
  if (known === undefined) throw invalid('no such roleset').with(404)
  return own === undefined ? secret(call.rules.shownRoleset(known, known.bindings)) : original(call)
})
const oldScopes = remembered(() => new Map<string, string[]>())
change('recreated-with-old-scopes', 'CLOUDC-SET-11', 'a roleset that is made again without scopes gets those from before its deletion', {
  routes: {
    'cloudc.deleteRoleset': (original) => (call) => {
      const roleset = call.state.rolesets.get(nameOf(call))
      if (roleset !== undefined) oldScopes(call.state).set(nameOf(call), roleset.scopes)
      return original(call)
    },
    'cloudc.writeRoleset': (original) => async (call) => {
      const isNew = !call.state.rolesets.has(nameOf(call))
      const reply = await original(call)
      const roleset = call.state.rolesets.get(nameOf(call))
      const scopes = oldScopes(call.state).get(nameOf(call))
      if (isNew && roleset?.secretType === 'access_token' && scopes !== undefined && call.body.token_scopes === undefined)
        call.state.rolesets.set(nameOf(call), { ...roleset, scopes })
      return reply
    },
  },
})
rule('scopes-in-lower-case', 'CLOUDC-SET-10', 'scopes are kept in lower case', {
  scopesOf: (original) => (body, type) => original(body, type)?.map((scope) => scope.toLowerCase()),
})
change('names-encoded', 'CLOUDC-SET-14', 'a listing shows names as they are escaped in a URL', {
  routes: {
    'cloudc.listRolesets': reply<CloudcCall>((given) => {
      const body = given.body as JsonObject
      const { keys } = body.data as { keys: string[] }
      return { ...given, body: { ...body, data: { keys: keys.map((name) => encodeURIComponent(name)) } } }
    }),
  },
})
route(
  'set-renamed',
  'CLOUDC-SET-30',
  'an update whose body has another name renames the roleset',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { rolesets } = call.state
    const isUpdate = rolesets.has(nameOf(call))
    const reply = await original(call)
    const roleset = rolesets.get(nameOf(call))
    if (isUpdate && roleset !== undefined && typeof call.body.name === 'string') {
      rolesets.delete(nameOf(call))
      rolesets.set(call.body.name, roleset)
    }
    return reply
  },
)
change('name-from-the-body', 'CORE-NAME-02', 'a name in the body is the name of the roleset', {
  routes: {
    'cloudc.writeRoleset': (original) => (call) =>
      original(typeof call.body.name === 'string' ? { ...call, params: { name: call.body.name } } : call),
  },
})

export const faults = declared
