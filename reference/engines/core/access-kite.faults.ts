/** Faults of the conventions in who may ask for what. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Policies } from '../../core/policies.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule, change } = faultsOf(coreEngine, 'core')

const policiesOf = new WeakMap<object, Policies>()

change(
  'kite-first-policy',
  'CORE-CAP-03',
  'of several policies of a token that name a path only the first by name counts (000, 5.4 and 7: capabilities are what a caller has; 403 is for no access)',
  {
    routes: {
      'sys.writePolicy': (original) => (call) => {
        policiesOf.set(call.services, call.state.policies)
        return original(call)
      },
    },
    rules: {
      capabilityGranted: (original) => (granted, needed, call) => {
        const may = original(granted, needed, call)
        const policies = call && policiesOf.get(call.services)
        if (!may || !policies || !call.token) return may
        const { token, method, mount, path } = call
        const inToken = mount.namespace.slice(token.namespace.length) + path
        const first = token.policies
          .map((name) => policies.granted(token.namespace, [name], inToken, method === 'LIST'))
          .find((capabilities) => capabilities.size > 0)
        return first?.has(needed) ?? may
      },
    },
  },
)

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
