/** Faults of time and order: second calls, after deletion, refusal or change. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { issuing, nameOf, withRole, withState } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRole } from './state.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

route(
  'afresh-vhosts-added-on-rewrite',
  ['BROKER-CREDS-10'],
  'a role that is written again keeps the virtual hosts that it had before (001 4.3: vhosts as given)',
  'broker.writeRole',
  (original) => async (call) => {
    const before = call.state.roles.get(nameOf(call))?.vhosts
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    if (before && role?.vhosts) role.vhosts = JSON.stringify({ ...(JSON.parse(before) as object), ...(JSON.parse(role.vhosts) as object) })
    return reply
  },
)

const buried = remembered(() => new Map<string, BrokerRole>())

change(
  'afresh-recreated-role-has-old-fields',
  ['BROKER-ROLE-05'],
  'a role made anew has the old values of fields left out (001 4.3: defaults "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) buried(call.state).set(nameOf(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const [old, role] = [buried(call.state).get(nameOf(call)), call.state.roles.get(nameOf(call))]
        if (old && role) {
          role.tags ||= old.tags
          role.vhosts ||= old.vhosts
          role.vhostTopics ||= old.vhostTopics
        }
        buried(call.state).delete(nameOf(call))
        return reply
      },
    },
  },
)

route(
  'afresh-failed-verification-forgets',
  ['BROKER-CONN-08'],
  'after a connection that could not be verified the earlier one is gone (001 4.3: verify_connection)',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.message.includes('verified')) call.state.connection = undefined
      throw cause
    }
  },
)

route(
  'afresh-user-stays-after-failed-topics',
  ['BROKER-CREDS-13'],
  'when rights of a role with vhost_topics cannot be given, the user stays in the broker without a lease (000 2.3: lease_id)',
  'broker.readCreds',
  (original) => (call) => {
    const topics = call.state.roles.get(nameOf(call))?.vhostTopics ?? ''
    return original({ ...call, rules: { ...call.rules, removesAfterFailure: () => topics === '' && call.rules.removesAfterFailure() } })
  },
)

route(
  'afresh-removal-by-old-connection',
  ['BROKER-CREDS-06'],
  'users are removed with the connection of their making, which fails once its password has changed (001 1: stores a connection)',
  'broker.readCreds',
  (original) => (call) => original(withState(call, { connection: call.state.connection })),
)

route(
  'afresh-first-connection-clears-roles',
  ['BROKER-CONN-01'],
  'roles that were written before the first connection are gone after it (001 4.3: roles/:name)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isFirst = call.state.connection === undefined
    const reply = await original(call)
    if (isFirst) call.state.roles.clear()
    return reply
  },
)

const given = remembered(() => new Map<string, Reply>())

route(
  'afresh-same-credential-for-token',
  ['BROKER-ROLE-05'],
  'a token that asks again for credentials of a role gets the same ones as long as they live (001 1: generates dynamic credentials)',
  'broker.readCreds',
  (original) => async (call) => {
    const key = `${call.token?.id} ${nameOf(call)}`
    const before = given(call.state).get(key)
    const id = (before?.body as JsonObject | undefined)?.lease_id
    if (before && call.services.leases.find(String(id))) return before
    const reply = await original(call)
    given(call.state).set(key, reply)
    return reply
  },
)

const vhostsRead = remembered(() => new Map<string, string>())

change(
  'afresh-read-keeps-first-vhosts',
  ['BROKER-ROLE-02'],
  'once read, a role shows the same vhosts after it was written anew (001 4.3: data.vhosts)',
  {
    routes: {
      'broker.readRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role === undefined) return original(call)
        const vhosts = vhostsRead(call.state).get(nameOf(call)) ?? role.vhosts
        vhostsRead(call.state).set(nameOf(call), vhosts)
        return original(withRole(call, { ...role, vhosts }))
      },
      'broker.deleteRole': (original) => (call) => {
        vhostsRead(call.state).delete(nameOf(call))
        return original(call)
      },
    },
  },
)

route(
  'afresh-verified-once',
  ['BROKER-CONN-06'],
  'a connection that replaces another is not verified (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => (call) => original(call.state.connection ? { ...call, body: { ...call.body, verify_connection: false } } : call),
)

const verifyBefore = remembered((): { asked?: Json } => ({}))

route(
  'afresh-verify-as-before',
  ['BROKER-CONN-06'],
  'verify_connection left out means what it meant in the connection written before (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const before = verifyBefore(call.state)
    const asked = call.body.verify_connection ?? before.asked ?? true
    const reply = await original({ ...call, body: { ...call.body, verify_connection: asked } })
    before.asked = asked
    return reply
  },
)

route(
  'afresh-users-of-rewritten-role-stay',
  ['BROKER-CREDS-06'],
  'users of a role that was written again since stay in the broker after their leases end (000 2.3: lease_duration)',
  'broker.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(nameOf(call))
    const isRewritten = (): boolean => call.state.roles.has(nameOf(call)) && call.state.roles.get(nameOf(call)) !== role
    return original(
      issuing(call, (request) => ({
        ...request,
        revoke: async () => {
          if (!isRewritten()) await request.revoke()
        },
      })),
    )
  },
)

const deletedNames = remembered(() => new Set<string>())

change(
  'afresh-deleted-role-reads-null',
  ['BROKER-ROLE-05'],
  'a deleted role is read with 200 and null instead of 404 (000 7: 404 invalid path)',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        if (call.state.roles.has(nameOf(call))) deletedNames(call.state).add(nameOf(call))
        return original(call)
      },
      'broker.readRole': insteadOfRefusal(
        () => secret(null),
        (call) => deletedNames(call.state).has(nameOf(call)),
      ),
    },
  },
)
