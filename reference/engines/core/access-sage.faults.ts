/** Faults of who may ask: tokens of a namespace and the spellings of it. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

/** A header of namespaces as a path with trailing slash; empty for none. */
const namespacePath = (header: string | undefined): string =>
  (header ?? '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `${segment}/`)
    .join('')

/** What the header of the request under way names: it is decided on at once. */
let named: string | undefined

rule(
  'sage-access-namespace-by-header-only',
  ['CORE-NS-02', 'CORE-NS-03'],
  'a token of a namespace is refused where the path, not the header, names that namespace or its last part (000, 2.2: header `<ns1>/<ns2>/` is equivalent to header `<ns1>/` with path `<ns2>/...` and to no header)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      named = isProvisioning(request) ? undefined : namespacePath(header)
      return original(header, request, namespaces)
    },
    tokenCovers: (original) => (tokenNamespace, namespace) =>
      original(tokenNamespace, namespace) && (named === undefined || original(tokenNamespace, named)),
  },
)
