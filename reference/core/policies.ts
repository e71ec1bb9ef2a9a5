/** Access policies: their text, and which capabilities they grant on a path. */

import { invalid } from './errors.ts'
import { type Capability, type PathRule, parsePolicy } from './policy-syntax.ts'

interface Policy {
  text: string
  rules: PathRule[]
}

const DEFAULT_POLICY = ['lookup-self', 'renew-self', 'revoke-self']
  .map((name) => `path "auth/token/${name}" { capabilities = ["read", "update"] }`)
  .concat(['capabilities-self', 'leases/renew', 'leases/lookup'].map((name) => `path "sys/${name}" { capabilities = ["update"] }`))
  .join('\n')

/** The decisions that policies depend on. */
interface PatternRules {
  patternMatches(pattern: string, path: string): boolean
  /** Sorts the more specific pattern first. */
  patternPriority(a: string, b: string): number
  /** What the rules that fit a path grant, of which those with the most specific pattern come first. */
  combined(fitting: readonly PathRule[]): Set<Capability>
}

/** The policies of all namespaces. */
export class Policies {
  readonly #rules: PatternRules
  readonly #byNamespace = new Map<string, Map<string, Policy>>()

  constructor(rules: PatternRules) {
    this.#rules = rules
  }

  #of(namespace: string): Map<string, Policy> {
    const known = this.#byNamespace.get(namespace)
    if (known) return known
    const fresh = new Map([['default', { text: DEFAULT_POLICY, rules: parsePolicy(DEFAULT_POLICY) }]])
    this.#byNamespace.set(namespace, fresh)
    return fresh
  }

  names(namespace: string): string[] {
    return [...this.#of(namespace).keys(), ...(namespace === '' ? ['root'] : [])]
  }

  text(namespace: string, name: string): string | undefined {
    return name === 'root' && namespace === '' ? '' : this.#of(namespace).get(name)?.text
  }

  /** Throws 400 on a text that is not a policy and on the name `root`. */
  write(namespace: string, name: string, text: string): void {
    if (name === 'root') throw invalid('the root policy cannot be changed')
    this.#of(namespace).set(name, { text, rules: parsePolicy(text) })
  }

  delete(namespace: string, name: string): void {
    if (name === 'root' || name === 'default') throw invalid(`the ${name} policy cannot be deleted`)
    this.#of(namespace).delete(name)
  }

  dropNamespace(namespace: string): void {
    this.#byNamespace.delete(namespace)
  }

  /** What a token's policies grant on a path relative to the token's namespace. */
  granted(namespace: string, names: string[], path: string, isList: boolean): Set<Capability> {
    const paths = isList ? [path, `${path}/`.replace(/\/\/$/, '/')] : [path]
    const rules = names.flatMap((name) => this.#of(namespace).get(name)?.rules ?? [])
    const fitting = rules.filter((rule) => paths.some((candidate) => this.#rules.patternMatches(rule.path, candidate)))
    return this.#rules.combined(fitting.toSorted((a, b) => this.#rules.patternPriority(a.path, b.path)))
  }
}
