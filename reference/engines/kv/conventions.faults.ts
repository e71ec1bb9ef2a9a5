/** Faults of what all engines have in common, where kv shows them. */
import { ApiError, notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'core')
const kv2 = faultsOf(kv2Engine, 'core')

kv1.route('read-outside-prefix', 'CORE-PREFIX-01', 'reads under the prefix find nothing', 'kv1.read', () => () => {
  throw notFound()
})
kv1.route(
  'default-mount-only',
  'CORE-MOUNT-01',
  'a read looks in the default mount, wherever the engine is mounted',
  'kv1.read',
  (original) => (call) => {
    if (call.mount.path !== 'secret/') throw notFound()
    return original(call)
  },
)
kv2.rule('bad-data-422', 'CORE-STATUS-04', 'missing data is refused with 422', {
  checkData: (original) => (data) => {
    try {
      original(data)
    } catch {
      throw new ApiError(422, 'unprocessable')
    }
  },
})
kv2.rule('bad-data-500', ['CORE-STATUS-13', 'CORE-STATUS-04'], 'data of a wrong type ends in an internal error', {
  checkData: (original) => (data) => {
    try {
      original(data)
    } catch {
      throw new ApiError(500, 'internal error')
    }
  },
})
