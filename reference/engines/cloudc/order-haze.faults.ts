/** Faults of the cloud-C engine: what came before, and what comes after it. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'
import { mapBindings, memory, nameOf, withLeases, withRules } from './haze-help.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState, Roleset } from './state.ts'

const { route, change } = faultsOf(cloudcEngine, 'cloudc')
type Handler = (call: CloudcCall) => Reply | Promise<Reply>

const KEYS = ['cloudc.readKey', 'cloudc.createKey']
const TOKENS = ['cloudc.readToken', 'cloudc.createToken']

const askedTtl = memory<string | number>()
route(
  'haze-ttl-of-request-stays',
  'CLOUDC-LEASE-03',
  'the ttl of one key is that of the next keys of its roleset, too (000, 4.3: ttl, default "")',
  KEYS,
  (original) => (call) =>
    original(
      withRules(call, {
        leaseTimes(body, config, mount) {
          const known = askedTtl(call.state)
          if (typeof body.ttl === 'string' || typeof body.ttl === 'number') known.set(nameOf(call), body.ttl)
          return call.rules.leaseTimes({ ...body, ttl: known.get(nameOf(call)) ?? '' }, config, mount)
        },
      }),
    ),
)

route(
  'haze-rotated-without-last-resource',
  'CLOUDC-ROT-04',
  'after a rotation the account has no rights on the last of several resources (000, 2.5 and 4.3: rotation leaves the bindings)',
  'cloudc.rotate',
  (original) => (call) =>
    original(
      withRules(call, {
        boundResources(bindings) {
          const last = Object.keys(bindings).length - 1
          return mapBindings(bindings, (entry, index) => (last > 0 && index === last ? [] : [entry]))
        },
      }),
    ),
)

const rotations = memory<number>()
route(
  'haze-second-rotation-grants-nothing',
  'CLOUDC-ROT-04',
  'from the second rotation on the new account has no rights (000, 2.5 and 4.3: rotation leaves the bindings)',
  'cloudc.rotate',
  (original) => async (call) => {
    const before = rotations(call.state).get(nameOf(call)) ?? 0
    const reply = await original(before > 0 ? withRules(call, { boundResources: () => ({}) }) : call)
    rotations(call.state).set(nameOf(call), before + 1)
    return reply
  },
)

const emptied = new WeakSet<CloudcState>()
change(
  'haze-emptied-list-answers',
  'CLOUDC-SET-14',
  'LIST gives an empty list once the last roleset is deleted (000, 1 and 7: an empty listing returns 404)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (call.state.rolesets.size > 0) emptied.add(call.state)
        return original(call)
      },
      'cloudc.listRolesets': (original) => (call) =>
        call.state.rolesets.size === 0 && emptied.has(call.state) ? secret({ keys: [] }) : original(call),
    },
  },
)

const latest = memory<() => Promise<void>>()
route(
  'haze-second-key-ends-first',
  'CLOUDC-KEY-04',
  'a second key of a roleset deletes the one before, whose lease still runs (000, 2.5 and 4.3: keys are leased, for their ttl)',
  KEYS,
  (original) => async (call) => {
    const before = latest(call.state).get(nameOf(call))
    const reply = await original(
      withLeases(call, (leases) => ({
        issue(issuing, request) {
          latest(call.state).set(nameOf(call), request.revoke)
          return leases.issue(issuing, request)
        },
      })),
    )
    await before?.().catch(() => undefined)
    return reply
  },
)

const gone = memory<true>()
const idleAfterDeletion = (original: Handler) => (call: CloudcCall) =>
  !call.state.rolesets.has(nameOf(call)) && gone(call.state).has(nameOf(call)) ? empty() : original(call)
change(
  'haze-rotation-after-deletion',
  ['CLOUDC-ROT-09', 'CLOUDC-ROT-15'],
  'rotate and rotate-key of a roleset that is deleted answer 204 (000, 7: 400 or 404 where there is none)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (call.state.rolesets.has(nameOf(call))) gone(call.state).set(nameOf(call), true)
        return original(call)
      },
      'cloudc.rotate': idleAfterDeletion,
      'cloudc.rotateKey': idleAfterDeletion,
    },
  },
)

/** What a deleted roleset was. */
const recalled = () => {
  const deleted = memory<Roleset>()
  const remember = (original: Handler) => (call: CloudcCall) => {
    const roleset = call.state.rolesets.get(nameOf(call))
    if (roleset !== undefined) deleted(call.state).set(nameOf(call), roleset)
    return original(call)
  }
  /** Undefined where the roleset is there, or never was. */
  const before = (call: CloudcCall): Roleset | undefined =>
    call.state.rolesets.has(nameOf(call)) ? undefined : deleted(call.state).get(nameOf(call))
  return { remember, before }
}

