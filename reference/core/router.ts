/** Finds the routes of an engine that fit a path: literal segments before `:name`, these before `*path`. */
export interface Pattern {
  /** `roles/:name`, `data/*path`; without leading slash. */
  path: string
}

export interface Match<R> {
  route: R
  params: Record<string, string>
}

/** A pattern taken apart: every request asks for each of them. */
interface Parsed {
  segments: readonly string[]
  /** Sorts literal segments before `:name`, these before `*path`. */
  rank: string
}

const known = new Map<string, Parsed>()

const parsed = (pattern: string): Parsed => {
  const found = known.get(pattern)
  if (found !== undefined) return found
  const segments = pattern.split('/')
  const rank = segments.map((part) => (part.startsWith('*') ? 2 : part.startsWith(':') ? 1 : 0)).join('')
  known.set(pattern, { segments, rank })
  return { segments, rank }
}

/**
 * All routes that fit `path`, whatever their method, the most specific first.
 * A `:name` takes one non-empty segment; `*path` takes the rest, which may be empty.
 */
export const matching = <R extends Pattern>(routes: readonly R[], path: string): Match<R>[] => {
  const given = path.split('/')
  const fitting: (Match<R> & { rank: string })[] = []
  for (const route of routes) {
    const { segments, rank } = parsed(route.path)
    const params = fitted(segments, given)
    if (params !== undefined) fitting.push({ route, params, rank })
  }
  return fitting.sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0))
}

const fitted = (wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined => {
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    if (segment.startsWith('*')) {
      params[segment.slice(1)] = given.slice(index).join('/')
      return params
    }
    const value = given[index]
    if (value === undefined) return undefined
    if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return wanted.length === given.length ? params : undefined
}

/** `roles/:name` as it is written in OpenAPI: `roles/{name}`. */
const template = (pattern: string): string => pattern.replace(/[:*](\w+)/g, '{$1}')

/**
 * The routes at and below `path`, each with its pattern relative to `path`: with a leading slash, `/` for the path itself.
 */
export const below = <R extends Pattern>(routes: readonly R[], path: string): { route: R; relative: string }[] => {
  const given = path.split('/').filter((segment) => segment !== '')
  return routes.flatMap((route) => {
    const wanted = route.path.split('/').filter((segment) => segment !== '')
    const rest = wanted.findIndex((segment) => segment.startsWith('*'))
    const fixed = rest < 0 ? wanted : wanted.slice(0, rest)
    const fits = given.every(
      (segment, index) => (rest >= 0 && index >= rest) || wanted[index] === segment || wanted[index]?.startsWith(':'),
    )
    if (!fits) return []
    const remaining = given.length <= fixed.length ? wanted.slice(given.length) : wanted.slice(rest)
    return [{ route, relative: `/${template(remaining.join('/'))}` }]
  })
}
