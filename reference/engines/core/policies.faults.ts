/** Faults of access policies and of what is decided by them. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Capability } from '../../core/policy-syntax.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { isEngineRoute, isProvisioning } from '../../faults/request-kinds.ts'
import { narrowed, widened } from './capability-changes.ts'

const { rule, declared } = faultsOf(coreEngine)

type Overrides = Parameters<typeof rule>[3]

/** Calls that went on though their policy said no. */
const leaking = new WeakSet<object>()

rule('denial-shows-data', 'CORE-CAP-02', 'the refusal of a read carries the data', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const allowed = original(granted, needed, call)
    if (allowed || needed !== 'read' || !call) return allowed
    leaking.add(call)
    return true
  },
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return leaking.has(call) ? { status: 403, body: { errors: ['permission denied'], denied: finished.body ?? null } } : finished
  },
})
rule('read-needs-list', 'CORE-CAP-03', 'reading takes the capability to list as well', {
  capabilityGranted: narrowed('read', (granted) => granted.has('list')),
})
rule('create-and-update-clash', 'CORE-CAP-06', 'create counts only where update is not granted', {
  capabilityGranted: narrowed('create', (granted) => !granted.has('update')),
})
rule('update-creates', 'CORE-CAP-09', 'a caller who may update may also create', {
  capabilityGranted: widened('create', (granted) => granted.has('update')),
})
rule('every-write-creates', ['CORE-CAP-07', 'CORE-CAP-10'], 'a write to an entry that exists counts as a create', {
  isUpdate: (original) => (exists, route) => exists === undefined && original(exists, route),
})
rule('update-needs-create', 'CORE-CAP-10', 'replacing takes the capability to create as well', {
  capabilityGranted: narrowed('update', (granted) => granted.has('create')),
})
rule('list-needs-read', 'CORE-CAP-11', 'listing takes the capability to read', {
  capabilityOf: (original) => (method, isUpdate) => (method === 'LIST' ? 'read' : original(method, isUpdate)),
})
rule('sudo-not-for-deletion', 'CORE-CAP-15', 'the elevated capability is not asked for by a deletion', {
  needsSudo: (original) => (route) => route.method !== 'DELETE' && original(route),
})

const matches = (also: (pattern: string, path: string) => boolean): Overrides => ({
  patternMatches: (original) => (pattern, path) => original(pattern, path) || also(pattern, path),
})
rule(
  'pattern-begins',
  'CORE-CAP-14',
  'a rule for one path covers the paths that begin with it',
  matches((pattern, path) => !isProvisioning({ path }) && path.startsWith(pattern)),
)
rule('child-acts-above', 'CORE-CAP-14', 'a token of a namespace acts in those around it', {
  tokenCovers: (original) => (tokenNamespace, namespace) => original(tokenNamespace, namespace) || tokenNamespace.startsWith(namespace),
})

type Call = NonNullable<Parameters<CoreRules['capabilityGranted']>[2]>

/** Another decision about requests of engines by a known caller: what was decided before, by a key, counts too. */
const deciding = (
  keyOf: (call: Call, needed: Capability, method: string) => string,
  decide: (before: boolean | undefined, now: boolean) => boolean,
): Overrides => ({
  capabilityGranted: (original) => {
    const decisions = new Map<string, boolean>()
    return (granted, needed, call, { method }) => {
      const now = original(granted, needed, call)
      if (call?.token === undefined || isProvisioning(call) || needed === 'sudo') return now
      const key = keyOf(call, needed, method)
      const decided = decide(decisions.get(key), now)
      decisions.set(key, decided)
      return decided
    }
  },
})

const place = ({ mount, path }: Call): string => mount.namespace + path

const grantedStays = (before: boolean | undefined, now: boolean): boolean => now || before === true

rule(
  'granted-for-whole-directory',
  'CORE-CAP-14',
  'what a caller was granted on a path it may do on the paths beside it',
  deciding((call, needed) => [call.token?.id, needed, place(call).replace(/[^/]*$/, '')].join(' '), grantedStays),
)

const written = remembered(() => new Set<string>())

rule('deleted-still-exists', ['CORE-CAP-19', 'CORE-CAP-08'], 'what was written once counts as existing after its deletion', {
  finish: (original) => (call, route, reply) => {
    if (call.method === 'POST' && isEngineRoute(route)) written(call.state as object).add(call.path)
    return original(call, route, reply)
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'create' && call && written(call.state as object).has(call.path) ? 'update' : needed, call),
})
rule('put-is-update', 'CORE-CAP-19', 'a write by PUT needs update even where the object is new', {
  capabilityGranted:
    (original) =>
    (granted, needed, call, { method }) =>
      original(granted, needed === 'create' && method === 'PUT' ? 'update' : needed, call),
})

export const faults = declared
