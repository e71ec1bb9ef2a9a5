/** Requests: where they go, by which token, and what is left of earlier ones in their answers. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)
const ofKv = faultsOf(coreEngine, 'kv')
const ofBroker = faultsOf(coreEngine, 'broker')
rule(
  'patched-namespace-of-root',
  ['CORE-NS-08'],
  'the namespace header is left out where the path begins with the name of a namespace below the root',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const isOfRoot = namespaces.includes(`${request.path.split('/')[0]}/`) && !isProvisioning(request)
      return original(isOfRoot ? undefined : header, request, namespaces)
    },
  },
)
rule('patched-two-periods', ['CORE-PERIOD-01'], 'a path parameter may end in two periods', {
  pathParameterAllowed: () => (value) => !/(^|[^.])\.$/.test(value),
})
ofBroker.rule('patched-lease-left-over', ['CORE-ENV-10'], 'a read right after an answer with a lease shows the id of that lease', {
  finish: (original) => {
    const latest = new Map<string, string>()
    return (call, route, reply) => {
      const given = original(call, route, reply)
      if (!isEngineRoute(route) || call.token === undefined) return given
      const key = `${call.token.id} ${call.mount.namespace}${call.mount.path}`
      const left = latest.get(key)
      latest.delete(key)
      return withBody(given, (body) => {
        if (typeof body.lease_id !== 'string') return body
        if (body.lease_id !== '') latest.set(key, body.lease_id)
        return body.lease_id === '' && left !== undefined && call.method === 'GET' ? { ...body, lease_id: left } : body
      })
    }
  },
})
rule('patched-bearer-with-namespace', ['CORE-AUTH-07'], 'a bearer token is not seen beside the namespace header', {
  tokenOf: (original) => (request, spelling) => {
    const { [spelling.headers.namespace]: namespace, [spelling.headers.token]: own } = request.headers
    return namespace && !own && !isProvisioning(request) ? undefined : original(request, spelling)
  },
})

/** A path decoded once more; one that cannot be stays. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

ofKv.rule('patched-decoded-twice', ['KV-LIST-01'], 'percent signs in a path are decoded twice', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(header, isProvisioning(request) ? request : { ...request, path: decoded(request.path) }, namespaces),
})
