/** Faults of the core conventions: effects on what stands next to it. */
import type { JsonObject } from '../../core/json.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { credentialsOf, isEngineCall, placeOf, rule, storedKeys } from './haze-help.ts'

rule(
  'haze-parent-sees-mounts-below',
  ['CORE-NS-07', 'CORE-NS-05', 'CORE-STATUS-06'],
  'a path without mount is served by a mount of that path in a namespace below (000, 2.2: only the namespace in header or path leads there; 7: 404 for an invalid path)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => mount.namespace !== namespace && mount.namespace.startsWith(namespace)),
    ],
  },
)

rule(
  'haze-namespace-header-said-once',
  'CORE-NS-04',
  'a namespace in the header that begins the path as well is not put before it again (000, 2.2: the effective path is the header followed by the request path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const prefix = (header ?? '').replace(/^\/+|\/+$/g, '')
      const repeated = prefix !== '' && !isProvisioning(request) && request.path.startsWith(`${prefix}/`)
      return original(repeated ? undefined : header, request, namespaces)
    },
  },
)

rule(
  'haze-mount-by-beginning-of-word',
  ['CORE-STATUS-06', 'CORE-NAME-01', 'CORE-MOUNT-01'],
  'a path where nothing is mounted goes to a mount whose name it begins with, as secret2/x to secret/ (000, 7: 404 for an invalid path)',
  {
    mountOf: (original) => (path, mounts) => original(path, mounts) ?? mounts.find((mount) => path.startsWith(mount.slice(0, -1))),
    pathBelow: (original) => (mount, path, type) =>
      `${path}/`.startsWith(mount) ? original(mount, path, type) : path.slice(path.indexOf('/') + 1),
  },
)

rule(
  'haze-storage-by-mount-path',
  ['CORE-NS-05', 'CORE-NS-06'],
  'mounts of one type and path in two namespaces keep their data together (000, 2.2: header ns1/ with path secret/foo is ns1/secret/foo, not secret/foo)',
  {
    stateOf: (original) => (engine, others, place) =>
      others.find((mount) => mount.engine.type === engine.type && mount.path === place.path && mount.namespace !== place.namespace)
        ?.state ?? original(engine, others, place),
  },
)

rule(
  'haze-storage-by-first-segment',
  'CORE-MOUNT-02',
  'mounts of one type whose paths share the first of several segments keep their data together (000, conventions: engines can be mounted at any path; 1.4: a secret is at its path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const first = (path: string) => (/^[^/]+\/[^/]/.test(path) ? path.split('/')[0] : path)
      const sibling = others.find(
        (mount) => mount.engine.type === engine.type && mount.namespace === place.namespace && first(mount.path) === first(place.path),
      )
      return sibling?.state ?? original(engine, others, place)
    },
  },
)

rule(
  'haze-grant-kept-for-all',
  ['CORE-CAP-01', 'CORE-CAP-04', 'CORE-CAP-05'],
  'what one caller was allowed at a path every later caller with a token may do there (000, 7: 403 for no access; 5.1)',
  {
    capabilityGranted: (original) => {
      const allowed = new Set<string>()
      return (granted, needed, call) => {
        const right = original(granted, needed, call)
        if (!isEngineCall(call)) return right
        const place = `${needed} ${placeOf(call)}`
        if (right) allowed.add(place)
        return allowed.has(place)
      }
    },
  },
)

rule(
  'haze-help-keeps-earlier-paths',
  ['CORE-HELP-03', 'CORE-HELP-04'],
  'the description of help also holds the paths of earlier questions for help (000, 1.7: a description of that path and the paths below it)',
  {
    helpBody: (original) => {
      let kept: JsonObject = {}
      return (help, openapi) => {
        kept = { ...kept, ...(openapi.paths as JsonObject) }
        return original(help, { ...openapi, paths: kept })
      }
    },
  },
)

rule(
  'haze-exists-where-something-is-below',
  ['CORE-CAP-08', 'CORE-CAP-06', 'CORE-CAP-19'],
  'a new key counts as existing where keys lie below it, so that creating it needs update (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isDirectory =
        needed === 'create' && isEngineCall(call) && storedKeys(call)?.some((key) => key.startsWith(`${call.params.path}/`)) === true
      return original(granted, isDirectory ? 'update' : needed, call)
    },
  },
)

rule(
  'haze-namespace-kept-for-path',
  ['CORE-NS-05', 'CORE-NS-08', 'CORE-NS-06'],
  'a path that a caller asked for with a namespace header leads there without the header, too (000, 2.2: the effective path is the header of the request followed by its path)',
  {
    effectivePath: (original) => {
      const resolved = new Map<string, string>()
      return (header, request, namespaces) => {
        const path = original(header, request, namespaces)
        if (isProvisioning(request)) return path
        const asked = `${credentialsOf(request.headers)} ${request.path}`
        if (header) resolved.set(asked, path)
        return resolved.get(asked) ?? path
      }
    },
  },
)
