/** Faults of the conventions in who may ask for what. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'kite-sudo-delete-only',
  'CORE-CAP-15',
  'sudo is asked for in DELETE only, not in POST (000, 5.4: some operations require elevated (sudo) capability; 001: sign-self-issued needs sudo)',
  {
    needsSudo: (original) => (route) => original(route) && (route.method === 'DELETE' || /^(sys|token|core)\./.test(route.id)),
  },
)

rule(
  'kite-glob-sibling',
  'CORE-CAP-17',
  'a policy for everything below a directory covers directories whose names begin with its name as well (000, 7: 403 forbidden, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (pattern.endsWith('/*') && !pattern.includes('+') && path.startsWith(pattern.slice(0, -2))),
  },
)
