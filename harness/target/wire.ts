/** Turns a call in the contract's words into a request on the wire. */

import type { Json } from '../base/json.ts'
import { uriComponent } from '../base/text.ts'
import type { Api, Operation } from '../contract/contract.ts'
import { type Dialect, encodeBody, encodeHeaders, encodePath } from './dialect.ts'
import type { CallInput } from './exchange.ts'

export interface WireRequest {
  method: string
  /** Path with query, raw. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** What of an operation decides how a request is spelled; one that the contract does not describe has the first three. */
type Routed = Pick<Operation, 'id' | 'method' | 'path'> & Partial<Pick<Operation, 'basePath' | 'isList' | 'parameters' | 'request'>>

export interface Addressing {
  api: Api
  dialect: Dialect
  /** Prefix of the base URL, e.g. `/proxy`; empty for most servers. */
  prefix: string
  /** Headers of the configuration, sent with every request. */
  headers: Record<string, string>
}

const encodeMany = (value: string): string => value.split('/').map(uriComponent).join('/')

/** Path below the API's base path with its parameters filled in; `encode` off gives the text that policies use. */
export const fillPath = (
  operation: Routed,
  template: string,
  path: Record<string, string>,
  mount: string | undefined,
  encode = true,
): string =>
  template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    if (name === 'mount') return mount === undefined ? '{mount}' : encode ? encodeMany(mount) : mount
    const value = path[name]
    if (value === undefined) throw new Error(`${operation.id} needs the path parameter ${name}`)
    if (!encode) return value
    return operation.parameters?.find((parameter) => parameter.name === name)?.multiSegment ? encodeMany(value) : uriComponent(value)
  })

const queryText = (query: Record<string, string | string[]>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const),
  )
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${uriComponent(name)}=${uriComponent(value)}`).join('&')}`
}

const splitNamespace = (namespace: string, inPath: number): { header: string; path: string } => {
  const segments = namespace.split('/').filter((segment) => segment !== '')
  const cut = segments.length - inPath
  const text = (part: string[]) => (part.length === 0 ? '' : `${part.join('/')}/`)
  return { header: text(segments.slice(0, cut)), path: text(segments.slice(cut)) }
}

interface EncodeInput extends CallInput {
  token: string | undefined
  mountPath: string | undefined
  effectiveNamespace: string
}

/** Spells one call for the wire. */
export const encodeCall = (to: Addressing, operation: Routed, input: EncodeInput): WireRequest => {
  const { api, dialect } = to
  const listing = operation.isList ? api.listing : undefined
  const method = input.method ?? dialect.methods?.[operation.id] ?? operation.method
  const asQuery = listing !== undefined && method === 'GET' && input.query?.[listing.query] === undefined
  const query = { ...(asQuery ? { [listing.query]: listing.value } : {}), ...input.query }
  const namespace = splitNamespace(input.effectiveNamespace, input.namespaceInPath ?? 0)
  const below = fillPath(
    operation,
    dialect.paths?.[operation.id] ?? operation.path,
    encodePath(dialect, operation.id, input.path ?? {}),
    input.mountPath,
  )
  const carrier = api.carriers[input.carrier ?? Object.keys(api.carriers)[0]!]
  if (carrier === undefined) throw new Error(`the API has no token carrier ${input.carrier}`)
  const body =
    input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(encodeBody(dialect, operation.id, input.body as Json)))
  const typed = Object.keys({ ...to.headers, ...input.headers }).some((name) => name.toLowerCase() === 'content-type')
  const headers = {
    ...api.headers,
    ...(body === undefined || typed ? {} : { 'Content-Type': operation.request?.mediaType ?? api.mediaType }),
    ...(input.token === undefined ? {} : { [carrier.header]: carrier.format.replace('{token}', input.token) }),
    ...(api.namespaces !== undefined && namespace.header !== '' ? { [api.namespaces.header]: namespace.header } : {}),
    ...to.headers,
    ...input.headers,
  }
  // An empty value takes a header away; a token may be sent that is empty, and so may a namespace.
  const isSent = ([name, value]: [string, string]): boolean =>
    value !== '' || (name === carrier.header && input.token === '') || (name === api.namespaces?.header && input.headers?.[name] === '')
  const path = `${to.prefix}${operation.basePath ?? api.basePath}/${encodeMany(namespace.path)}${below.replace(/^\//, '')}${input.pathSuffix ?? ''}`
  return {
    method,
    path: path + queryText(query),
    headers: encodeHeaders(dialect, Object.fromEntries(Object.entries(headers).filter(isSent))),
    ...(body === undefined ? {} : { body }),
  }
}
