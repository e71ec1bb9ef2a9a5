/** Faults of the core conventions that hit what stands next to it: other keys, versions, callers, mounts and namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { placeOf, toEngine } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')

const lastSegment = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? ''

core.rule(
  'iris-mounts-share-by-last-segment',
  'CORE-NS-05',
  'mounts of one type whose paths end alike, in other folders or namespaces, hold the same objects (000, 1 and 2.2: engines are mounted at any path; another effective path is another object)',
  {
    stateOf: (original) => (engine, others, place) =>
      others.find((other) => other.engine.type === engine.type && lastSegment(other.path) === lastSegment(place.path))?.state ??
      original(engine, others, place),
  },
)

core.rule(
  'iris-namespace-by-bare-prefix',
  'CORE-MOUNT-01',
  'a mount whose path begins with the name of a namespace, `team-x/` beside `team/`, is looked for in that namespace (000, 2.2: the effective path is header and path joined, segments count)',
  {
    namespaceOf: () => (effectivePath, namespaces) =>
      namespaces.filter((path) => effectivePath.startsWith(path.slice(0, -1))).sort((a, b) => b.length - a.length)[0] ?? '',
  },
)

core.rule(
  'iris-mounts-of-parents-seen',
  'CORE-NS-07',
  'where a namespace has no mount at a path, that of a namespace above answers (000, 2.2: `<ns1>/secret/foo` is another path than `secret/foo`)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.namespace !== namespace && namespace.startsWith(mount.namespace))
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

const allowedPaths = remembered(() => new Set<string>())

core.rule(
  'iris-permission-cached-without-caller',
  'CORE-CAP-05',
  'what one token was allowed on a path is allowed to every token from then on (000, 7: 403 or 404 for a caller without access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!toEngine(call) || needed === 'sudo') return original(granted, needed, call)
      const known = allowedPaths(call.services)
      const key = `${needed} ${placeOf(call)}`
      if (original(granted, needed, call)) known.add(key)
      return known.has(key)
    },
  },
)

const belowFirst = (path: string): string => path.split('/').slice(1).join('/')

core.rule(
  'iris-policy-path-without-mount',
  'CORE-CAP-17',
  'a policy on one key of a mount counts for the key of that name in every mount (000, 7: 403 or 404 where the caller has no access to the path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (!/[*+]/.test(pattern) && belowFirst(pattern) !== '' && belowFirst(pattern) === belowFirst(path)),
  },
)
