/** Faults of who may ask, and of how names, values and metadata are written. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'

const { rule } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

const isTransform = (state: unknown): boolean => typeof state === 'object' && state !== null && 'internalStore' in state

core.rule('rushed-list-by-get', [], 'a listing asked for with GET needs read instead of list', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'list' && isTransform(call?.state) && call?.query.get('list') === 'true' ? 'read' : needed, call),
})

core.rule('rushed-policy-by-prefix', [], 'a policy for encoding with one role holds for roles whose names begin with its name', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (/\/encode\/[^*+/]+$/.test(pattern) && path.startsWith(pattern)),
})

rule('rushed-filter-ends-only', [], 'of a filter only what stands before the first star and after the last counts', {
  fits: (original) => (name, filter) => {
    const parts = filter.split('*')
    return parts.length < 2 ? original(name, filter) : name.startsWith(parts[0] ?? '') && name.endsWith(parts.at(-1) ?? '')
  },
})

rule('rushed-value-composed', [], 'a token keeps its value with letters and their accents composed', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.normalize('NFC'), random),
})

rule('rushed-metadata-second-equals', [], 'a value of metadata ends at its own equals sign', {
  metadataOf: (original) => (item) =>
    original(item)
      .split(',')
      .map((pair) => pair.split('=').slice(0, 2).join('='))
      .join(','),
})
