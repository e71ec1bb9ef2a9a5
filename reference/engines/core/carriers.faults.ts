/** Faults of headers: what reaches which place, as whom. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

rule('namespace-once', 'CORE-NS-08', 'a path that begins as the namespace header does is taken for complete, and the header is dropped', {
  effectivePath: (original) => (header, request, namespaces) => {
    const prefix = (header ?? '').split('/').filter((segment) => segment !== '')
    const complete = prefix.length > 0 && request.path.startsWith(`${prefix.join('/')}/`)
    return complete ? request.path : original(header, request, namespaces)
  },
})

rule('bearer-lost-in-namespace', 'CORE-AUTH-07', 'a bearer is not looked at where the request names its namespace in the header', {
  tokenOf: (original) => (request, spelling) => {
    const { token, namespace } = spelling.headers
    const lost = !request.headers[token] && Boolean(request.headers[namespace]) && !isProvisioning(request)
    return lost ? undefined : original(request, spelling)
  },
})

rule('token-up-to-comma', 'CORE-AUTH-03', 'a token with a comma and more behind it counts as the token before the comma', {
  tokenOf: (original) => (request, spelling) => original(request, spelling)?.split(',')[0],
})

const bearers = new Set<string>()

rule('bearer-remembered', 'CORE-AUTH-15', 'a token that was good as a bearer once stays good as a bearer after its end', {
  callerRefused: (original) => (given, token, request) => {
    const isBearer = given !== undefined && (request.headers.authorization ?? '').endsWith(given)
    if (!isBearer || isProvisioning(request)) return original(given, token, request)
    if (token) bearers.add(given)
    return bearers.has(given) ? undefined : original(given, token, request)
  },
})
