/** Faults in who may ask, from where, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'managed-keys')

const isOurs = (call: Asked): boolean => call?.path.startsWith('sys/managed-keys/') === true

core(
  'access-anyone-lists',
  [],
  'every good token may list the keys',
  anyoneMay((call) => isOurs(call) && call?.method === 'LIST'),
)

core('access-below-administrative', [], 'managed keys are served in the namespaces below the administrative one, too', {
  servesSystemPath: (original) => (namespace, administrative) =>
    original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
})

let namespaceHeader: string | undefined

core('access-namespace-in-path', [], 'a namespace that is part of the path is not kept from managed keys, only one in the header is', {
  namespaceOf: (original) => (path, namespaces, header) => {
    namespaceHeader = header
    return original(path, namespaces, header)
  },
  servesSystemPath: (original) => (namespace, administrative) => !namespaceHeader || original(namespace, administrative),
})

core(
  'access-test-by-read',
  [],
  'whoever may read the test path of a key may have it tested',
  countsAs('read', (call) => isOurs(call) && call?.path.endsWith('/test/sign') === true, 'update'),
)

core('access-read-by-list', [], 'whoever may list at the path of a key may read the key', countsAs('list', isOurs, 'read'))

core(
  'access-bearer-not-for-keys',
  [],
  'Authorization: Bearer is not looked at for a key, only for listings',
  bearerIgnored(({ path }) => /(^|\/)sys\/managed-keys\/[^/]+\/./.test(path)),
)

core('access-list-by-get', [], 'keys are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'managedKeys.list' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})
