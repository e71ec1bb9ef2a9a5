/** Faults of time and order: second calls, updates, deletions, re-creations, refusals that leave traces. */
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyHere, keysHere, onWrites, placeOf, withKey } from './dawn-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { Kind, ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount', 'force_rw_session']

const buried = remembered(() => new Map<string, ManagedKey>())

change(
  'dawn-recreated-with-old-values',
  'MANAGED-KEYS-DELETE-03',
  'a key that is made anew after its deletion starts from what it was before (000 4.2: DELETE deletes the key; defaults)',
  {
    routes: {
      ...onWrites((kind) => (original) => (call) => {
        const before = keyHere(call) === undefined ? buried(call.state).get(placeOf(call)) : undefined
        return original(before?.kind === kind ? { ...call, body: { ...before.parameters, ...call.body } } : call)
      }),
      'managedKeys.delete': (original) => async (call) => {
        const key = keyHere(call)
        const given = await original(call)
        if (key !== undefined && keyHere(call) === undefined) buried(call.state).set(placeOf(call), key)
        return given
      },
    },
  },
)

route(
  'dawn-refused-update-sets-flags',
  'MANAGED-KEYS-DELETE-05',
  'an update that is refused for another parameter has set its flags already (000 7: 400, invalid request; 4.2)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    const existing = keyHere(call)
    try {
      return await original(call)
    } catch (refused) {
      if (existing?.kind === 'pkcs11')
        for (const field of FLAGS.filter((name) => ['true', 'false'].includes(String(call.body[name]))))
          existing.parameters[field] = String(call.body[field]) === 'true'
      throw refused
    }
  },
)

rule('dawn-flags-only-on', 'MANAGED-KEYS-PKCS-13', 'an update turns flags on but never off (000 4.2: create or update; "false")', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return value === false && fallback === true ? true : value
  },
})

route(
  'dawn-tested-as-first',
  'MANAGED-KEYS-WRITE-05',
  'a key is tested with the parameters of its first test, whatever updates said since (000 4.2: success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => {
    const first = new Map<string, ManagedKey>()
    return (call) => {
      const key = keyHere(call)
      if (key === undefined) return original(call)
      const known = first.get(key.uuid) ?? { ...key, parameters: { ...key.parameters } }
      first.set(key.uuid, known)
      return original(withKey(call, known))
    }
  },
)

const rewritten = new WeakSet<ManagedKey>()

rule(
  'dawn-pin-shown-after-update',
  'MANAGED-KEYS-SECRET-02',
  'the PIN of a key that was updated is shown as it is (000 2.6: pin returns the literal text redacted)',
  {
    updated: (original) => (previous, next) => {
      const key = original(previous, next)
      if (previous !== undefined) rewritten.add(key)
      return key
    },
    shownField: (original) => (key, field) => (field === 'pin' && rewritten.has(key) ? (key.parameters.pin ?? '') : original(key, field)),
  },
)

route(
  'dawn-each-test-replaces',
  'MANAGED-KEYS-SIGN-12',
  'where a key may be replaced, each test generates another one (000 4.2: if generation is allowed and no key exists)',
  'managedKeys.testSign',
  (original) => (call) => {
    const { rules } = call
    const anew = keyHere(call)?.parameters.allow_replace_key === true
    return original({ ...call, rules: { ...rules, request: (request) => rules.request({ ...request, anew }) } })
  },
)

route(
  'dawn-tested-after-deletion',
  'MANAGED-KEYS-NS-03',
  'a key that was tested can still be tested after its deletion (000 4.2: DELETE deletes the key)',
  'managedKeys.testSign',
  (original) => {
    const tested = new Map<string, ManagedKey>()
    return (call) => {
      const key = keyHere(call)
      const known = tested.get(placeOf(call))
      if (key !== undefined) tested.set(placeOf(call), key)
      return original(key === undefined && known !== undefined ? withKey(call, known) : call)
    }
  },
)