const scopes = recalled()
change(
  'haze-recreated-with-old-scopes',
  'CLOUDC-SET-11',
  'a roleset that is created again without token_scopes has those of the deleted one (000, 4.3: default [])',
  {
    routes: {
      'cloudc.deleteRoleset': scopes.remember,
      'cloudc.writeRoleset': (original) => (call) => {
        const old = call.body.secret_type === 'service_account_key' ? undefined : scopes.before(call)
        return original(old === undefined ? call : { ...call, body: { token_scopes: old.scopes, ...call.body } })
      },
    },
  },
)

const types = recalled()
change(
  'haze-recreation-bound-to-old-type',
  'CLOUDC-SET-21',
  'a name whose roleset is deleted takes no other secret_type (000, 4.3: DELETE deletes the roleset; only updates are bound)',
  {
    routes: {
      'cloudc.deleteRoleset': types.remember,
      'cloudc.writeRoleset': (original) => (call) => {
        const old = types.before(call)
        if (old !== undefined && (call.body.secret_type ?? 'access_token') !== old.secretType)
          throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

const freshKeys = memory<true>()
change(
  'haze-account-stays-after-key-rotation',
  'CLOUDC-ROT-12',
  'a rotation after rotate-key leaves the old account and its tokens (000, section 3: rotation invalidates earlier secrets)',
  {
    routes: {
      'cloudc.rotateKey': (original) => async (call) => {
        const reply = await original(call)
        freshKeys(call.state).set(nameOf(call), true)
        return reply
      },
      'cloudc.rotate': (original) => (call) =>
        original(
          freshKeys(call.state).delete(nameOf(call)) ? withRules(call, { deletesAccount: () => false, takesBack: () => false }) : call,
        ),
    },
  },
)

const tokens = memory<{ at: number; reply: Reply }>()
const forgetting = (original: Handler) => (call: CloudcCall) => {
  tokens(call.state).delete(nameOf(call))
  return original(call)
}
const repeating = (original: Handler) => async (call: CloudcCall) => {
  const known = tokens(call.state).get(nameOf(call))
  if (known !== undefined && call.now() - known.at < 120) return known.reply
  const reply = await original(call)
  tokens(call.state).set(nameOf(call), { at: call.now(), reply })
  return reply
}
change(
  'haze-token-kept-over-rotation',
  'CLOUDC-RACE-01',
  'a token of before the rotation is given out again after it (000, section 3: rotation invalidates earlier secrets)',
  {
    routes: {
      ...Object.fromEntries(TOKENS.map((operation) => [operation, repeating])),
      'cloudc.writeRoleset': forgetting,
      'cloudc.deleteRoleset': forgetting,
    },
  },
)

const configs = memory<CloudcState['config']>()
change(
  'haze-times-as-at-creation',
  'CLOUDC-LEASE-03',
  'keys have the ttl and max_ttl that the engine had when the roleset was created (000, 4.3: from engine config)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => (call) => {
        if (!call.state.rolesets.has(nameOf(call))) configs(call.state).set(nameOf(call), call.state.config)
        return original(call)
      },
      ...Object.fromEntries(
        KEYS.map((operation) => [
          operation,
          (original: Handler) => (call: CloudcCall) =>
            original(
              withRules(call, {
                leaseTimes: (body, config, mount) => call.rules.leaseTimes(body, configs(call.state).get(nameOf(call)) ?? config, mount),
              }),
            ),
        ]),
      ),
    },
  },
)
