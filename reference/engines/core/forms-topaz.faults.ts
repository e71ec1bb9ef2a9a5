/** Faults of the conventions in forms: where there is help. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'

// Shown where an engine has such operations.
const { rule } = faultsOf(coreEngine, 'ssh')

rule(
  'topaz-help-needs-get',
  'CORE-HELP-01',
  'help is answered 405 on a path that has operations but none by GET or LIST, such as signing or encoding (000, 1.7: `?help=1` at any URL returns `help` and `openapi`)',
  {
    helpBody: (original) => (help, openapi) => {
      const itself = ((openapi.paths ?? {}) as JsonObject)['/']
      if (itself !== undefined && itself !== null && typeof itself === 'object' && !('get' in itself))
        throw new ApiError(405, 'unsupported operation')
      return original(help, openapi)
    },
  },
)
