/** Faults of time and order: second calls, updates, deletion, re-creation, refused writes. */
import { empty } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import { keyHere, keysHere, kindInPath, placeOf, WRITES, withRules } from './frank-help.ts'
import { type KeyCall, keyOf } from './keys.ts'
import type { ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>

const forWrites = (wrap: (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(WRITES.map((id) => [id, wrap]))

rule(
  'frank-flags-are-not-withdrawn',
  'MANAGED-KEYS-PKCS-13',
  'an update cannot turn a flag from "true" to "false" (000 4.2: create or update; parameters)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return value === false && fallback === true ? true : value
    },
  },
)

const firstUsed = remembered(() => new Map<string, JsonObject>())

route(
  'frank-tested-as-first-used',
  'MANAGED-KEYS-WRITE-05',
  'a test uses the parameters of the first successful one, whatever was updated since (000 4.2: success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const used = firstUsed(call.state)
    const { named } = call.rules
    const current = keyOf(call)
    const asFirst = (key: ManagedKey | undefined) => key && { ...key, parameters: used.get(key.uuid) ?? key.parameters }
    const reply = await original(withRules(call, { named: (keys, name) => asFirst(named(keys, name)) }))
    if (!used.has(current.uuid)) used.set(current.uuid, current.parameters)
    return reply
  },
)

route(
  'frank-valid-until-written',
  'MANAGED-KEYS-SIGN-25',
  'a key that passed a test is not asked again until it is updated (000 4.2: signs and verifies random data)',
  'managedKeys.testSign',
  (original) => {
    const passed = new WeakSet<ManagedKey>()
    return async (call) => {
      const key = keyOf(call)
      if (passed.has(key)) {
        call.rules.hashOf(call.body)
        call.rules.pssOf(call.body)
        return empty()
      }
      const reply = await original(call)
      passed.add(key)
      return reply
    }
  },
)

route(
  'frank-failed-until-written',
  'MANAGED-KEYS-SIGN-02',
  'a key that failed a test fails on, though its backend is put right (000 4.2: success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => {
    const failures = new WeakMap<ManagedKey, ApiError>()
    return async (call) => {
      const key = keyOf(call)
      call.rules.hashOf(call.body)
      call.rules.pssOf(call.body)
      const before = failures.get(key)
      if (before) throw before
      try {
        return await original(call)
      } catch (cause) {
        if (cause instanceof ApiError) failures.set(key, cause)
        throw cause
      }
    }
  },
)

const bornGenerating = remembered(() => new Map<string, boolean>())

change(
  'frank-generation-decided-at-creation',
  'MANAGED-KEYS-SIGN-26',
  'a key is generated only where its creation allowed it, not where an update did (000 4.2: if generation is allowed and no key exists)',
  {
    routes: {
      ...forWrites((original) => async (call) => {
        const reply = await original(call)
        const key = keyHere(call)
        const born = bornGenerating(call.state)
        if (key !== undefined && !born.has(key.uuid)) born.set(key.uuid, key.parameters.allow_generate_key === true)
        return reply
      }),
      'managedKeys.testSign': (original) => (call) => {
        const born = bornGenerating(call.state)
        const { generates, generatesAtService } = call.rules
        return original(
          withRules(call, {
            generates: (key) => generates(key) && born.get(key.uuid) !== false,
            generatesAtService: (key) => generatesAtService(key) && born.get(key.uuid) !== false,
          }),
        )
      },
    },
  },
)

const formerKinds = remembered(() => new Map<string, string>())

change(
  'frank-deleted-name-keeps-kind',
  'MANAGED-KEYS-NAME-05',
  'the name of a deleted key is refused to other kinds (000 4.2: DELETE, deletes the key)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const wasThere = keyHere(call) !== undefined
        const reply = await original(call)
        if (wasThere && keyHere(call) === undefined) formerKinds(call.state).set(placeOf(call), kindInPath(call))
        return reply
      },
      ...forWrites((original) => (call) => {
        const former = formerKinds(call.state).get(placeOf(call))
        if (former !== undefined && former !== kindInPath(call)) throw invalid(`a key of another kind is called ${call.params.name}`)
        return original(call)
      }),
    },
  },
)

const listings = remembered(() => new Map<string, Reply>())
const listingOf = (call: KeyCall): string => `${call.mount.namespace} ${kindInPath(call)}`

change(
  'frank-listing-kept-until-write',
  'MANAGED-KEYS-LIST-07',
  'a listing shows deleted keys until one of the kind is written (000 4.2: LIST, keys)',
  {
    routes: {
      'managedKeys.list': (original) => async (call) => {
        const kept = listings(call.state).get(listingOf(call))
        if (kept) return kept
        const reply = await original(call)
        listings(call.state).set(listingOf(call), reply)
        return reply
      },
      ...forWrites((original) => async (call) => {
        const reply = await original(call)
        listings(call.state).delete(listingOf(call))
        return reply
      }),
    },
  },
)

const UNCHECKED = ['library', 'key_label', 'token_label']

route(
  'frank-refused-update-half-done',
  'MANAGED-KEYS-WRITE-05',
  'a refused update has already changed library and labels (000 7: 400, invalid request)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const key = keyHere(call)
      const given = Object.entries(call.body).filter(([field, value]) => UNCHECKED.includes(field) && typeof value === 'string')
      if (key?.kind === 'pkcs11') Object.assign(key.parameters, Object.fromEntries(given))
      throw cause
    }
  },
)

route(
  'frank-refused-deletion-done',
  'MANAGED-KEYS-DELETE-05',
  'a deletion that is refused, for a mount lists the key, has removed it (000 4.2: DELETE, provided no mount lists it)',
  'managedKeys.delete',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      keysHere(call).delete(call.params.name ?? '')
      throw cause
    }
  },
)

const hinderedOnce = remembered(() => new Set<string>())

route(
  'frank-hindered-for-ever',
  'MANAGED-KEYS-DELETE-07',
  'a deletion that was refused stays refused after the mount has taken the key off its list (000 4.2: DELETE, provided no mount lists it)',
  'managedKeys.delete',
  (original) => async (call) => {
    const hindered = hinderedOnce(call.state)
    if (hindered.has(placeOf(call)) && keyHere(call) !== undefined) throw invalid('a mount lists this key')
    try {
      return await original(call)
    } catch (cause) {
      hindered.add(placeOf(call))
      throw cause
    }
  },
)

const buried = remembered(() => new Map<string, ManagedKey>())

change(
  'frank-recreated-with-old-parameters',
  'MANAGED-KEYS-DELETE-03',
  'a key made again after deletion gets old values where defaults belong (000 4.2: Generic create/update parameters, Default)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyHere(call)
        const reply = await original(call)
        if (key && keyHere(call) === undefined) buried(call.state).set(placeOf(call), key)
        return reply
      },
      ...forWrites((original) => (call) => {
        const old = buried(call.state).get(placeOf(call))
        const { baseOf } = call.rules
        return original(
          withRules(call, { baseOf: (previous) => (previous ? baseOf(previous) : { ...baseOf(previous), ...old?.parameters }) }),
        )
      }),
    },
  },
)

route(
  'frank-test-replaces-existing',
  'MANAGED-KEYS-SIGN-12',
  'a test generates a key where there is one, if it may be replaced (000 4.2: if generation is allowed and no key exists)',
  'managedKeys.testSign',
  (original) => (call) => {
    const key = keyOf(call)
    const { request } = call.rules
    return original(
      withRules(call, { request: (asked) => ({ ...request(asked), anew: asked.anew || key.parameters.allow_replace_key === true }) }),
    )
  },
)
