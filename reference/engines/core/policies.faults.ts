/** Faults of access policies. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { narrowed, widened } from './capability-changes.ts'

const { rule } = faultsOf(coreEngine)

/** Calls that went on though their policy said no. */
const leaking = new WeakSet<object>()

rule('no-rule-reads', 'CORE-CAP-01', 'a path that no policy names can be read', {
  capabilityGranted: widened('read', (granted) => granted.size === 0),
})
rule('denial-shows-data', 'CORE-CAP-02', 'the refusal of a read carries the data', {
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
})
rule('read-needs-list', 'CORE-CAP-03', 'reading takes the capability to list as well', {
  capabilityGranted: narrowed('read', (granted) => granted.has('list')),
})
rule('read-writes', 'CORE-CAP-04', 'who may read may also write', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || ((needed === 'update' || needed === 'create') && granted.has('read')),
})
rule('write-reads', 'CORE-CAP-05', 'who may write may also read', {
  capabilityGranted: widened('read', (granted) => granted.has('create') || granted.has('update')),
})
rule('create-and-update-clash', 'CORE-CAP-06', 'create counts only where update is not granted', {
  capabilityGranted: narrowed('create', (granted) => !granted.has('update')),
})
rule('create-replaces', 'CORE-CAP-07', 'who may create may also replace', {
  capabilityGranted: widened('update', (granted) => granted.has('create')),
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
rule('stranger-lists', 'CORE-CAP-17', 'a path that no policy names can be listed', {
  capabilityGranted: widened('list', (granted) => granted.size === 0),
})
rule('stranger-deletes', 'CORE-CAP-18', 'what no policy names can be deleted', {
  capabilityGranted: widened('delete', (granted) => granted.size === 0),
})
rule('read-lists', 'CORE-CAP-12', 'who may read may also list', { capabilityGranted: widened('list', (granted) => granted.has('read')) })
rule('update-deletes', 'CORE-CAP-13', 'who may update may also delete', {
  capabilityGranted: widened('delete', (granted) => granted.has('update')),
})
rule('read-deletes', 'CORE-CAP-13', 'a deletion asks for the capability to read', {
  capabilityGranted: widened('delete', (granted) => granted.has('read')),
})
rule('policy-covers-directory', 'CORE-CAP-14', 'a policy for one path counts for its whole directory', {
  patternMatches: (original) => (pattern, path) => {
    const directory = pattern.slice(0, pattern.lastIndexOf('/') + 1)
    return original(pattern, path) || (directory !== '' && path.startsWith(directory))
  },
})
rule('policy-by-prefix', 'CORE-CAP-14', 'a policy for one path counts for every path that begins so', {
  patternMatches: (original) => (pattern, path) => original(pattern, path) || path.startsWith(pattern),
})
rule('policy-in-namespaces', 'CORE-CAP-14', 'a policy for one path counts for the same path of every namespace below', {
  patternMatches: (original) => (pattern, path) => original(pattern, path) || path.endsWith(`/${pattern}`),
})
