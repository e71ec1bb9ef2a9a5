/** Faults in which it matters what was done before: a second time, after a deletion, a failure, a change or an expiry. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { type Handler, nameOf, rolesetOf, TOKEN_ROUTES, withRules, withState } from './loose-words.ts'
import type { Bindings } from './state.ts'

const { route, change } = faultsOf(cloudcEngine)

const forgettingSet =
  (record: (owner: object) => Set<string>) =>
  (original: Handler): Handler =>
  async (call) => {
    const given = await original(call)
    record(call.state).delete(nameOf(call))
    return given
  }

const rotated = remembered(() => new Set<string>())

change(
  'second-rotate-idle',
  ['CLOUDC-ROT-02'],
  'a second rotation without a write in between does nothing (000 4.3, rotate: "rotates the roleset\'s service account")',
  {
    routes: {
      'cloudc.writeRoleset': forgettingSet(rotated),
      'cloudc.deleteRoleset': forgettingSet(rotated),
      'cloudc.rotate': (original) => async (call) => {
        if (rotated(call.state).has(nameOf(call))) return empty()
        const given = await original(call)
        rotated(call.state).add(nameOf(call))
        return given
      },
    },
  },
)

const rotatedOnce = remembered(() => new Set<string>())

change(
  'second-rotate-spares',
  ['CLOUDC-ROT-03'],
  'from the second rotation on, the former account and its keys stay good (000 3, "invalidates secrets generated earlier")',
  {
    routes: {
      'cloudc.deleteRoleset': forgettingSet(rotatedOnce),
      'cloudc.rotate': (original) => async (call) => {
        const spares = rotatedOnce(call.state).has(nameOf(call))
        const given = await (spares ? withRules(() => ({ endsKeys: () => false, deletesAccount: () => false }))(original) : original)(call)
        rotatedOnce(call.state).add(nameOf(call))
        return given
      },
    },
  },
)

const formerEmails = remembered(() => new Map<string, string>())

change(
  'rotate-key-after-rotate',
  ['CLOUDC-ROT-11'],
  'after a rotation, rotate-key asks for the account before it and fails (000 4.3, rotate-key: 204)',
  {
    routes: {
      'cloudc.rotate': (original) => async (call) => {
        const before = rolesetOf(call)?.account.email
        const given = await original(call)
        if (before !== undefined) formerEmails(call.state).set(rolesetOf(call)?.account.email ?? '', before)
        return given
      },
      'cloudc.rotateKey': (original) => (call) => {
        const roleset = rolesetOf(call)
        const email = formerEmails(call.state).get(roleset?.account.email ?? '')
        if (roleset === undefined || email === undefined) return original(call)
        const rolesets = new Map(call.state.rolesets).set(nameOf(call), { ...roleset, account: { ...roleset.account, email } })
        return original(withState(call, { rolesets }))
      },
    },
  },
)

const firstBindings = remembered(() => new Map<string, Bindings>())

const notingBindings =
  (original: Handler): Handler =>
  async (call) => {
    const isNew = rolesetOf(call) === undefined
    const given = await original(call)
    if (isNew) firstBindings(call.state).set(nameOf(call), rolesetOf(call)?.bindings ?? {})
    return given
  }

change(
  'return-to-first-bindings',
  ['CLOUDC-BIND-10', 'CLOUDC-BIND-19'],
  'an update back to the bindings at creation changes nothing (000 4.3, POST roleset: create or update, bindings)',
  {
    routes: {
      'cloudc.writeRoleset': (original) =>
        notingBindings(
          withRules((call) => ({
            changesBindings: (before, after) =>
              call.rules.changesBindings(before, after) &&
              JSON.stringify(after) !== JSON.stringify(firstBindings(call.state).get(nameOf(call))),
          }))(original),
        ),
    },
  },
)

const deletedScopes = remembered(() => new Map<string, Json>())

change(
  'recreated-old-scopes',
  ['CLOUDC-SET-15'],
  'a roleset made anew without token_scopes has those of the deleted one (000 4.3, token_scopes: default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = rolesetOf(call)
        if (roleset?.secretType === 'access_token') deletedScopes(call.state).set(nameOf(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const scopes = deletedScopes(call.state).get(nameOf(call))
        const takes = rolesetOf(call) === undefined && scopes !== undefined && (call.body.secret_type ?? 'access_token') === 'access_token'
        return original(takes ? { ...call, body: { token_scopes: scopes, ...call.body } } : call)
      },
    },
  },
)

const deletedTypes = remembered(() => new Map<string, string>())

change(
  'recreated-type-fixed',
  ['CLOUDC-SET-21'],
  'a deleted roleset cannot be made anew with the other secret_type (000 4.3, DELETE "deletes the roleset"; POST creates)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const type = rolesetOf(call)?.secretType
        if (type !== undefined) deletedTypes(call.state).set(nameOf(call), type)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const before = rolesetOf(call) === undefined ? deletedTypes(call.state).get(nameOf(call)) : undefined
        if (before !== undefined && before !== (call.body.secret_type ?? 'access_token')) throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

const deletedNames = remembered(() => new Set<string>())

change('deleted-read-null', ['CLOUDC-SET-02'], 'a read of a deleted roleset answers 200 with data null (000 7, 404 invalid path)', {
  routes: {
    'cloudc.deleteRoleset': (original) => (call) => {
      if (rolesetOf(call) !== undefined) deletedNames(call.state).add(nameOf(call))
      return original(call)
    },
    'cloudc.readRoleset': (original) => (call) =>
      rolesetOf(call) === undefined && deletedNames(call.state).has(nameOf(call)) ? secret(null) : original(call),
  },
})

route(
  'failed-update-keeps-scopes',
  ['CLOUDC-BIND-16'],
  'a refused update has stored its scopes (readings: a refusal changes nothing)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const before = rolesetOf(call)
      const scopes = call.body.token_scopes
      if (before?.secretType === 'access_token' && Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))
        call.state.rolesets.set(nameOf(call), { ...before, scopes: scopes as string[] })
      throw cause
    }
  },
)

route(
  'failed-update-leaves-account',
  ['CLOUDC-BIND-22'],
  'an update or a rotation that fails half-way leaves the new account at the provider (readings: a failing backend has no effect)',
  ['cloudc.writeRoleset', 'cloudc.rotate'],
  withRules((call) => (rolesetOf(call) === undefined ? {} : { undoes: () => false })),
)

route(
  'project-stored-later',
  ['CLOUDC-SET-18'],
  'an update may change project, and a read shows it (000 4.3, "name, secret_type, project cannot be updated")',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const isKnown = rolesetOf(call) !== undefined
    const lenient = withRules(({ rules }) => ({
      refusesFixed: (wanted, before) => rules.refusesFixed({ ...wanted, project: before.project }, before),
    }))
    const given = await lenient(original)(call)
    const now = rolesetOf(call)
    const { project } = call.body
    if (isKnown && now && typeof project === 'string' && project !== '') call.state.rolesets.set(nameOf(call), { ...now, project })
    return given
  },
)

const cached = remembered(() => new Map<string, { at: number; given: Reply }>())

route(
  'token-with-old-scopes',
  ['CLOUDC-SET-20'],
  'the token of a key is given again, though the scopes have changed (000 4.3, "scopes are those of the roleset")',
  TOKEN_ROUTES,
  (original) => async (call) => {
    const key = rolesetOf(call)?.account.tokenKey?.name ?? ''
    const before = cached(call.state).get(key)
    if (before !== undefined && call.now() - before.at < 60) return before.given
    const given = await original(call)
    cached(call.state).set(key, { at: call.now(), given })
    return given
  },
)
