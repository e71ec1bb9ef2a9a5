/** Faults of who may ask: operations that need no token. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

/** Whether the request under way has a header of namespaces: it is decided on at once. */
let hasHeader = false

rule(
  'quartz-open-endpoint-in-namespace',
  'CORE-AUTH-12',
  'with the header of namespaces, an unauthenticated endpoint asks for a token (000, 5.3: `POST /ssh/verify`, `GET /ssh/public_key` are unauthenticated; 2.2: the header is a prefix of the path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      hasHeader = (header ?? '').replaceAll('/', '') !== ''
      return original(header, request, namespaces)
    },
    needsToken: (original) => (route) => original(route) || (route !== undefined && isEngineRoute(route) && hasHeader),
  },
)
