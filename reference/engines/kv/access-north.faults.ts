/** Faults of who may ask: tokens and their carriers, verbs, capabilities, deny, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { parseExact } from '../../core/json.ts'
import { anyoneMay, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { Kv1State } from './kv1.ts'
import { here, isBelow, isKv, isKv1, isKv2, located, noticing, pathIn } from './north-help.ts'
import type { Kv2State } from './records.ts'

const { rule } = faultsOf(coreEngine, 'kv')

rule(
  'north-put-without-bearer',
  'KV-V2-01',
  'PUT takes the token from the own header only (000 5.1: or in header Authorization as Bearer; 1.6: PUT and POST are synonyms)',
  { ...noticing, ...bearerIgnored(({ method }) => here() && method === 'PUT') },
)

rule(
  'north-ended-token-reads-on',
  'CORE-AUTH-15',
  'a token with which keys were read is good for reading after its end (000 5.1: a client token is required; 7: 403)',
  { ...noticing, ...goodForEver(({ method, query }) => here() && method === 'GET' && !query.has('list') && !query.has('help')) },
)

const putting = new WeakSet<object>()
rule(
  'north-put-always-updates',
  'CORE-WRITE-01',
  'PUT of a new key asks for update instead of create (000 1.6: PUT and POST are synonyms, create and update are distinguished)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      if (request.method === 'PUT') putting.add(request.headers)
      return original(header, request, namespaces)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && isKv(call) && putting.has(call.headers) ? 'update' : needed, call),
  },
)

const creators = remembered(() => new Map<string, string>())
rule(
  'north-creator-may-update',
  'CORE-CAP-07',
  'who may only create may overwrite what the same token has created (000 1.6: policies distinguish create and update; 7: 403)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isKv2(call) || !isBelow(call, 'data') || call.method !== 'POST') return isGranted
      const known = creators(call.state as Kv2State)
      const caller = call.token?.accessor ?? ''
      if (isGranted && needed === 'create') known.set(pathIn(call), caller)
      return isGranted || (needed === 'update' && known.get(pathIn(call)) === caller && original(granted, 'create', call))
    },
  },
)

rule(
  'north-denied-may-destroy',
  'CORE-CAP-04',
  'who is denied the destroy path of a key may destroy its versions (000 7: 403 forbidden, no access)',
  denyOverlooked((call) => isKv2(call) && isBelow(call, 'destroy')),
)

rule(
  'north-right-to-data-reaches-undelete',
  'CORE-CAP-04',
  'who may update data/<path> may undelete its versions without a right to undelete/<path> (000 7: 403, 404 when the caller may not view a path)',
  {
    ...noticing,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (located() === 'kv2' && original(pattern, path.replace(/(^|\/)undelete\//, '$1data/'))),
  },
)

rule(
  'north-numbered-versions-for-everyone',
  'CORE-CAP-01',
  'a read with a version number is open to every token that is not denied it (000 7: 403 forbidden, 404 when the caller may not view a path)',
  anyoneMay((call) => isKv2(call) && call.method === 'GET' && isBelow(call, 'data') && call.query.has('version')),
)

rule(
  'north-mounts-inherited-by-namespaces',
  'CORE-NS-07',
  'in a namespace without such a mount the one of the namespace above answers (000 2.2: the effective path is the header and the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.namespace !== namespace && namespace.startsWith(mount.namespace))
      const inherited = above.filter(({ engine, path }) => /^kv[12]$/.test(engine.type) && !own.some((mount) => mount.path === path))
      return [...own, ...inherited]
    },
  },
)

let header: string | undefined
rule(
  'north-header-of-one-namespace-only',
  'CORE-NS-01',
  'a mount is not found where the header names two namespaces (000 2.2: header <ns1>/<ns2>/ is equivalent to header <ns1>/ with path <ns2>/)',
  {
    effectivePath: (original) => (given, request, namespaces) => {
      header = given
      return original(given, request, namespaces)
    },
    mountsSeen: (original) => (all, namespace) => {
      const named = (header ?? '').split('/').filter((segment) => segment !== '')
      return original(all, namespace).filter(({ engine }) => named.length < 2 || !/^kv[12]$/.test(engine.type))
    },
  },
)

rule(
  'north-updated-in-spite-of-refusal',
  'CORE-CAP-07',
  'an update without the capability is refused, but the object is replaced (000 1.6: capabilities create and update; 7: 403 forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isGranted && needed === 'update' && isKv1(call) && call.method === 'POST') {
        const { objects } = call.state as Kv1State
        if (objects.has(pathIn(call))) objects.set(pathIn(call), parseExact(call.text))
      }
      return isGranted
    },
  },
)

const decided = remembered(() => new Set<string>())
rule(
  'north-decision-kept-for-directory',
  'CORE-CAP-14',
  'a token that has read one key of a directory may read the others there (000 7: 403 forbidden, 404 when the caller may not view a path)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (needed !== 'read' || !isKv1(call) || granted.has('deny')) return isGranted
      const known = decided(call.state as Kv1State)
      const asked = `${call.token?.accessor} ${call.path.slice(0, call.path.lastIndexOf('/'))}`
      if (isGranted) known.add(asked)
      return known.has(asked)
    },
  },
)
