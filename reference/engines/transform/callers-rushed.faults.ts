/** Faults of who may ask, and of how names, values and metadata are written. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'

const { rule } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

const isTransform = (state: unknown): boolean => typeof state === 'object' && state !== null && 'internalStore' in state

core.rule('rushed-list-by-get', ['CORE-CAP-11'], 'a listing asked for with GET needs read instead of list', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'list' && isTransform(call?.state) && call?.query.get('list') === 'true' ? 'read' : needed, call),
})

core.rule(
  'rushed-policy-by-prefix',
  ['CORE-CAP-04'],
  'a policy for encoding with one role holds for roles whose names begin with its name',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/\/encode\/[^*+/]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

rule('rushed-filter-ends-only', ['TRANSFORM-FILTER-04'], 'of a filter only what stands before the first star and after the last counts', {
  fits: (original) => (name, filter) => {
    const parts = filter.split('*')
    return parts.length < 2 ? original(name, filter) : name.startsWith(parts[0] ?? '') && name.endsWith(parts.at(-1) ?? '')
  },
})
