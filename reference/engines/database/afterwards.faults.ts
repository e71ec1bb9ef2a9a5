/** Faults that show with time or in an order: after rotation, renewal, deletion and re-creation. */
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, type Handle, nameOf } from './wrappers.ts'

const { route, change } = faultsOf(databaseEngine)

/** Credentials with another lease. */
const leased =
  (changed: (request: LeaseRequest, call: DatabaseCall) => Partial<LeaseRequest>) =>
  (original: Handle): Handle =>
  (call) => {
    const { leases } = call.services
    const issue: Leases['issue'] = (issuing, request) => leases.issue(issuing, { ...request, ...changed(request, call) })
    return original({ ...call, services: { ...call.services, leases: { issue } as unknown as Leases } })
  }

route(
  'time-hand-rotation-keeps-schedule',
  'DATABASE-ROTATE-04',
  'a rotation by hand leaves the next one by schedule where it was',
  'database.rotateRole',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    let due = role && role.rotatedAt + role.period
    const nextRotation: typeof call.rules.nextRotation = (rotated, now) => {
      if (due === undefined) return call.rules.nextRotation(rotated, now)
      const delay = Math.max(0, due - now)
      due = undefined
      return delay
    }
    return original({ ...call, rules: { ...call.rules, nextRotation } })
  },
)

route(
  'time-unverified-update-old-link',
  'DATABASE-CONN-02',
  'a connection that is updated without verification is still reached as before',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = call.state.connections.get(nameOf(call))
    const reply = await original(call)
    const connection = call.state.connections.get(nameOf(call))
    if (previous && connection && call.body.verify_connection === false) connection.link = previous.link
    return reply
  },
)

const allowedBefore = remembered(() => new Map<string, string[]>())

change(
  'time-connection-recreated-allowed',
  'DATABASE-ALLOWED-01',
  'a connection that is made again without allowed roles has those from before its deletion',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) allowedBefore(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const before = allowedBefore(call.state).get(nameOf(call))
        if (before === undefined || call.state.connections.has(nameOf(call))) return original(call)
        return original({ ...call, body: { allowed_roles: before, ...call.body } })
      },
    },
  },
)

route(
  'time-renewal-first-expiry',
  'DATABASE-STMT-13',
  'a renewal gives the database user the end that it had at first',
  'database.readCreds',
  leased((request, call) => {
    const first = call.now() + request.ttl
    return { renew: async () => request.renew?.(first) }
  }),
)
