/** Faults of prefixes, mounts and methods. */
import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv1Engine } from '../../engines/kv/kv1.ts'
import { isEngineRoute } from './shared.ts'

export const routeFaults: Fault[] = [
  fault(
    kv1Engine,
    { id: 'core-read-outside-prefix', engine: 'core', title: 'reads under the prefix find nothing', clauses: ['CORE-PREFIX-01'] },
    {
      routes: {
        'kv1.read': () => () => {
          throw notFound()
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-unprefixed-alias', engine: 'core', title: 'routes answer without the prefix as well', clauses: ['CORE-PREFIX-02'] },
    { rules: { basePaths: (original) => () => [...original(), ''] } },
  ),
  fault(
    coreEngine,
    { id: 'core-second-version', engine: 'core', title: 'the prefix of a next version is an alias', clauses: ['CORE-PREFIX-03'] },
    { rules: { basePaths: (original) => () => [...original(), '/v2'] } },
  ),
  fault(
    kv1Engine,
    {
      id: 'core-default-mount-only',
      engine: 'core',
      title: 'a read looks in the default mount, wherever the engine is mounted',
      clauses: ['CORE-MOUNT-01'],
    },
    {
      routes: {
        'kv1.read': (original) => (call) => {
          if (call.mount.path !== 'secret/') throw notFound()
          return original(call)
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-mounts-share-state', engine: 'core', title: 'mounts of one type share their storage', clauses: ['CORE-MOUNT-02'] },
    {
      rules: {
        stateOf: (original) => (engine, others, place) =>
          others.find((mount) => mount.engine.type === engine.type && mount.namespace === place.namespace)?.state ??
          original(engine, others, place),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-put-unknown', engine: 'core', title: 'PUT is not taken for POST', clauses: ['CORE-WRITE-01', 'KV-V1-03'] },
    { rules: { canonicalMethod: (original) => (method) => (method === 'PUT' ? 'PUT' : original(method)) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-wrong-method-404',
      engine: 'core',
      title: 'an unsupported method is answered as an unknown path',
      clauses: ['CORE-STATUS-08'],
    },
    { rules: { wrongMethodStatus: () => () => 404 } },
  ),
  fault(
    coreEngine,
    { id: 'core-unknown-path-400', engine: 'core', title: 'a path below no mount is a bad request', clauses: ['CORE-STATUS-06'] },
    { rules: { unknownPathStatus: () => () => 400 } },
  ),
  fault(
    coreEngine,
    { id: 'core-period-accepted', engine: 'core', title: 'names may end in a period', clauses: ['CORE-PERIOD-01'] },
    { rules: { pathParameterAllowed: () => () => true } },
  ),
  fault(
    coreEngine,
    { id: 'core-period-400', engine: 'core', title: 'a name that ends in a period is a bad request', clauses: ['CORE-PERIOD-01'] },
    { rules: { unsupportedPathStatus: () => () => 400 } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-service-header-refused',
      engine: 'core',
      title: 'reads with the service-request header are refused',
      clauses: ['CORE-HEADER-01'],
    },
    {
      rules: {
        check: (original) => (call, route) => {
          original(call, route)
          const { request } = call.server.spelling.headers
          if (isEngineRoute(route) && call.method === 'GET' && call.headers[request] === 'true') throw notFound()
        },
      },
    },
  ),
]
