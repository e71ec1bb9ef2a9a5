/** Access policies: their text, and which capabilities they grant on a path. */

import { invalid } from './errors.ts'
import type { Json } from './json.ts'

const CAPABILITIES = ['create', 'read', 'update', 'delete', 'list', 'sudo', 'deny'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface PathRule {
  /** A path, with `+` for one whole segment and a trailing `*` for any rest. */
  path: string
  capabilities: Set<Capability>
}

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

  /** Throws 400 on a text that is no policy and on the name `root`. */
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

  /**
   * What a token's policies grant on a path relative to the token's namespace. Only the most specific pattern counts; where several
   * policies have that same pattern, their capabilities add up, and `deny` beats all others.
   */
  granted(namespace: string, names: string[], path: string, isList: boolean): Set<Capability> {
    const paths = isList ? [path, `${path}/`.replace(/\/\/$/, '/')] : [path]
    const rules = names.flatMap((name) => this.#of(namespace).get(name)?.rules ?? [])
    const fitting = rules.filter((rule) => paths.some((candidate) => this.#rules.patternMatches(rule.path, candidate)))
    const best = fitting.map(({ path: pattern }) => pattern).sort(this.#rules.patternPriority)[0]
    const granted = new Set(fitting.filter((rule) => rule.path === best).flatMap((rule) => [...rule.capabilities]))
    return granted.has('deny') ? new Set(['deny']) : granted
  }
}

/** Reads a policy as JSON or as blocks `path "x/*" { capabilities = ["read"] }`. Throws 400 on anything else. */
export const parsePolicy = (text: string): PathRule[] => {
  const source = text.replace(/^\s*(#|\/\/).*$/gm, '').trim()
  if (source.startsWith('{')) return parseJsonPolicy(source)
  const rules: PathRule[] = []
  const rest = source.replace(/path\s+"([^"]*)"\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g, (_whole, path: string, block: string) => {
    const list = /capabilities\s*=\s*\[([^\]]*)\]/.exec(block)?.[1] ?? ''
    rules.push(
      pathRule(
        path,
        [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name ?? ''),
      ),
    )
    return ''
  })
  if (rest.trim() !== '') throw invalid('failed to parse policy')
  return rules
}

const parseJsonPolicy = (source: string): PathRule[] => {
  try {
    const { path } = JSON.parse(source) as { path: Record<string, { capabilities: Json }> }
    return Object.entries(path).map(([pattern, { capabilities }]) => pathRule(pattern, capabilities as string[]))
  } catch {
    throw invalid('failed to parse policy')
  }
}

const pathRule = (path: string, names: string[]): PathRule => {
  const unknown = names.find((name) => !CAPABILITIES.includes(name as Capability) && name !== 'patch')
  if (unknown !== undefined) throw invalid(`unknown capability ${unknown}`)
  return { path: path.replace(/^\//, ''), capabilities: new Set(names.filter((name) => name !== 'patch') as Capability[]) }
}
