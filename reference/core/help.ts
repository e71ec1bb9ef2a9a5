/** `?help=1`: what is at and below a path, as markdown and as a small OpenAPI document. */

import { bare } from './envelope.ts'
import { ApiError } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { Reply } from './reply.ts'
import { below } from './router.ts'
import type { CoreRules, RouteFacts } from './rules.ts'

const VERBS: Record<string, string> = { LIST: 'get' }

/**
 * @param routes of the mount, with paths below it
 * @param rest the path asked, below the mount
 * @param queried the path asked, mount included
 */
export const help = (rules: CoreRules, routes: (RouteFacts & { path: string })[], rest: string, queried: string): Reply => {
  const found = below(routes, rest)
  if (found.length === 0) throw new ApiError(rules.unknownPathStatus(), 'unsupported path')
  const operations = found.map(({ route, relative }) => ({ method: route.method, id: route.id, relative }))
  const paths: JsonObject = {}
  for (const { route, relative } of found) {
    const path = rules.helpPath(relative, queried)
    const item = (paths[path] ?? {}) as JsonObject
    item[VERBS[route.method] ?? route.method.toLowerCase()] ??= operation(route, relative)
    paths[path] = item
  }
  const openapi = { openapi: '3.0.2', info: { title: 'Secrets service', version: '0.1.0' }, paths }
  return bare(rules.helpBody(rules.helpText(queried, operations), openapi))
}

const operation = (route: RouteFacts, relative: string): Json => {
  const names = [...relative.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  return { operationId: route.id, ...(parameters.length ? { parameters } : {}), responses: { 200: { description: 'OK' } } }
}
