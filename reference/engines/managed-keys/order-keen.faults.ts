/** Faults in which what went before shows: a deletion, a refusal, an earlier value, an earlier test. */
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

const writes = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

type Handler = (typeof managedKeysEngine.routes)[number]['handle']
type Wrap = (original: Handler) => Handler

const onWrites = (wrap: Wrap): Record<string, Wrap> => Object.fromEntries(writes.map((id) => [id, wrap]))

const keysOf = ({ state, mount }: KeyCall): Map<string, ManagedKey> => state.namespaces.get(mount.namespace) ?? new Map()

const nameOf = ({ params }: KeyCall): string => params.name ?? ''

const kindOf = ({ path }: KeyCall): string => path.split('/')[2] ?? ''

const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`

const texts = () => new Map<string, string>()
const names = () => new Set<string>()

const deletedKinds = remembered(texts)
change(
  'keen-name-taken-by-deleted',
  ['MANAGED-KEYS-NAME-05'],
  'the name of a deleted key stays taken for the other kinds (000 2.6; 4.2, DELETE: deletes the key)',
  {
    routes: {
      ...onWrites((original) => (call) => {
        const before = deletedKinds(call.state).get(placeOf(call))
        if (before !== undefined && before !== kindOf(call)) throw invalid('a key of another kind has this name')
        return original(call)
      }),
      'managedKeys.delete': (original) => async (call) => {
        const key = keysOf(call).get(nameOf(call))
        const given = await original(call)
        if (key !== undefined) deletedKinds(call.state).set(placeOf(call), key.kind)
        return given
      },
    },
  },
)

const stillListed = remembered(() => new Map<string, string[]>())
change(
  'keen-list-shows-deleted',
  ['MANAGED-KEYS-LIST-07'],
  'a list that was asked for once stays until the next write: deleted keys are in it (000 4.2, LIST and DELETE)',
  {
    routes: {
      ...onWrites((original) => (call) => {
        stillListed(call.state).clear()
        return original(call)
      }),
      'managedKeys.list': (original) => async (call) => {
        const place = `${call.mount.namespace} ${call.params.type}`
        const known = stillListed(call.state).get(place)
        if (known !== undefined) return { status: 200, body: { keys: known } }
        const given = await original(call)
        stillListed(call.state).set(place, (given.body as { keys: string[] }).keys)
        return given
      },
    },
  },
)

const deletedParameters = remembered(() => new Map<string, JsonObject>())
change(
  'keen-recreated-inherits',
  ['MANAGED-KEYS-DELETE-03'],
  'a key that is made again under a deleted name takes its flags, not the defaults (000 4.2, default "false")',
  {
    routes: {
      ...onWrites((original) => (call) => {
        const before = deletedParameters(call.state).get(placeOf(call))
        if (before === undefined || keysOf(call).has(nameOf(call))) return original(call)
        const { allow_generate_key, allow_replace_key, allow_store_key, any_mount } = before
        const flags: JsonObject = {
          allow_generate_key: allow_generate_key ?? false,
          allow_replace_key: allow_replace_key ?? false,
          allow_store_key: allow_store_key ?? false,
          any_mount: any_mount ?? false,
        }
        return original({ ...call, rules: { ...call.rules, baseOf: () => flags } })
      }),
      'managedKeys.delete': (original) => async (call) => {
        const key = keysOf(call).get(nameOf(call))
        const given = await original(call)
        if (key !== undefined) deletedParameters(call.state).set(placeOf(call), key.parameters)
        return given
      },
    },
  },
)

route(
  'keen-refused-update-half-done',
  ['MANAGED-KEYS-WRITE-05'],
  'an update that is refused for one parameter has changed any_mount and key_label before (000 7, 400: invalid request)',
  writes,
  (original) => async (call) => {
    const key = keysOf(call).get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      const { any_mount: mount, key_label: label } = call.body
      if (key?.kind === kindOf(call) && (mount === 'true' || mount === 'false')) key.parameters.any_mount = mount === 'true'
      if (key?.kind === 'pkcs11' && kindOf(call) === 'pkcs11' && typeof label === 'string') key.parameters.key_label = label
      throw cause
    }
  },
)

const begun = remembered(texts)
route(
  'keen-refused-create-takes-name',
  ['MANAGED-KEYS-NAME-07'],
  'a create that was refused keeps the name for its kind: it cannot be given to a key of another kind (000 2.6: unique among keys)',
  writes,
  (original) => async (call) => {
    const before = begun(call.state).get(placeOf(call))
    if (before !== undefined && before !== kindOf(call)) throw invalid('a key of another kind has this name')
    const isNew = !keysOf(call).has(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      if (isNew) begun(call.state).set(placeOf(call), kindOf(call))
      throw cause
    }
  },
)

route(
  'keen-refused-delete-deletes',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-08'],
  'a deletion that is refused because a mount lists the key has deleted it (000 4.2, DELETE: provided no mount lists it)',
  'managedKeys.delete',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (keysOf(call).get(nameOf(call))?.kind === call.params.type) keysOf(call).delete(nameOf(call))
      throw cause
    }
  },
)

const hindered = remembered(names)
route(
  'keen-refused-delete-stays-refused',
  ['MANAGED-KEYS-DELETE-07'],
  'a deletion that was refused once is refused also when no mount lists the key any longer (000 4.2, DELETE: deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    if (hindered(call.state).has(placeOf(call))) throw invalid('a mount lists this key')
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === 400) hindered(call.state).add(placeOf(call))
      throw cause
    }
  },
)

const seenMounts = remembered(() => new Map<string, { mount: string; keys: string[] }[]>())
route(
  'keen-mounts-looked-at-once',
  ['MANAGED-KEYS-DELETE-07'],
  'the mounts are looked at when a key is deleted first: lists that are made afterwards hinder no deletion (000 4.2, DELETE)',
  'managedKeys.delete',
  (original) => (call) => {
    const allowedManagedKeys = (namespace: string) => {
      const seen = seenMounts(call.state).get(namespace) ?? call.services.allowedManagedKeys(namespace)
      seenMounts(call.state).set(namespace, seen)
      return seen
    }
    return original({ ...call, services: { ...call.services, allowedManagedKeys } })
  },
)

rule(
  'keen-any-mount-never-unset',
  ['MANAGED-KEYS-FLAG-08'],
  'an update cannot set any_mount from "true" to "false" (000 4.2, create or update; any_mount)',
  {
    updated: (original) => (previous, next) => {
      const key = original(previous, next)
      return previous?.parameters.any_mount === true ? { ...key, parameters: { ...key.parameters, any_mount: true } } : key
    },
  },
)

const testedOnce = remembered(names)
route(
  'keen-second-test-makes-anew',
  ['MANAGED-KEYS-SIGN-29', 'MANAGED-KEYS-SIGN-13'],
  'every test after the first makes another key where generation is allowed (000 4.2, test/sign: if no key exists)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const isSecond = testedOnce(call.state).has(placeOf(call))
    const { request, isThere } = call.rules
    const anew: typeof request = (asked) => request({ ...asked, anew: asked.generate && isSecond })
    const missed: typeof isThere = (mayBeMade) => isThere(mayBeMade) && !(mayBeMade && isSecond)
    const given = await original({ ...call, rules: { ...call.rules, request: anew, isThere: missed } })
    testedOnce(call.state).add(placeOf(call))
    return given
  },
)

const passed = remembered(names)
change(
  'keen-passed-stays-passed',
  ['MANAGED-KEYS-SIGN-25', 'MANAGED-KEYS-SIGN-30'],
  'a key that passed its test passes it after an update too, until it is deleted (000 4.2, test/sign: valid)',
  {
    routes: {
      'managedKeys.testSign': (original) => async (call) => {
        const isKnown = passed(call.state).has(placeOf(call))
        const given = await original(isKnown ? { ...call, rules: { ...call.rules, asks: () => false } } : call)
        passed(call.state).add(placeOf(call))
        return given
      },
      'managedKeys.delete': (original) => (call) => {
        passed(call.state).delete(placeOf(call))
        return original(call)
      },
    },
  },
)

const failed = remembered(names)
change(
  'keen-failed-stays-failed',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a key that failed its test fails it also when it has been corrected (000 4.2, test/sign: valid)',
  {
    routes: {
      'managedKeys.testSign': (original) => async (call) => {
        const isThere = keysOf(call).get(nameOf(call))?.kind === call.params.type
        if (isThere && failed(call.state).has(placeOf(call))) throw invalid('the key is not usable')
        try {
          return await original(call)
        } catch (cause) {
          if (isThere) failed(call.state).add(placeOf(call))
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
