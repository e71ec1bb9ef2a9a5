/** Faults by which a right counts beside the place that it was given for, or at the second attempt; and an empty header that breaks a path. */
import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

const elevated = remembered(() => new Set<string>())

/** The namespace that a namespace is in; undefined for the root. */
const parentOf = (namespace: string): string | undefined => (namespace === '' ? undefined : namespace.replace(/[^/]+\/$/, ''))

rule(
  'zircon-sudo-for-neighbours',
  'CORE-CAP-15',
  'a token that was found to have sudo on one path has it on all others, where its policy grants only the plain capability (000, 5.4: some operations require elevated (sudo) capability)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (needed !== 'sudo' || !call?.token) return may
      const known = elevated(call.services)
      if (may) known.add(call.token.id)
      return may || known.has(call.token.id)
    },
  },
)

/** What the two rules of one fault share. */
const siblings = () => {
  let known: string[] = []
  const namespaceIn = (path: string): string | undefined =>
    known.filter((namespace) => namespace !== '' && path.startsWith(namespace)).sort((a, b) => b.length - a.length)[0]
  return {
    path:
      (original: CoreRules['effectivePath']): CoreRules['effectivePath'] =>
      (header, request, namespaces) => {
        known = namespaces
        return original(header, request, namespaces)
      },
    matches:
      (original: CoreRules['patternMatches']): CoreRules['patternMatches'] =>
      (pattern, path) => {
        if (original(pattern, path)) return true
        const granted = namespaceIn(pattern)
        const asked = namespaceIn(path)
        if (granted === undefined || asked === undefined || granted === asked || parentOf(granted) !== parentOf(asked)) return false
        return original(pattern.slice(granted.length), path.slice(asked.length))
      },
  }
}

const { path, matches } = siblings()

rule(
  'zircon-policy-for-sibling-namespace',
  'CORE-CAP-01',
  'what a policy grants on a path in one namespace, it also grants on the same path in the namespaces beside it (000, 7: 403 forbidden, 404 also used when the caller may not view a path)',
  { effectivePath: path, patternMatches: matches },
)

rule(
  'zircon-refused-create-retried',
  'CORE-CAP-19',
  'a token with update only, refused when it creates an object, creates it at the second attempt (000, 1.6: policies distinguish create and update)',
  {
    capabilityGranted: (original) => {
      const refused = new Set<string>()
      return (granted, needed, call) => {
        const good = original(granted, needed, call)
        if (good || needed !== 'create' || !call) return good
        const attempt = `${call.token?.id} ${call.mount.namespace}${call.path}`
        if (refused.has(attempt)) return original(granted, 'update', call)
        refused.add(attempt)
        return false
      }
    },
  },
)

rule(
  'zircon-empty-namespace-header',
  'CORE-NS-12',
  'an empty namespace header puts a slash before the path, which then leads nowhere (000, 2.2: the effective path is the header value followed by the request path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const effective = original(header, request, namespaces)
      return header === '' && !isProvisioning(request) ? `/${effective}` : effective
    },
  },
)
