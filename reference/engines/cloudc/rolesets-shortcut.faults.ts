/** Faults of hurried work on rolesets: what else is touched, what comes second, what was there before. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { cloudcEngine } from './engine.ts'
import type { Bindings } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

route(
  'shortcut-rotation-by-prefix',
  ['CLOUDC-APART-01'],
  'rotating a roleset ends the keys of every roleset whose name begins with its name',
  'cloudc.rotate',
  (original) => async (call) => {
    const reply = await original(call)
    await call.services.leases.forcePrefix(`${call.mount.namespace}${call.mount.path}key/${call.params.name}`)
    return reply
  },
)
route(
  'shortcut-removal-by-account-prefix',
  ['CLOUDC-APART-01'],
  'deleting a roleset takes the rights of all accounts that were made under its name, those of other mounts too',
  'cloudc.deleteRoleset',
  (original) => (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        membersWithout: (members, member) => {
          const made = member.slice(0, member.lastIndexOf('-', member.indexOf('@')) + 1)
          return members.filter((one) => !one.startsWith(made))
        },
      },
    }),
)
route(
  'shortcut-update-ends-root-keys',
  ['CLOUDC-APART-01'],
  'new bindings in a namespace end the keys of the roleset of that name in the root namespace',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = call.state.rolesets.get(name)?.account.email
    const reply = await original(call)
    const after = call.state.rolesets.get(name)?.account.email
    if (before !== undefined && after !== before && call.mount.namespace !== '')
      await call.services.leases.forcePrefix(`${call.mount.path}key/${name}/`)
    return reply
  },
)

rule(
  'shortcut-one-resource-a-service',
  ['CLOUDC-BIND-05', 'CLOUDC-BIND-08'],
  'of several resources of one service only the first is bound',
  {
    boundResources: (original) => (bindings) => {
      const services = new Set<string | undefined>()
      const first = Object.entries(original(bindings)).filter(([resource]) => {
        const service = resource.split('/')[2]
        const known = services.has(service)
        services.add(service)
        return !known
      })
      return Object.fromEntries(first)
    },
  },
)
rule(
  'shortcut-first-roles-compared',
  ['CLOUDC-BIND-10', 'CLOUDC-BIND-19'],
  'an update that changes the roles of any resource but the first is taken for no change',
  {
    changesBindings: () => (before, after) => {
      const [first = ''] = Object.keys(before)
      const compared = (bindings: Bindings) => JSON.stringify([Object.keys(bindings), bindings[first]])
      return compared(before) !== compared(after)
    },
  },
)
rule('shortcut-no-scopes-left-out', ['CLOUDC-SET-20'], 'an update with an empty list of scopes keeps the scopes', {
  scopesOf: (original) => (body, type) => {
    const scopes = original(body, type)
    return scopes?.length === 0 ? undefined : scopes
  },
})

const scopesOnceGiven = remembered(() => new Map<string, string[]>())
change(
  'shortcut-scopes-outlive-roleset',
  ['CLOUDC-SET-11'],
  'a roleset that is made again without scopes has those of the one that was deleted',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => async (call) => {
        const name = call.params.name ?? ''
        const scopes = call.state.rolesets.get(name)?.scopes
        const reply = await original(call)
        if (scopes !== undefined && scopes.length > 0) scopesOnceGiven(call.state).set(name, scopes)
        return reply
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const name = call.params.name ?? ''
        const { token_scopes: given, secret_type: type = 'access_token' } = call.body
        const once = scopesOnceGiven(call.state).get(name)
        if (call.state.rolesets.has(name) || once === undefined || given !== undefined || type !== 'access_token') return original(call)
        return original({ ...call, body: { ...call.body, token_scopes: once } })
      },
    },
  },
)
const firstBindings = remembered(() => new Map<string, Bindings>())
change(
  'shortcut-rotation-to-first-bindings',
  ['CLOUDC-ROT-04'],
  'a rotation gives the new account the bindings that the roleset was created with',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const name = call.params.name ?? ''
        const isNew = !call.state.rolesets.has(name)
        const reply = await original(call)
        const made = call.state.rolesets.get(name)
        if (isNew && made !== undefined) firstBindings(call.state).set(name, made.bindings)
        return reply
      },
      'cloudc.rotate': (original) => (call) => {
        const first = firstBindings(call.state).get(call.params.name ?? '')
        if (first === undefined) return original(call)
        return original({ ...call, rules: { ...call.rules, boundResources: () => first } })
      },
    },
  },
)

/** What the paths of both rotations begin with. */
const ROTATION = /(\/roleset\/[^/]+)\/rotate(-key)?$/
core.rule(
  'shortcut-rotation-by-roleset-path',
  ['CORE-CAP-04'],
  'who may update a roleset may rotate it, though no policy names that path',
  {
    patternMatches: (original) => (pattern, path) => original(pattern, path) || original(pattern, path.replace(ROTATION, '$1')),
  },
)
core.rule(
  'shortcut-post-token-by-read',
  ['CORE-CAP-04'],
  'a token is given by POST to who may only read there',
  countsAs('read', (call) => call?.method === 'POST' && /\/token\/[^/]+$/.test(call.path) && !isProvisioning(call), 'update'),
)
core.rule('shortcut-bearer-not-for-rotation', ['CORE-AUTH-07'], 'rotations know the token in its own header only', {
  tokenOf: (original) => (request, spelling) =>
    ROTATION.test(request.path) && !request.headers[spelling.headers.token] ? undefined : original(request, spelling),
})

rule('shortcut-no-scopes-null', ['CLOUDC-SET-11'], 'a roleset without scopes is read with null for them', {
  shownRoleset: (original) => (roleset, bindings) => {
    const shown: JsonObject = original(roleset, bindings)
    return roleset.scopes.length > 0 ? shown : { ...shown, token_scopes: null }
  },
})
