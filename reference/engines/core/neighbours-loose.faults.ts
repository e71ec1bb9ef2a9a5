/** Faults of the conventions whose effect falls on a neighbour: another namespace, mount, object, answer. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

const segments = (header: string | undefined): string[] => (header ?? '').split('/').filter((segment) => segment !== '')

const withoutHeader = (where: (request: RequestFacts) => boolean) => ({
  effectivePath:
    (original: typeof coreEngine.rules.effectivePath): typeof coreEngine.rules.effectivePath =>
    (header, facts, namespaces) =>
      original(!isProvisioning(facts) && where(facts) ? undefined : header, facts, namespaces),
})

rule(
  'delete-without-namespace',
  ['CORE-NS-07'],
  'a deletion does not look at the namespace header (000 2.2)',
  withoutHeader(({ method }) => method === 'DELETE'),
)

rule(
  'list-query-without-namespace',
  ['CORE-NS-07'],
  'GET with list=true does not look at the namespace header (000 2.2)',
  withoutHeader(({ method, query }) => method === 'GET' && query.get('list') === 'true'),
)

rule(
  'bearer-without-namespace',
  ['CORE-AUTH-07'],
  'a request with a bearer does not look at the namespace header (000 2.2)',
  withoutHeader(({ headers }) => /^bearer /i.test(headers.authorization ?? '')),
)

const isSetUp = (path: string): boolean => isProvisioning({ path })

rule(
  'path-below-header-fixed',
  ['CORE-NS-02'],
  'a namespace in the path is not seen where the header names one (000 2.2: header <ns1>/, path <ns2>/secret/foo)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const given = segments(header)
      const named = original(path, namespaces, header)
      const own = given.length > 0 ? `${given.join('/')}/` : named
      return !isSetUp(path) && namespaces.includes(own) ? own : named
    },
  },
)

rule(
  'namespace-one-level',
  ['CORE-NS-01'],
  'of nested namespaces the outer one counts, wherever they are named (000 2.2: <ns1>/<ns2>/secret/foo)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const found = original(path, namespaces, header)
      return isSetUp(path) || found === '' ? found : `${found.split('/')[0]}/`
    },
  },
)

rule(
  'reads-cached-without-namespace',
  ['CORE-CAP-14'],
  'a read of a path that another namespace has read before is answered from there (000 2.2)',
  {
    finish: (original) => {
      const cached = new Map<string, { from: string; body: Json }>()
      return (call, route, reply) => {
        const given = original(call, route, reply)
        if (call.method !== 'GET' || !isEngineRoute(route) || given.body === undefined) return given
        const known = cached.get(call.path)
        if (known && known.from !== call.mount.namespace) return { ...given, body: known.body }
        cached.set(call.path, { from: call.mount.namespace, body: given.body })
        return given
      }
    },
  },
)

rule('delete-takes-below', ['KV-V1-01'], 'an object whose path ends as that of a deleted one is gone for reads as well (000 4.1)', {
  check: (original) => {
    const gone = new Set<string>()
    return (call, route) => {
      const last = `${call.mount.namespace}${call.mount.path}${call.path.split('/').at(-1)}`
      if (call.method === 'DELETE' && isEngineRoute(route)) gone.add(last)
      if (call.method === 'POST') gone.delete(last)
      if (call.method === 'GET' && isEngineRoute(route) && gone.has(last) && call.params.path !== undefined) call.params.path = ''
      original(call, route)
    }
  },
})
