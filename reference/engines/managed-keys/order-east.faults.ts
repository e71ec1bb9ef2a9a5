/** Faults of time and order: the second call, what came before an update or a deletion, and what is kept after it. */
import { empty } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyMeant, placeOf, ruled, TEST, WRITES } from './east-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>

const onWrites = (wrap: (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(WRITES.map((operation) => [operation, wrap]))

const passed = remembered(() => new Set<string>())

route(
  'east-passed-not-asked-again',
  'MANAGED-KEYS-SIGN-25',
  'a configuration that has passed is not tried again, whatever became of the key behind it (000 4.2: test/sign signs and verifies)',
  TEST,
  (original) => async (call) => {
    const configuration = JSON.stringify(keyMeant(call) ?? null)
    call.rules.hashOf(call.body)
    if (passed(call.state).has(configuration)) return empty()
    const reply = await original(call)
    passed(call.state).add(configuration)
    return reply
  },
)

const graves = remembered(() => new Map<string, JsonObject>())

change(
  'east-new-key-inherits',
  'MANAGED-KEYS-DELETE-03',
  'a key of the name of a deleted one starts from the parameters of that one (000 4.2: defaults and required parameters of create)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyMeant(call)
        const reply = await original(call)
        if (key) graves(call.state).set(placeOf(call), key.parameters)
        return reply
      },
      ...onWrites((original) => (call) => {
        const { baseOf } = call.rules
        return original(
          ruled(call, { baseOf: (previous) => (previous ? baseOf(previous) : (graves(call.state).get(placeOf(call)) ?? {})) }),
        )
      }),
    },
  },
)

const listings = remembered(() => new Map<string, Reply>())

change(
  'east-list-kept-until-write',
  'MANAGED-KEYS-LIST-01',
  'a listing shows deleted keys until a key is written again (000 4.2: LIST, DELETE deletes the key)',
  {
    routes: {
      'managedKeys.list': (original) => async (call) => {
        const place = `${call.mount.namespace} ${call.params.type}`
        const given = listings(call.state).get(place) ?? (await original(call))
        listings(call.state).set(place, given)
        return given
      },
      ...onWrites((original) => async (call) => {
        const reply = await original(call)
        listings(call.state).clear()
        return reply
      }),
    },
  },
)

rule('east-pin-set-once', 'MANAGED-KEYS-PKCS-23', 'an update does not change the PIN (000 4.2: POST create or update; pin, login PIN)', {
  valueIn: (original) => (kind, body, field, fallback) =>
    field === 'pin' && fallback !== '' ? fallback : original(kind, body, field, fallback),
})

rule(
  'east-no-update-to-empty',
  'MANAGED-KEYS-PKCS-13',
  'an update to "false", 0 or an empty text leaves the value as it was (000 4.2: POST create or update)',
  {
    valueIn: (original) => (kind, body, field, fallback) => original(kind, body, field, fallback) || fallback,
  },
)

rule(
  'east-once-hindered',
  'MANAGED-KEYS-DELETE-07',
  'a key whose deletion a mount has hindered stays when no mount lists it any more (000 4.2: DELETE, provided no mount lists it)',
  {
    hinders: (original) => {
      const hindered = new Set<string>()
      return (key, names) => {
        if (original(key, names)) hindered.add(key.uuid)
        return hindered.has(key.uuid)
      }
    },
  },
)

const goingAway = remembered(() => new Set<string>())

change(
  'east-refused-deletion-unlists',
  'MANAGED-KEYS-DELETE-05',
  'a key whose deletion was refused is not listed any more (000 4.2: DELETE, LIST returns keys)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyMeant(call)
        if (key) goingAway(call.state).add(key.uuid)
        return original(call)
      },
      'managedKeys.list': (original) => (call) => {
        const { listed } = call.rules
        return original(ruled(call, { listed: (key, kind) => listed(key, kind) && !goingAway(call.state).has(key.uuid) }))
      },
    },
  },
)

const deletedOnce = remembered(() => new Set<string>())

change(
  'east-made-anew-after-return',
  'MANAGED-KEYS-SIGN-13',
  'when a key is configured again after a deletion, its first test makes a new one (000 4.2: test/sign, if no key exists)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyMeant(call)
        const reply = await original(call)
        if (key) deletedOnce(call.state).add(placeOf(call))
        return reply
      },
      [TEST]: (original) => async (call) => {
        if (!deletedOnce(call.state).delete(placeOf(call))) return original(call)
        const { request } = call.rules
        return original(
          ruled(call, { isThere: (mayBeMade) => !mayBeMade, request: (asked) => request({ ...asked, anew: asked.generate }) }),
        )
      },
    },
  },
)

const missing = remembered(() => new Set<string>())

route(
  'east-absence-remembered',
  'MANAGED-KEYS-SIGN-26',
  'a key that was once not found is not generated after an update allows it (000 4.2: test/sign, if no key exists)',
  TEST,
  (original) => async (call) => {
    const uuid = keyMeant(call)?.uuid ?? ''
    const isMissing = missing(call.state).has(uuid)
    try {
      return await original(isMissing ? ruled(call, { generates: () => false, generatesAtService: () => false }) : call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.message.includes('no such key')) missing(call.state).add(uuid)
      throw cause
    }
  },
)

const formerKinds = remembered(() => new Map<string, string>())

change(
  'east-name-keeps-kind',
  'MANAGED-KEYS-NAME-05',
  'the name of a deleted key is taken for other kinds (000 2.6: unique across all backend types; 4.2: DELETE)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyMeant(call)
        const reply = await original(call)
        if (key) formerKinds(call.state).set(placeOf(call), key.kind)
        return reply
      },
      ...onWrites((original) => (call) => {
        const { isTaken } = call.rules
        const former = formerKinds(call.state).get(placeOf(call))
        return original(ruled(call, { isTaken: (existing, kind) => isTaken(existing, kind) || (former ?? kind) !== kind }))
      }),
    },
  },
)

/** Texts that are set before anything is checked. */
const PLAIN = [
  'library',
  'key_label',
  'key_id',
  'pin',
  'token_label',
  'endpoint',
  'kms_key',
  'vault_name',
  'key_name',
  'crypto_key',
  'key_ring',
]

route(
  'east-refused-update-half-done',
  'MANAGED-KEYS-WRITE-05',
  'an update that is refused has changed texts like key_label and pin already (000 7: 400 invalid request; 4.2: POST update)',
  WRITES,
  (original) => (call) => {
    const { baseOf } = call.rules
    const changed = (base: JsonObject): JsonObject => {
      for (const field of PLAIN) if (typeof call.body[field] === 'string' && field in base) base[field] = call.body[field]
      return base
    }
    return original(ruled(call, { baseOf: (previous) => changed(baseOf(previous)) }))
  },
)

const hashes = remembered(() => new Map<string, string>())

route(
  'east-hash-of-test-before',
  'MANAGED-KEYS-SIGN-40',
  'a test without hash_algorithm takes that of the test before (000 4.2: hash_algorithm, default sha2-256)',
  TEST,
  (original) => (call) => {
    const place = placeOf(call)
    const given = call.body.hash_algorithm ?? hashes(call.state).get(place)
    if (given === undefined) return original(call)
    const body = { ...call.body, hash_algorithm: given }
    hashes(call.state).set(place, call.rules.hashOf(body))
    return original({ ...call, body })
  },
)
