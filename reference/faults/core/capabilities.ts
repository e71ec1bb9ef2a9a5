/** Faults of access policies. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'

type Granted = CoreRules['capabilityGranted']

/** Also grants `needed` where `also` says so. */
const widened =
  (needed: string, also: (granted: Set<string>) => boolean) =>
  (original: Granted): Granted =>
  (granted, asked, call) =>
    original(granted, asked, call) || (asked === needed && also(granted))

/** Grants `needed` only where `only` says so. */
const narrowed =
  (needed: string, only: (granted: Set<string>) => boolean) =>
  (original: Granted): Granted =>
  (granted, asked, call) =>
    original(granted, asked, call) && (asked !== needed || only(granted))

/** Calls that went on though their policy said no. */
const leaking = new WeakSet<object>()

export const capabilityFaults: Fault[] = [
  fault(
    coreEngine,
    { id: 'core-no-rule-reads', engine: 'core', title: 'a path that no policy names can be read', clauses: ['CORE-CAP-01'] },
    { rules: { capabilityGranted: widened('read', (granted) => granted.size === 0) } },
  ),
  fault(
    coreEngine,
    { id: 'core-denial-shows-data', engine: 'core', title: 'the refusal of a read carries the data', clauses: ['CORE-CAP-02'] },
    {
      rules: {
        capabilityGranted: (original) => (granted, needed, call) => {
          const allowed = original(granted, needed, call)
          if (allowed || needed !== 'read' || !call) return allowed
          leaking.add(call)
          return true
        },
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          if (!leaking.has(call)) return finished
          return { status: 403, body: { errors: ['permission denied'], denied: finished.body ?? null } }
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-read-needs-list', engine: 'core', title: 'reading takes the capability to list as well', clauses: ['CORE-CAP-03'] },
    { rules: { capabilityGranted: narrowed('read', (granted) => granted.has('list')) } },
  ),
  fault(
    coreEngine,
    { id: 'core-read-writes', engine: 'core', title: 'who may read may also write', clauses: ['CORE-CAP-04'] },
    {
      rules: {
        capabilityGranted: (original) => (granted, needed, call) =>
          original(granted, needed, call) || ((needed === 'update' || needed === 'create') && granted.has('read')),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-write-reads', engine: 'core', title: 'who may write may also read', clauses: ['CORE-CAP-05'] },
    { rules: { capabilityGranted: widened('read', (granted) => granted.has('create') || granted.has('update')) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-create-and-update-clash',
      engine: 'core',
      title: 'create counts only where update is not granted',
      clauses: ['CORE-CAP-06'],
    },
    { rules: { capabilityGranted: narrowed('create', (granted) => !granted.has('update')) } },
  ),
  fault(
    coreEngine,
    { id: 'core-create-replaces', engine: 'core', title: 'who may create may also replace', clauses: ['CORE-CAP-07'] },
    { rules: { capabilityGranted: widened('update', (granted) => granted.has('create')) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-every-write-creates',
      engine: 'core',
      title: 'a write to an entry that exists counts as a create',
      clauses: ['CORE-CAP-07', 'CORE-CAP-10'],
    },
    { rules: { isUpdate: (original) => (exists, route) => exists === undefined && original(exists, route) } },
  ),
  fault(
    coreEngine,
    { id: 'core-update-needs-create', engine: 'core', title: 'replacing takes the capability to create as well', clauses: ['CORE-CAP-10'] },
    { rules: { capabilityGranted: narrowed('update', (granted) => granted.has('create')) } },
  ),
  fault(
    coreEngine,
    { id: 'core-list-needs-read', engine: 'core', title: 'listing takes the capability to read', clauses: ['CORE-CAP-11'] },
    { rules: { capabilityOf: (original) => (method, isUpdate) => (method === 'LIST' ? 'read' : original(method, isUpdate)) } },
  ),
  fault(
    coreEngine,
    { id: 'core-read-lists', engine: 'core', title: 'who may read may also list', clauses: ['CORE-CAP-12'] },
    { rules: { capabilityGranted: widened('list', (granted) => granted.has('read')) } },
  ),
  fault(
    coreEngine,
    { id: 'core-update-deletes', engine: 'core', title: 'who may update may also delete', clauses: ['CORE-CAP-13'] },
    { rules: { capabilityGranted: widened('delete', (granted) => granted.has('update')) } },
  ),
  fault(
    coreEngine,
    { id: 'core-read-deletes', engine: 'core', title: 'a deletion asks for the capability to read', clauses: ['CORE-CAP-13'] },
    { rules: { capabilityGranted: widened('delete', (granted) => granted.has('read')) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-policy-covers-directory',
      engine: 'core',
      title: 'a policy for one path counts for its whole directory',
      clauses: ['CORE-CAP-14'],
    },
    {
      rules: {
        patternMatches: (original) => (pattern, path) => {
          const directory = pattern.slice(0, pattern.lastIndexOf('/') + 1)
          return original(pattern, path) || (directory !== '' && path.startsWith(directory))
        },
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-policy-by-prefix',
      engine: 'core',
      title: 'a policy for one path counts for every path that begins so',
      clauses: ['CORE-CAP-14'],
    },
    { rules: { patternMatches: (original) => (pattern, path) => original(pattern, path) || path.startsWith(pattern) } },
  ),
]
