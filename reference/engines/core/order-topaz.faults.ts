/** Faults of the conventions in time and order: what was asked before something was there, while sealed, or in vain. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Mount } from '../../core/mounts.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

/** The token that a request carries, whichever way. */
const tokenIn = ({ headers }: RequestFacts): string | undefined =>
  headers['x-service-token'] ?? headers['x-vault-token'] ?? /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** Where a request goes, as it was sent. */
const placeOf = ({ headers, path }: RequestFacts): string =>
  `${headers['x-service-namespace'] ?? headers['x-vault-namespace'] ?? ''} ${path}`

const asked = new Set<string>()

rule(
  'topaz-asked-while-sealed',
  'CORE-SEAL-03',
  'a token that was sent while the service was sealed is refused after unsealing (000, 3: unsealed (normal operation); 7: 503 sealed)',
  {
    outOfService: (original) => (seal, request) => {
      const status = original(seal, request)
      const given = status === 503 ? tokenIn(request) : undefined
      if (given !== undefined) asked.add(given)
      return status
    },
    callerRefused: (original) => (given, token, request) => {
      const isMarked = given !== undefined && asked.has(given) && !token?.policies.includes('root') && !isProvisioning(request)
      return isMarked ? 403 : original(given, token, request)
    },
  },
)

const parsedFrom = new WeakMap<object, { text: string; body: JsonObject }>()
const left = new Map<string, { text: string; body: JsonObject }>()

/** Two texts of JSON objects as one; of members with the same name the second counts. */
const joined = (...texts: string[]): string =>
  `{${texts
    .map((text) => text.trim().slice(1, -1).trim())
    .filter((members) => members !== '')
    .join(',')}}`

rule(
  'topaz-denied-body-lingers',
  'CORE-CAP-04',
  'members of the body of a write that was denied go into the next write to the same path, where that has no members of these names (000, 4.1: JSON object body; stored; 7: 403 forbidden)',
  {
    parseBody: (original) => (bytes, request) => {
      const given = original(bytes, request)
      if (!isWrite(request)) return given
      const before = left.get(placeOf(request))
      left.delete(placeOf(request))
      const parsed = before ? { text: joined(before.text, given.text), body: { ...before.body, ...given.body } } : given
      parsedFrom.set(request, parsed)
      return parsed
    },
    failure: (original) => (status, body, request) => {
      const parsed = status === 403 ? parsedFrom.get(request) : undefined
      if (parsed) left.set(placeOf(request), parsed)
      return original(status, body, request)
    },
  },
)

rule(
  'topaz-path-before-namespace',
  'CORE-NS-03',
  'a path without header that was asked for before the namespace in it was made never gets there (000, 2.2: equivalent to no header with path `<ns1>/<ns2>/secret/foo`)',
  {
    namespaceOf: (original) => {
      const known = new Map<string, string>()
      return (effectivePath, namespaces, header) => {
        const found = original(effectivePath, namespaces, header)
        if (header || isProvisioning({ path: effectivePath })) return found
        const before = known.get(effectivePath)
        if (before !== undefined && namespaces.includes(before)) return before
        known.set(effectivePath, found)
        return found
      }
    },
  },
)

let namespaceOfMounts = ''

rule(
  'quartz-asked-before-mounted',
  'CORE-MOUNT-01',
  'a path that was asked for before anything was mounted there stays unknown afterwards (000, conventions: engines can be mounted at any path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      namespaceOfMounts = namespace
      return original(all, namespace)
    },
    mountOf: (original) => {
      const unknown = new Set<string>()
      return (path, mounts) => {
        const found = original(path, mounts)
        if (found === undefined) unknown.add(namespaceOfMounts + path)
        return unknown.has(namespaceOfMounts + path) ? undefined : found
      }
    },
  },
)

rule(
  'topaz-remount-other-version',
  'CORE-MOUNT-01',
  'where a kv mount was disabled and kv of the other version was enabled, the path patterns are those of the first (000, 1.4: key-value v2 inserts `data/` after the mount; 1.8)',
  {
    mountsSeen: (original) => {
      const first = new Map<string, Mount>()
      const served = new WeakMap<Mount, Mount>()
      return (all, namespace) =>
        original(all, namespace).map((mount) => {
          const place = `${mount.namespace} ${mount.path}`
          const before = first.get(place)
          if (before === undefined) first.set(place, mount)
          const areKv = before !== undefined && [before, mount].every(({ engine }) => /^kv[12]$/.test(engine.type))
          if (!areKv || before.engine === mount.engine) return mount
          const instead = served.get(mount) ?? { ...mount, engine: before.engine, state: before.engine.newState() }
          served.set(mount, instead)
          return instead
        })
    },
  },
)
