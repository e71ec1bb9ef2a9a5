/** Legal alternatives of key-value, version 1. */
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { normalised, sorted } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(kv1Engine, 'kv')

rule('v1-read-at-top', 'at the top level or under data', 'a read of version 1 is the stored object itself', {
  shown: () => (stored) => bare(stored),
})
rule('v1-delete-absent-404', '204, 200 or 404', 'deleting what is absent is answered with 404', { absentDeleteStatus: () => () => 404 })
route('v1-no-delete', 'no row shows DELETE on a key', 'version 1 has no deletion', 'kv1.delete', () => () => {
  throw new ApiError(405, 'unsupported operation')
})
rule('v1-empty-refused', 'the empty object: open', 'an empty object is refused', {
  checkObject: () => (object) => {
    if (Object.keys(object).length === 0) throw invalid('no data')
  },
})
rule('v1-numbers-normalised', '1 against 1.0 and beyond double precision: open', 'numbers with fraction come back as doubles', {
  part: 'numbers',
  replaced: (original) => (previous, written) => normalised(original(previous, written)),
})
rule('v1-members-reordered', 'the order of members has no meaning in JSON', 'members come back in another order', {
  part: 'order',
  replaced: (original) => (previous, written) => sorted(original(previous, written)),
})
rule('v1-list-leaf', 'listing a leaf: open', 'listing a key shows the key', {
  part: 'leaf',
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    return names.length === 0 && keys.includes(directory) ? [directory.slice(directory.lastIndexOf('/') + 1)] : names
  },
})
rule('v1-list-leaf-400', 'listing a leaf: open', 'listing a key is a bad request', {
  part: 'leaf',
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    if (names.length === 0 && keys.includes(directory)) throw invalid('not a directory')
    return names
  },
})

rule('v1-list-keys-only', 'that a directory is named: advised', 'a listing of version 1 names keys alone', {
  part: 'directories',
  namesIn: (original) => (keys, directory) => original(keys, directory).filter((name) => !name.endsWith('/')),
})
route(
  'v1-delete-below',
  'DELETE on a directory: advised',
  'a deletion takes the keys below its path along',
  'kv1.delete',
  (original) => (call) => {
    for (const key of [...call.state.objects.keys()]) if (key.startsWith(`${call.params.path}/`)) call.state.objects.delete(key)
    return original(call)
  },
)
const deletedIn = remembered(() => new Set<string>())
change('v1-deleted-listed', 'what a deletion does: open', 'a deleted name stays in listings', {
  routes: {
    'kv1.delete': (original) => (call) => {
      const key = call.rules.keyOf(call.params.path ?? '')
      if (call.state.objects.has(key)) deletedIn(call.state.objects).add(key)
      return original(call)
    },
    'kv1.list': (original) => (call) => {
      const names = [...deletedIn(call.state.objects)].map((key): [string, null] => [key, null])
      return original({ ...call, state: { objects: new Map([...names, ...call.state.objects]) } })
    },
  },
})

export const variants = declared
