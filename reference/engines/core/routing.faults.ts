/** Faults of prefixes, mounts, methods, statuses, error bodies and the seal. */
import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isEngineRoute, isProvisioning } from '../../faults/request-kinds.ts'

const { rule, route, declared } = faultsOf(coreEngine)

rule('unprefixed-alias', 'CORE-PREFIX-02', 'routes answer without the prefix as well', {
  basePaths: (original) => () => [...original(), ''],
})
rule('second-version', 'CORE-PREFIX-03', 'the prefix of a next version is an alias', {
  basePaths: (original) => () => [...original(), '/v2'],
})
rule('mounts-share-state', 'CORE-MOUNT-02', 'mounts of one type share their storage', {
  stateOf: (original) => (engine, others, place) =>
    others.find((mount) => mount.engine.type === engine.type && mount.namespace === place.namespace)?.state ??
    original(engine, others, place),
})

const kept = new Map<string, unknown>()

rule('remount-keeps-data', 'CORE-MOUNT-03', 'a mount finds what a removed one of the same path has left', {
  stateOf: (original) => (engine, others, place) => {
    const key = `${engine.type} ${place.namespace}${place.path}`
    const state = kept.get(key) ?? original(engine, others, place)
    kept.set(key, state)
    return state
  },
})
rule('mount-name-begins', 'CORE-STATUS-06', 'a path that begins with the name of a mount leads there', {
  mountOf: (original) => (path, mounts) => original(path, mounts) ?? mounts.find((mount) => path.startsWith(mount.slice(0, -1))),
  pathBelow: (original) => (mount, path, type) =>
    original(mount, path.startsWith(mount) ? path : `${mount}${path.slice(path.indexOf('/', mount.length - 1) + 1)}`, type),
})
rule('put-unknown', ['CORE-WRITE-01', 'KV-V1-03'], 'PUT is not taken for POST', {
  canonicalMethod: (original) => (method) => (method === 'PUT' ? 'PUT' : original(method)),
})
rule('wrong-method-404', 'CORE-STATUS-08', 'an unsupported method is answered as an unknown path', {
  wrongMethodStatus: () => () => 404,
})
rule('unknown-path-400', 'CORE-STATUS-06', 'a path below no mount is a bad request', { unknownPathStatus: () => () => 400 })
rule('period-accepted', 'CORE-PERIOD-01', 'names may end in a period', { pathParameterAllowed: () => () => true })

rule('two-periods-accepted', 'CORE-PERIOD-01', 'a name may end in two periods', {
  pathParameterAllowed: (original) => (value) => original(value) || value.endsWith('..'),
})
rule('period-silent', 'CORE-PERIOD-02', 'the refusal of a name that ends in a period says nothing', {
  errorBody: (original) => (messages) => original(messages.filter((message) => !message.startsWith('unsupported path:'))),
})
rule('period-400', 'CORE-PERIOD-01', 'a name that ends in a period is a bad request', { unsupportedPathStatus: () => () => 400 })
rule('service-header-refused', 'CORE-HEADER-01', 'reads with the service-request header are refused', {
  check: (original) => (call, route) => {
    original(call, route)
    const isMarked = Object.entries(call.headers).some(([name, value]) => /^x-.*-request$/.test(name) && value === 'true')
    if (isEngineRoute(route) && call.method === 'GET' && isMarked) throw notFound()
  },
})
rule('error-singular', 'CORE-ERROR-01', 'the error body has one text under error', {
  errorBody: () => (messages) => ({ error: messages.join('; ') }),
})
rule('errors-objects', 'CORE-ERROR-01', 'errors holds objects', {
  errorBody: () => (messages) => ({ errors: [...messages, 'refused'].map((message) => ({ message })) }),
})
rule('errors-null', 'CORE-ERROR-01', 'an error without messages has null for errors', {
  errorBody: (original) => (messages) => (messages.length === 0 ? { errors: null } : original(messages)),
})
rule('read-203', 'CORE-STATUS-01', 'reads are answered with 203', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && call.method === 'GET' ? { ...finished, status: 203 } : finished
  },
})
rule('write-201', 'CORE-STATUS-03', 'writes are answered with 201', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && call.method === 'POST' ? { ...finished, status: 201, body: finished.body ?? {} } : finished
  },
})
rule('unknown-name-400', 'CORE-STATUS-07', 'a read of an unknown name is a bad request', {
  failure: (original) => (status, body, request) =>
    original(status === 404 && request.method === 'GET' && !isProvisioning(request) ? 400 : status, body, request),
})
rule('sealed-403', 'CORE-SEAL-01', 'a sealed service refuses with 403', {
  outOfService: (original) => (seal, request) => (original(seal, request) === 503 ? 403 : original(seal, request)),
})
rule('sealed-reads', ['CORE-SEAL-02', 'CORE-SEAL-01'], 'a sealed service still reads', {
  outOfService: (original) => (seal, request) => (request.method === 'GET' ? undefined : original(seal, request)),
})
route('unseal-forgets', 'CORE-SEAL-03', 'unsealing starts with empty mounts', 'core.unseal', (original) => async (call) => {
  const reply = await original(call)
  const { state: server } = call
  for (const namespace of server.namespaces.paths()) {
    for (const mount of server.mounts.of(namespace)) mount.state = mount.engine.newState()
  }
  return reply
})

export const faults = declared