route(
  'dawn-mount-hinders-for-good',
  'MANAGED-KEYS-DELETE-07',
  'a mount that listed a key hinders its deletion after it was tuned or removed (000 4.2: provided no mount lists it)',
  'managedKeys.delete',
  (original) => {
    const seen = new Map<string, { namespace: string; mount: string; keys: Set<string> }>()
    return (call) => {
      const allowedManagedKeys = (namespace: string) => {
        for (const { mount, keys } of call.services.allowedManagedKeys(namespace)) {
          const known = seen.get(namespace + mount)?.keys ?? []
          seen.set(namespace + mount, { namespace, mount, keys: new Set([...known, ...keys]) })
        }
        return [...seen.values()].filter((entry) => entry.namespace === namespace).map(({ mount, keys }) => ({ mount, keys: [...keys] }))
      }
      return original({ ...call, services: { ...call.services, allowedManagedKeys } })
    }
  },
)

const kindsOfNames = remembered(() => new Map<string, Kind>())

change(
  'dawn-name-keeps-its-type',
  'MANAGED-KEYS-NAME-05',
  'the name of a deleted key stays taken for keys of other types (000 4.2: DELETE deletes the key; 2.6: unique name)',
  {
    routes: onWrites((kind) => (original) => async (call) => {
      const known = kindsOfNames(call.state)
      const before = known.get(placeOf(call)) ?? kind
      if (before !== kind) throw invalid('a key of another kind is called so')
      const given = await original(call)
      known.set(placeOf(call), kind)
      return given
    }),
  },
)

const versions = remembered(() => new Map<string, ManagedKey[]>())

change(
  'dawn-deletion-undoes-the-update',
  'MANAGED-KEYS-NS-01',
  'the deletion of a key that was updated brings back what it was before (000 4.2: DELETE deletes the key)',
  {
    routes: {
      ...onWrites(() => (original) => async (call) => {
        const before = keyHere(call)
        const given = await original(call)
        const known = versions(call.state)
        if (before !== undefined) known.set(placeOf(call), [...(known.get(placeOf(call)) ?? []), before])
        return given
      }),
      'managedKeys.delete': (original) => async (call) => {
        const key = keyHere(call)
        const given = await original(call)
        const before = versions(call.state).get(placeOf(call))?.pop()
        if (key !== undefined && keyHere(call) === undefined && before !== undefined) keysHere(call).set(before.name, before)
        return given
      },
    },
  },
)

const unlisted = remembered(() => new Set<string>())

change(
  'dawn-refused-deletion-unlists',
  'MANAGED-KEYS-DELETE-05',
  'a deletion that a mount hinders has taken the key off the listing (000 4.2: deletes the key provided no mount lists it)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        try {
          return await original(call)
        } catch (refused) {
          if (refused instanceof ApiError) unlisted(call.state).add(placeOf(call))
          throw refused
        }
      },
      'managedKeys.list': (original) => async (call) => {
        const given = await original(call)
        const { keys } = given.body as { keys: string[] }
        const left = keys.filter((name) => !unlisted(call.state).has(`${call.mount.namespace}:${name}`))
        if (left.length === 0) throw new ApiError(404)
        return bare({ keys: left })
      },
    },
  },
)

const tokenOf = ({ library, slot, token_label: label }: JsonObject): string => [library, slot, label].join(' ')

route(
  'dawn-login-outlives-the-test',
  'MANAGED-KEYS-SIGN-04',
  'once a test has logged in to a token, keys with a wrong PIN pass theirs (000 4.2: pin, login PIN; success means valid)',
  'managedKeys.testSign',
  (original) => {
    const pins = new Map<string, string>()
    return async (call) => {
      const key = keyHere(call)
      if (key?.kind !== 'pkcs11') return original(call)
      const token = tokenOf(key.parameters)
      const pin = pins.get(token) ?? String(key.parameters.pin)
      const given = await original(withKey(call, { ...key, parameters: { ...key.parameters, pin } }))
      pins.set(token, pin)
      return given
    }
  },
)
