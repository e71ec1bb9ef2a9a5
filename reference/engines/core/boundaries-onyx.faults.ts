/** Faults of the conventions: empty, one, many, exactly at the limit. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { namedParameters } from './onyx-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'onyx-oversize-500',
  'CORE-LIMIT-02',
  'a request that is too large is answered with 500 instead of being refused (000, 8: maximum request size; 7: 500 is an internal error, 400 an invalid request)',
  { oversizeStatus: () => () => 500 },
)

rule(
  'onyx-period-cut-off',
  'CORE-PERIOD-01',
  'a period at the end of a name is cut off, so that reads, writes and deletions act on the object without it (000, 2.1: a path parameter that ends in a period gets 404)',
  {
    pathParameterAllowed: () => () => true,
    check: (original) => (call, route) => {
      const cut = namedParameters(call).map(([name, value]) => [name, value.replace(/\.$/, '')])
      call.params = { ...call.params, ...Object.fromEntries(cut) }
      original(call, route)
    },
  },
)

const pathsOf = (openapi: JsonObject): [string, Json][] => Object.entries((openapi.paths ?? {}) as JsonObject)

rule(
  'onyx-help-without-path-itself',
  'CORE-HELP-09',
  'where there are paths below the queried one, the description leaves out the queried path itself (000, 1.7: a description of that path and the paths below it)',
  {
    helpBody: (original) => (help, openapi) => {
      const paths = pathsOf(openapi)
      const kept = paths.length > 1 ? paths.filter(([path]) => path !== '/') : paths
      return original(help, { ...openapi, paths: Object.fromEntries(kept) })
    },
  },
)
