/** Faults that depend on what came before: a test, an update, a deletion, a refusal, another listing. */
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { parameters } from './parameters.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

const keysOf = (call: KeyCall) => call.rules.keysIn(call.state.namespaces, call.mount.namespace)
const nameOf = (call: KeyCall): string => call.params.name ?? ''
const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`
const withRules = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })
const onWrites = (wrap: (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(WRITES.map((id) => [id, wrap]))

const tested = remembered(() => new Map<string, ManagedKey>())

route(
  'tested-as-first-seen',
  ['MANAGED-KEYS-WRITE-05'],
  'a test goes on with the parameters of the first one after an update (000 4.2, POST: create or update; test/sign)',
  'managedKeys.testSign',
  (original) => (call) => {
    const seen = tested(call.state)
    const current = keysOf(call).get(nameOf(call))
    if (current === undefined) seen.delete(placeOf(call))
    const key = current && (seen.get(placeOf(call)) ?? current)
    if (key) seen.set(placeOf(call), key)
    return original(withRules(call, { named: () => key }))
  },
)

const deleted = remembered(() => new Map<string, ManagedKey>())

const deletionKept =
  (original: Handler): Handler =>
  async (call) => {
    const key = keysOf(call).get(nameOf(call))
    const reply = await original(call)
    if (key && !keysOf(call).has(nameOf(call))) deleted(call.state).set(placeOf(call), key)
    return reply
  }

change(
  'deleted-parameters-return',
  ['MANAGED-KEYS-DELETE-03'],
  'a key that is created anew after its deletion has the old parameters where none are given (000 4.2, DELETE; defaults)',
  {
    routes: {
      'managedKeys.delete': deletionKept,
      ...onWrites((original) => (call) => {
        const old = deleted(call.state).get(placeOf(call))?.parameters
        return original(
          withRules(call, { baseOf: (previous) => call.rules.baseOf(previous ?? (old && ({ parameters: old } as ManagedKey))) }),
        )
      }),
    },
  },
)

change(
  'deleted-name-stays-taken',
  ['MANAGED-KEYS-NAME-05'],
  'the name of a deleted key is refused to a key of another kind (000 2.6, unique name; 4.2, DELETE)',
  {
    routes: {
      'managedKeys.delete': deletionKept,
      ...onWrites((original) => (call) => {
        const old = deleted(call.state).get(placeOf(call))
        if (old && old.kind !== call.path.split('/').at(-2)) throw invalid('a key of another kind has this name')
        return original(call)
      }),
    },
  },
)

const flatValues = (call: KeyCall, key: ManagedKey): JsonObject =>
  Object.fromEntries(
    Object.keys(parameters[key.kind]).flatMap((field) => {
      const value = call.body[field]
      const isKept = parameters[key.kind][field]?.type === 'text' && typeof value === 'string'
      return isKept ? [[field, value]] : []
    }),
  )

route(
  'refused-update-half-done-anew',
  ['MANAGED-KEYS-BVAULT-06'],
  'an update that is refused has changed the texts that it gave (000 7, 400: invalid request)',
  WRITES,
  (original) => async (call) => {
    const key = keysOf(call).get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      if (key && call.path.split('/').at(-2) === key.kind) key.parameters = { ...key.parameters, ...flatValues(call, key) }
      throw cause
    }
  },
)

route(
  'refused-key-stays',
  ['MANAGED-KEYS-BVAULT-05'],
  'a key that is refused for the size or curve that it needs is there afterwards (000 7, 400: invalid request)',
  WRITES,
  (original) => async (call) => {
    const kind = call.rules.kindOf(call.path.split('/').at(-2) ?? '')
    let checked: JsonObject | undefined
    const neededFor: ManagedKeyRules['neededFor'] = (asked, values) => {
      checked = values
      return call.rules.neededFor(asked, values)
    }
    try {
      return await original(withRules(call, { neededFor }))
    } catch (cause) {
      const [keys, name] = [keysOf(call), nameOf(call)]
      if (checked && kind && !keys.has(name)) keys.set(name, { uuid: call.services.random.uuid(), kind, name, parameters: checked })
      throw cause
    }
  },
)

const failed = remembered(() => new Map<string, ApiError>())

change(
  'failure-remembered',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a test that failed fails again after the key was put right by an update (000 4.2, test/sign)',
  {
    routes: {
      'managedKeys.testSign': (original) => async (call) => {
        const before = failed(call.state).get(placeOf(call))
        if (before && keysOf(call).has(nameOf(call))) throw before
        try {
          return await original(call)
        } catch (cause) {
          if (cause instanceof ApiError && cause.message.startsWith('the test of the key failed'))
            failed(call.state).set(placeOf(call), cause)
          throw cause
        }
      },
      'managedKeys.delete': (original) => (call) => {
        failed(call.state).delete(placeOf(call))
        return original(call)
      },
    },
  },
)

rule('any-mount-for-ever', ['MANAGED-KEYS-FLAG-08'], 'any_mount stays true once it was (000 4.2, any_mount; POST: create or update)', {
  updated: (original) => (previous, next) => {
    const key = original(previous, next)
    return previous?.parameters.any_mount === true ? { ...key, parameters: { ...key.parameters, any_mount: true } } : key
  },
})

rule(
  'pin-shown-after-update-anew',
  ['MANAGED-KEYS-SECRET-02'],
  'a key that was updated shows its PIN on read (000 2.6, pin returns redacted)',
  {
    updated: (original) => (previous, next) => {
      const key = original(previous, next)
      return previous === undefined ? key : { ...key, parameters: { ...key.parameters, updated: true } }
    },
    shownField: (original) => (key, field) =>
      field === 'pin' && key.parameters.updated === true ? (key.parameters.pin ?? '') : original(key, field),
  },
)

const hindered = remembered(() => new Map<string, ApiError>())

route(
  'hindered-for-ever',
  ['MANAGED-KEYS-DELETE-07'],
  'a deletion that was refused once is refused when no mount lists the key any more (000 4.2, DELETE)',
  'managedKeys.delete',
  (original) => async (call) => {
    const before = hindered(call.state).get(placeOf(call))
    if (before) throw before
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === 400) hindered(call.state).set(placeOf(call), cause)
      throw cause
    }
  },
)

const mountsSeen = remembered(() => new Map<string, { mount: string; keys: string[] }[]>())

route(
  'mounts-as-first-seen',
  ['MANAGED-KEYS-DELETE-07'],
  'what mounts list is looked up at the first deletion only (000 4.2, DELETE: no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => {
    const seen = mountsSeen(call.state)
    const allowedManagedKeys: KeyCall['services']['allowedManagedKeys'] = (namespace) => {
      const known = seen.get(namespace) ?? call.services.allowedManagedKeys(namespace)
      seen.set(namespace, known)
      return known
    }
    return original({ ...call, services: { ...call.services, allowedManagedKeys } })
  },
)

const listings = remembered(() => new Map<string, Reply>())

change(
  'listing-keeps-the-deleted',
  ['MANAGED-KEYS-LIST-01'],
  'a listing is made anew after a write, and not after a deletion (000 4.2, LIST; DELETE)',
  {
    routes: {
      'managedKeys.list': (original) => async (call) => {
        const known = listings(call.state)
        const place = `${call.mount.namespace} ${call.params.type}`
        const reply = known.get(place) ?? (await original(call))
        known.set(place, reply)
        return reply
      },
      ...onWrites((original) => async (call) => {
        const reply = await original(call)
        listings(call.state).clear()
        return reply
      }),
    },
  },
)

rule(
  'made-at-each-test',
  ['MANAGED-KEYS-SIGN-13'],
  'each test of a key that may be generated makes another one in the module (000 4.2, test/sign: if no key exists)',
  {
    request: (original) => (asked) => original({ ...asked, anew: asked.generate }),
  },
)
