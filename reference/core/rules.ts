/** The decisions of the core conventions: each one small, named, and replaceable by a fault or a variant. */

import type { Call, Engine } from './engine.ts'
import { invalid } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { Mount } from './mounts.ts'
import type { Capability, PathRule } from './policy-syntax.ts'
import type { Reply } from './reply.ts'
import type { Seal } from './seal.ts'
import type { Spelling } from './spelling.ts'
import type { Token } from './tokens.ts'

/** The part of a route that core decisions look at. */
export interface RouteFacts {
  id: string
  method: string
  unauthenticated?: boolean
  sudo?: boolean
}

/** What is known of a request before it is routed. Header names in lower case. */
export interface RequestFacts {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
}

type AnyCall = Call<unknown, object>

export const coreRules = {
  /** The base paths at which the API answers, without trailing slash. */
  basePaths(): string[] {
    return ['/v1']
  },

  /** The caller's token: the service's own header first, then a bearer. */
  tokenOf({ headers }: RequestFacts, spelling: Spelling): string | undefined {
    const own = headers[spelling.headers.token]
    if (own) return own
    return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  },

  /** @param route undefined where no operation fits the path and the method */
  needsToken(route: RouteFacts | undefined): boolean {
    return !route?.unauthenticated
  },

  /**
   * Status of the refusal of a caller, undefined for a good one.
   * @param given the token text that the request carries
   * @param token the living token that it names
   */
  callerRefused(given: string | undefined, token: Token | undefined, _request: RequestFacts): number | undefined {
    return given === undefined || token === undefined ? 403 : undefined
  },

  needsSudo(route: RouteFacts): boolean {
    return route.sudo === true
  },

  tokenExpired(expiresAt: number | undefined, now: number): boolean {
    return expiresAt !== undefined && expiresAt <= now
  },

  /** A token acts in its own namespace and in those below it. */
  tokenCovers(tokenNamespace: string, namespace: string): boolean {
    return namespace.startsWith(tokenNamespace)
  },

  /** Header value and path joined: `a/b/` and `secret/x` give `a/b/secret/x`. */
  effectivePath(header: string | undefined, { path }: RequestFacts, _namespaces: string[]): string {
    const prefix = (header ?? '').split('/').filter((segment) => segment !== '')
    return [...prefix, path].join('/')
  },

  /** The existing namespace that a path is in: the longest that fits. */
  namespaceOf(effectivePath: string, namespaces: string[], _header: string | undefined): string {
    return namespaces.filter((path) => effectivePath.startsWith(path)).sort((a, b) => b.length - a.length)[0] ?? ''
  },

  /** The mounts that requests to a namespace can reach: its own. */
  mountsSeen(all: readonly Mount[], namespace: string): Mount[] {
    return all.filter((mount) => mount.namespace === namespace)
  },

  /** The mount that a path is in: the longest that fits. */
  mountOf(path: string, mounts: string[]): string | undefined {
    return mounts.filter((mount) => `${path}/`.startsWith(mount)).sort((a, b) => b.length - a.length)[0]
  },

  /** Restricted system paths work in the root and in one more namespace. */
  servesSystemPath(namespace: string, administrative: string): boolean {
    return namespace === '' || namespace === administrative
  },

  /** The path below a mount, as its routes see it. */
  pathBelow(mount: string, path: string, _type: string): string {
    return path.slice(mount.length)
  },

  isListing(method: string, query: URLSearchParams): boolean {
    return method === 'LIST' || (method === 'GET' && query.get('list') === 'true')
  },

  asksForHelp(method: string, query: URLSearchParams): boolean {
    return method === 'GET' && query.get('help') === '1'
  },

  /** PUT and POST are one; HEAD is a GET whose body is not sent. */
  canonicalMethod(method: string): string {
    return { PUT: 'POST', HEAD: 'GET' }[method] ?? method
  },

  /** @param exists whether the object is there already; undefined for operations without that check. */
  isUpdate(exists: boolean | undefined, _route: RouteFacts): boolean {
    return exists !== false
  },

  capabilityOf(method: string, isUpdate: boolean): Capability | undefined {
    const byMethod: Record<string, Capability> = {
      GET: 'read',
      LIST: 'list',
      DELETE: 'delete',
      POST: isUpdate ? 'update' : 'create',
      PATCH: 'update',
    }
    return byMethod[method]
  },

  capabilityGranted(granted: Set<Capability>, needed: Capability, _call: AnyCall | undefined): boolean {
    return !granted.has('deny') && granted.has(needed)
  },

  deniedStatus(): number {
    return 403
  },

  /** `+` stands for one segment, a trailing `*` for any rest. */
  patternMatches(pattern: string, path: string): boolean {
    const isGlob = pattern.endsWith('*')
    const fixed = (isGlob ? pattern.slice(0, -1) : pattern).split('/')
    const source = fixed.map((segment) => (segment === '+' ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).join('/')
    return new RegExp(`^${source}${isGlob ? '.*' : ''}$`, 's').test(path)
  },

  /**
   * Only the most specific pattern counts. Where several policies have that same pattern, their capabilities add up, and `deny` beats all
   * others.
   */
  combined(fitting: readonly PathRule[]): Set<Capability> {
    const granted = new Set(fitting.filter((rule) => rule.path === fitting[0]?.path).flatMap((rule) => [...rule.capabilities]))
    return granted.has('deny') ? new Set<Capability>(['deny']) : granted
  },

  /** Sorts the more specific pattern first: a later first wildcard, no glob, fewer `+`, longer. */
  patternPriority(a: string, b: string): number {
    const wildcard = (pattern: string) => (/[*+]/.test(pattern) ? pattern.search(/[*+]/) : Number.MAX_SAFE_INTEGER)
    const pluses = (pattern: string) => pattern.split('/').filter((segment) => segment === '+').length
    return (
      wildcard(b) - wildcard(a) ||
      Number(a.endsWith('*')) - Number(b.endsWith('*')) ||
      pluses(a) - pluses(b) ||
      b.length - a.length ||
      a.localeCompare(b)
    )
  },

  /** A named path parameter must not end in a period. */
  pathParameterAllowed(value: string): boolean {
    return !value.endsWith('.')
  },

  unsupportedPathStatus(): number {
    return 404
  },

  unknownPathStatus(): number {
    return 404
  },

  /** For a path that has routes, but none with the method. */
  wrongMethodStatus(_method: string, _routes: RouteFacts[]): number {
    return 405
  },

  emptyListStatus(): number {
    return 404
  },

  requestTooLarge(bytes: number): boolean {
    return bytes > 32 * 1024 * 1024
  },

  /** Status for a body that is too large; undefined cuts the connection. */
  oversizeStatus(): number | undefined {
    return 413
  },

  /** An absent body is an empty object. Throws 400 on anything but a JSON object in UTF-8. */
  parseBody(bytes: Uint8Array, _request: RequestFacts): { text: string; body: JsonObject } {
    if (bytes.length === 0) return { text: '{}', body: {} }
    let text: string
    let body: Json
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      body = JSON.parse(text) as Json
    } catch {
      throw invalid('failed to parse JSON input')
    }
    if (body === null || typeof body !== 'object' || Array.isArray(body)) throw invalid('the body must be a JSON object')
    return { text, body }
  },

  /** A last chance to refuse a request, by throwing, before its handler sees it. */
  check(_call: AnyCall, _route: RouteFacts): void {},

  /** The state of a new mount: nothing is shared with other mounts. */
  stateOf(engine: Engine, _others: Mount[], _place: { path: string; namespace: string }): unknown {
    return engine.newState()
  },

  /** Status with which a service that does not serve answers, undefined while it serves. */
  outOfService({ initialized, sealed }: Pick<Seal, 'initialized' | 'sealed'>, _request: RequestFacts): number | undefined {
    return initialized ? (sealed ? 503 : undefined) : 501
  },

  errorBody(messages: string[]): Json {
    return { errors: messages }
  },

  /** The answer to a refused request. */
  failure(status: number, body: Json, _request: RequestFacts): Reply {
    return { status, body }
  },

  /** The last word on every answer of a handler. */
  finish(_call: AnyCall, _route: RouteFacts, reply: Reply): Reply {
    return reply
  },

  /** Markdown about a path, from the operations at and below it. */
  helpText(path: string, operations: { method: string; relative: string; id: string }[]): string {
    const lines = operations.map(({ method, relative, id }) => `- \`${method} ${relative}\`: ${id}`)
    return [`## ${path || '/'}`, '', 'Operations at and below this path:', '', ...lines].join('\n')
  },

  /** The path of an operation in `openapi`: relative to the path asked. */
  helpPath(relative: string, _queried: string): string {
    return relative
  },

  helpBody(help: string, openapi: JsonObject): JsonObject {
    return { help, openapi }
  },

  helpAllowed(granted: Set<Capability>): boolean {
    return granted.size > 0 && !granted.has('deny')
  },
}

export type CoreRules = typeof coreRules
