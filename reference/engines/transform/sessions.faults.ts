/** Faults of the sessions that stores have in their databases. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestDefault } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

const WRITE = 'transform.writeStore'

rule('sessions-unbounded', ['TRANSFORM-POOL-01', 'TRANSFORM-POOL-02'], 'every request may open a session, and they stay', {
  poolLimits: (original) => (settings) => ({ ...original(settings), open: 64, idle: 64 }),
})
rule('sessions-one-more', 'TRANSFORM-POOL-01', 'one session more than allowed is opened', {
  poolLimits: (original) => (settings) => {
    const { open, idle, lifetime } = original(settings)
    return { open: open + 1, idle: idle + 1, lifetime }
  },
})
route(
  'sessions-default-many',
  'TRANSFORM-POOL-02',
  'ten sessions where nothing is said',
  WRITE,
  (original) => (call) => original({ ...call, body: { max_open_connections: 10, max_idle_connections: 10, ...call.body } }),
)
rule('sessions-never-ended', ['TRANSFORM-POOL-03', 'TRANSFORM-POOL-04'], 'sessions that were opened stay', {
  poolLimits: (original) => (settings) => ({ ...original(settings), idle: 64 }),
})
rule('sessions-idle-as-open', 'TRANSFORM-POOL-03', 'as many sessions idle as may be open', {
  poolLimits: (original) => (settings) => ({ ...original(settings), idle: settings.maxOpen }),
})
route(
  'sessions-idle-default',
  'TRANSFORM-POOL-04',
  'a dozen sessions stay where nothing is said',
  WRITE,
  requestDefault('max_idle_connections', 12),
)
rule('sessions-for-ever', ['TRANSFORM-POOL-05', 'TRANSFORM-POOL-06'], 'sessions are used for ever', {
  poolLimits: (original) => (settings) => ({ ...original(settings), lifetime: 0 }),
})
rule('sessions-lifetime-minutes', 'TRANSFORM-POOL-05', 'a lifetime in seconds is taken for minutes', {
  poolLimits: (original) => (settings) => ({ ...original(settings), lifetime: settings.maxLifetime * 60 }),
})
route(
  'sessions-lifetime-text',
  'TRANSFORM-POOL-06',
  'a lifetime with a unit is ignored',
  WRITE,
  (original) => (call) =>
    original(
      /[a-z]/.test(String(call.body.max_connection_lifetime)) ? { ...call, body: { ...call.body, max_connection_lifetime: 0 } } : call,
    ),
)
