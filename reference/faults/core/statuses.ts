/** Faults of statuses, error bodies and the seal. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv2Engine } from '../../engines/kv/kv2.ts'
import { isEngineRoute, isProvisioning } from './shared.ts'

export const statusFaults: Fault[] = [
  fault(
    coreEngine,
    { id: 'core-error-singular', engine: 'core', title: 'the error body has one text under error', clauses: ['CORE-ERROR-01'] },
    { rules: { errorBody: () => (messages) => ({ error: messages.join('; ') }) } },
  ),
  fault(
    coreEngine,
    { id: 'core-errors-text', engine: 'core', title: 'errors is a text', clauses: ['CORE-ERROR-01'] },
    { rules: { errorBody: () => (messages) => ({ errors: messages.join('; ') }) } },
  ),
  fault(
    coreEngine,
    { id: 'core-errors-objects', engine: 'core', title: 'errors holds objects', clauses: ['CORE-ERROR-01'] },
    { rules: { errorBody: () => (messages) => ({ errors: [...messages, 'refused'].map((message) => ({ message })) }) } },
  ),
  fault(
    coreEngine,
    { id: 'core-read-203', engine: 'core', title: 'reads are answered with 203', clauses: ['CORE-STATUS-01'] },
    {
      rules: {
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          return isEngineRoute(route) && call.method === 'GET' ? { ...finished, status: 203 } : finished
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-write-201', engine: 'core', title: 'writes are answered with 201', clauses: ['CORE-STATUS-03'] },
    {
      rules: {
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          return isEngineRoute(route) && call.method === 'POST' ? { ...finished, status: 201, body: finished.body ?? {} } : finished
        },
      },
    },
  ),
  fault(
    kv2Engine,
    { id: 'core-bad-data-422', engine: 'core', title: 'missing data is refused with 422', clauses: ['CORE-STATUS-04'] },
    {
      rules: {
        checkData: (original) => (data) => {
          try {
            original(data)
          } catch {
            throw new ApiError(422, 'unprocessable')
          }
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-unknown-name-400', engine: 'core', title: 'a read of an unknown name is a bad request', clauses: ['CORE-STATUS-07'] },
    {
      rules: {
        failure: (original) => (status, body, request) =>
          original(status === 404 && request.method === 'GET' && !isProvisioning(request) ? 400 : status, body, request),
      },
    },
  ),
  fault(
    kv2Engine,
    {
      id: 'core-bad-data-500',
      engine: 'core',
      title: 'data of a wrong type ends in an internal error',
      clauses: ['CORE-STATUS-13', 'CORE-STATUS-04'],
    },
    {
      rules: {
        checkData: (original) => (data) => {
          try {
            original(data)
          } catch {
            throw new ApiError(500, 'internal error')
          }
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-sealed-403', engine: 'core', title: 'a sealed service refuses with 403', clauses: ['CORE-SEAL-01'] },
    { rules: { outOfService: (original) => (seal, request) => (original(seal, request) === 503 ? 403 : original(seal, request)) } },
  ),
  fault(
    coreEngine,
    { id: 'core-sealed-reads', engine: 'core', title: 'a sealed service still reads', clauses: ['CORE-SEAL-02', 'CORE-SEAL-01'] },
    { rules: { outOfService: (original) => (seal, request) => (request.method === 'GET' ? undefined : original(seal, request)) } },
  ),
  fault(
    coreEngine,
    { id: 'core-unseal-forgets', engine: 'core', title: 'unsealing starts with empty mounts', clauses: ['CORE-SEAL-03'] },
    {
      routes: {
        'core.unseal': (original) => async (call) => {
          const reply = await original(call)
          const { server } = call
          for (const namespace of server.namespaces.paths()) {
            for (const mount of server.mounts.of(namespace)) mount.state = mount.engine.newState()
          }
          return reply
        },
      },
    },
  ),
]
