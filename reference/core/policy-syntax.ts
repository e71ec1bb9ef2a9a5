/** How a policy is written: as blocks or as JSON, with the capabilities of each path. The documents show no syntax. */

import { invalid } from './errors.ts'
import type { Json } from './json.ts'

const CAPABILITIES = ['create', 'read', 'update', 'delete', 'list', 'sudo', 'deny'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface PathRule {
  /** A path, with `+` for one whole segment and a trailing `*` for any rest. */
  path: string
  capabilities: Set<Capability>
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
