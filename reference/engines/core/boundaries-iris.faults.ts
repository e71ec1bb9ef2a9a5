/** Faults of the core conventions at limits: none, one, many, first, last, exactly at the maximum. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'
import { isMap } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')

/** The body of a listing with other keys. */
const withKeys = (body: JsonObject, change: (keys: Json[]) => Json): JsonObject =>
  isMap(body.data) && Array.isArray(body.data.keys) ? { ...body, data: { ...body.data, keys: change(body.data.keys) } } : body

core.rule(
  'iris-single-key-as-text',
  'CORE-LIST-03',
  'a listing of exactly one name gives `keys` as a string (000, 4.1: `data.keys` is an array of strings)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (!isEngineRoute(route) || call.method !== 'LIST') return given
      return withBody(given, (body) => withKeys(body, (keys) => (keys.length === 1 ? (keys[0] ?? '') : keys)))
    },
  },
)

const withPaths = (openapi: JsonObject, keeps: (path: string, all: string[]) => boolean): JsonObject => {
  const { paths } = openapi
  if (!isMap(paths)) return openapi
  const all = Object.keys(paths)
  return { ...openapi, paths: Object.fromEntries(Object.entries(paths).filter(([path]) => keeps(path, all))) }
}

core.rule(
  'iris-help-one-level',
  'CORE-HELP-04',
  'help describes only one level below the path asked (000, 1.7: that path and the paths below it)',
  {
    helpBody: (original) => (help, openapi) =>
      original(
        help,
        withPaths(openapi, (path) => path.split('/').length <= 2),
      ),
  },
)

core.rule(
  'iris-help-own-path-left-out',
  'CORE-HELP-09',
  'where there are paths below, help leaves out the operations of the path asked itself (000, 1.7: that path and the paths below it)',
  {
    helpBody: (original) => (help, openapi) =>
      original(
        help,
        withPaths(openapi, (path, all) => path !== '/' || all.length === 1),
      ),
  },
)

core.rule(
  'iris-deep-mount-unknown',
  'CORE-MOUNT-01',
  'a mount whose path has three segments or more is not found (000, conventions: engines can be mounted at any path)',
  {
    mountOf: (original) => (path, mounts) =>
      original(
        path,
        mounts.filter((mount) => mount.split('/').length <= 3),
      ),
  },
)

core.rule(
  'iris-single-verb-path-404',
  'CORE-STATUS-08',
  'a path that has one verb only answers another verb with 404 (000, 7: 405 for an unsupported method for the path)',
  { wrongMethodStatus: (original) => (method, routes) => (routes.length === 1 ? 404 : original(method, routes)) },
)
