/** Faults of the core conventions at limits: none, one, many, first, last, exactly at the maximum. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'
import { kv1Engine } from '../kv/kv1.ts'
import { kv2Engine } from '../kv/kv2.ts'
import { deep, isMap } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')
const kv1 = faultsOf(kv1Engine, 'core')
const kv2 = faultsOf(kv2Engine, 'core')

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

kv1.rule(
  'iris-empty-texts-dropped',
  'KV-V1-06',
  'members of an object that are empty texts or false are not stored (000, 4.1: the JSON object body is stored)',
  {
    replaced: (original) => (previous, written) => {
      const kept = original(previous, written)
      return isMap(kept) ? Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== '' && value !== false)) : kept
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

kv2.rule(
  'iris-last-named-version-spared',
  'KV-V2-08',
  'of several versions that a request names, the last is left as it is (000, 1.8: delete, undelete and destroy act on versions)',
  {
    chosen: (original) => (named, present) => original(named.length > 1 ? named.slice(0, -1) : named, present),
  },
)

core.rule(
  'iris-single-verb-path-404',
  'CORE-STATUS-08',
  'a path that has one verb only answers another verb with 404 (000, 7: 405 for an unsupported method for the path)',
  { wrongMethodStatus: (original) => (method, routes) => (routes.length === 1 ? 404 : original(method, routes)) },
)

kv2.rule(
  'iris-lists-of-one-unwrapped',
  'KV-V2-06',
  'a list with one item within a stored object becomes the item (000, 4.1: the written `data` is stored)',
  {
    replaced: (original) => (previous, written) =>
      deep(original(previous, written), (part) => (Array.isArray(part) && part.length === 1 ? (part[0] ?? null) : part)),
  },
)
