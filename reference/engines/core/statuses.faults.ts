/** Faults of statuses, error bodies and the seal. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'

const core = faultsOf(coreEngine)

core.rule('error-singular', 'CORE-ERROR-01', 'the error body has one text under error', {
  errorBody: () => (messages) => ({ error: messages.join('; ') }),
})
core.rule('errors-text', 'CORE-ERROR-01', 'errors is a text', { errorBody: () => (messages) => ({ errors: messages.join('; ') }) })
core.rule('errors-objects', 'CORE-ERROR-01', 'errors holds objects', {
  errorBody: () => (messages) => ({ errors: [...messages, 'refused'].map((message) => ({ message })) }),
})
core.rule('read-203', 'CORE-STATUS-01', 'reads are answered with 203', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && call.method === 'GET' ? { ...finished, status: 203 } : finished
  },
})
core.rule('write-201', 'CORE-STATUS-03', 'writes are answered with 201', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && call.method === 'POST' ? { ...finished, status: 201, body: finished.body ?? {} } : finished
  },
})
core.rule('unknown-name-400', 'CORE-STATUS-07', 'a read of an unknown name is a bad request', {
  failure: (original) => (status, body, request) =>
    original(status === 404 && request.method === 'GET' && !isProvisioning(request) ? 400 : status, body, request),
})
core.rule('sealed-403', 'CORE-SEAL-01', 'a sealed service refuses with 403', {
  outOfService: (original) => (seal, request) => (original(seal, request) === 503 ? 403 : original(seal, request)),
})
core.rule('sealed-reads', ['CORE-SEAL-02', 'CORE-SEAL-01'], 'a sealed service still reads', {
  outOfService: (original) => (seal, request) => (request.method === 'GET' ? undefined : original(seal, request)),
})
core.route('unseal-forgets', 'CORE-SEAL-03', 'unsealing starts with empty mounts', 'core.unseal', (original) => async (call) => {
  const reply = await original(call)
  const { state: server } = call
  for (const namespace of server.namespaces.paths()) {
    for (const mount of server.mounts.of(namespace)) mount.state = mount.engine.newState()
  }
  return reply
})
