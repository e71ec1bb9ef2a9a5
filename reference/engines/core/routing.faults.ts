/** Faults of prefixes, mounts and methods. */

import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'

const core = faultsOf(coreEngine)

core.rule('unprefixed-alias', 'CORE-PREFIX-02', 'routes answer without the prefix as well', {
  basePaths: (original) => () => [...original(), ''],
})
core.rule('second-version', 'CORE-PREFIX-03', 'the prefix of a next version is an alias', {
  basePaths: (original) => () => [...original(), '/v2'],
})
core.rule('mounts-share-state', 'CORE-MOUNT-02', 'mounts of one type share their storage', {
  stateOf: (original) => (engine, others, place) =>
    others.find((mount) => mount.engine.type === engine.type && mount.namespace === place.namespace)?.state ??
    original(engine, others, place),
})
core.rule('put-unknown', ['CORE-WRITE-01', 'KV-V1-03'], 'PUT is not taken for POST', {
  canonicalMethod: (original) => (method) => (method === 'PUT' ? 'PUT' : original(method)),
})
core.rule('wrong-method-404', 'CORE-STATUS-08', 'an unsupported method is answered as an unknown path', {
  wrongMethodStatus: () => () => 404,
})
core.rule('unknown-path-400', 'CORE-STATUS-06', 'a path below no mount is a bad request', { unknownPathStatus: () => () => 400 })
core.rule('period-accepted', 'CORE-PERIOD-01', 'names may end in a period', { pathParameterAllowed: () => () => true })
core.rule('period-silent', 'CORE-PERIOD-02', 'the refusal of a name that ends in a period says nothing', {
  errorBody: (original) => (messages) => original(messages.filter((message) => !message.startsWith('unsupported path:'))),
})
core.rule('period-400', 'CORE-PERIOD-01', 'a name that ends in a period is a bad request', { unsupportedPathStatus: () => () => 400 })
core.rule('service-header-refused', 'CORE-HEADER-01', 'reads with the service-request header are refused', {
  check: (original) => (call, route) => {
    original(call, route)
    const isMarked = Object.entries(call.headers).some(([name, value]) => /^x-.*-request$/.test(name) && value === 'true')
    if (isEngineRoute(route) && call.method === 'GET' && isMarked) throw notFound()
  },
})
