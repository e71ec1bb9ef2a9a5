/** Faults of who may do what with keys, guessed from the documents. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'

const { rule, change } = faultsOf(coreEngine, 'kv')
/** What only checks of the core decide is tried with them. */
const core = faultsOf(coreEngine)

interface WithState {
  state: unknown
}

/** Whether a request is for objects of version 1. */
const isFirstVersion = ({ state }: WithState): boolean => state instanceof Object && 'objects' in state

/** Whether a request is for a key-value mount of either version. */
const isKeyValue = (call: WithState): boolean =>
  isFirstVersion(call) || (call.state instanceof Object && 'keys' in call.state && 'config' in call.state)

/** Headers of requests that were sent with PUT. */
const puts = new WeakSet<object>()

core.change('guess-put-overwrites-by-create', ['CORE-CAP-07'], 'who may only create may overwrite an object of version 1 with PUT', {
  rules: {
    callerRefused: (original) => (given, token, request) => {
      if (request.method === 'PUT') puts.add(request.headers)
      return original(given, token, request)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'update' && call !== undefined && puts.has(call.headers) && isFirstVersion(call) && original(granted, 'create', call)),
  },
})

rule('guess-listing-by-get-needs-read', ['CORE-CAP-11'], 'listing keys with GET asks for read besides list', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) &&
    (needed !== 'list' || call?.query.get('list') !== 'true' || !isKeyValue(call) || original(granted, 'read', call)),
})

core.rule(
  'guess-version-routes-by-data-path',
  ['CORE-CAP-04'],
  'who has capabilities on data/ of a key has them on its delete/, undelete/ and destroy/',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || original(pattern, path.replace(/\/(delete|undelete|destroy)\//, '/data/')),
  },
)

/** Tokens and paths of objects that they wrote, for each mount. */
const writers = remembered(() => new Set<string>())

change('guess-writer-may-read', ['CORE-CAP-05'], 'who has written an object may read it without read', {
  rules: {
    finish: (original) => (call, route, reply) => {
      if (/^kv[12]\.write$/.test(route.id) && call.token) writers(call.state as object).add(`${call.token.id} ${call.path}`)
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'read' &&
        call?.token !== undefined &&
        !granted.has('deny') &&
        writers(call.state as object).has(`${call.token.id} ${call.path}`)),
  },
})
