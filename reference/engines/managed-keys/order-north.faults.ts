/** Faults of time and order: what was tested, refused, listed, deleted or allowed before, and what comes again. */
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import { deciding, everyWrite, keyIn, nameOf, placeOf, seeingMounts } from './north-help.ts'
import type { Kind, ManagedKey } from './state.ts'

const { route, change } = faultsOf(managedKeysEngine)

const filled = remembered(() => new Set<string>())
change(
  'north-emptied-listing-answers',
  'MANAGED-KEYS-LIST-08',
  'after its last key a kind lists an empty array (000 7: 404, also empty LIST results)',
  {
    routes: {
      ...everyWrite((original) => async (call) => {
        const reply = await original(call)
        filled(call.state).add(`${call.mount.namespace} ${keyIn(call)?.kind}`)
        return reply
      }),
      'managedKeys.list': (original) => async (call) => {
        try {
          return await original(call)
        } catch (cause) {
          const wasFilled = filled(call.state).has(`${call.mount.namespace} ${call.params.type}`)
          if (!(cause instanceof ApiError) || !wasFilled || call.params.type === 'cloudckms') throw cause
          return bare({ keys: [] })
        }
      },
    },
  },
)

const protectedOnce = remembered(() => new Set<string>())
route(
  'north-refused-deletion-stays-refused',
  'MANAGED-KEYS-DELETE-07',
  'a key that a mount once protected is not deleted after the mount lists it no more (000 4.2: deletes provided no mount lists it)',
  'managedKeys.delete',
  (original) => async (call) => {
    const uuid = keyIn(call)?.uuid ?? ''
    if (protectedOnce(call.state).has(uuid)) throw invalid('the key is in use')
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) protectedOnce(call.state).add(uuid)
      throw cause
    }
  },
)

const failed = remembered(() => new Map<string, string>())
route(
  'north-failed-once-failed-for-ever',
  'MANAGED-KEYS-SIGN-12',
  'a key that failed its test fails it after the update that mends it (000 4.2: signs and verifies random data; create or update)',
  'managedKeys.testSign',
  (original) => (call) =>
    original(
      deciding(call, {
        asks: (key) => {
          const before = failed(call.state).get(key.uuid)
          if (before !== undefined) throw invalid(before)
          return call.rules.asks(key)
        },
        failureText: (problem, key) => {
          const text = call.rules.failureText(problem, key)
          failed(call.state).set(key.uuid, text)
          return text
        },
      }),
    ),
)

route(
  'north-refused-update-leaves-texts',
  'MANAGED-KEYS-WRITE-05',
  'an update that is refused has changed the labels and the curve already (000 7: 400 invalid request; 4.2: create or update)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const existing = keyIn(call)
      if (existing?.kind === 'pkcs11') {
        const texts = ['key_label', 'token_label', 'curve'].filter((field) => typeof call.body[field] === 'string')
        existing.parameters = { ...existing.parameters, ...Object.fromEntries(texts.map((field) => [field, call.body[field] ?? ''])) }
      }
      throw cause
    }
  },
)

const rewritten = remembered(() => new Set<string>())
change(
  'north-generated-anew-after-update',
  'MANAGED-KEYS-SIGN-12',
  'the first test after an update makes a key beside the one that is there (000 4.2: if generation is allowed and no key exists)',
  {
    routes: {
      ...everyWrite((original) => async (call) => {
        const existing = keyIn(call)
        const reply = await original(call)
        if (existing) rewritten(call.state).add(keyIn(call)?.uuid ?? '')
        return reply
      }),
      'managedKeys.testSign': (original) => async (call) => {
        const uuid = keyIn(call)?.uuid ?? ''
        const isRewritten = rewritten(call.state).has(uuid)
        const reply = await original(
          deciding(call, { request: (asked) => ({ ...call.rules.request(asked), anew: asked.generate && isRewritten }) }),
        )
        rewritten(call.state).delete(uuid)
        return reply
      },
    },
  },
)

const deleted = remembered(() => new Map<string, ManagedKey>())
change(
  'north-deleted-key-still-tested',
  'MANAGED-KEYS-NS-03',
  'test/sign still works for a key that was deleted (000 4.2: deletes the key; 7: 404)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const existing = keyIn(call)
        const reply = await original(call)
        if (existing && existing.kind === call.params.type) deleted(call.state).set(placeOf(call), existing)
        return reply
      },
      'managedKeys.testSign': (original) => (call) =>
        original(deciding(call, { named: (keys, name) => call.rules.named(keys, name) ?? deleted(call.state).get(placeOf(call)) })),
    },
  },
)

const kinds = remembered(() => new Map<string, Kind>())
change(
  'north-name-bound-to-first-kind',
  'MANAGED-KEYS-NAME-05',
  'a name stays with its first kind after the key is deleted (000 4.2: deletes the key; 2.6: unique among the keys of a namespace)',
  {
    routes: everyWrite((original) => async (call) => {
      const former = kinds(call.state).get(placeOf(call))
      const reply = await original(
        deciding(call, {
          isTaken: (existing, kind) => call.rules.isTaken(existing, kind) || (former !== undefined && former !== kind),
        }),
      )
      const written = keyIn(call)
      if (written) kinds(call.state).set(placeOf(call), written.kind)
      return reply
    }),
  },
)

const listedBefore = remembered(() => new Map<string, string[]>())
change(
  'north-listed-before-it-was-made',
  'MANAGED-KEYS-DELETE-05',
  'a mount that listed a name before the key was made does not protect it (000 4.2: deletes the key provided no mount lists it)',
  {
    routes: {
      ...everyWrite((original) => async (call) => {
        const existing = keyIn(call)
        const reply = await original(call)
        const lists = call.services.allowedManagedKeys(call.mount.namespace).filter(({ keys }) => keys.includes(nameOf(call)))
        if (!existing)
          listedBefore(call.state).set(
            placeOf(call),
            lists.map(({ mount }) => mount),
          )
        return reply
      }),
      'managedKeys.delete': (original) => (call) => {
        const early = listedBefore(call.state).get(placeOf(call)) ?? []
        return original(seeingMounts(call, (lists) => lists.filter(({ mount }) => !early.includes(mount))))
      },
    },
  },
)

const allowed = remembered(() => new Set<string>())
change(
  'north-generation-not-taken-back',
  'MANAGED-KEYS-SIGN-28',
  'a key whose generation was allowed is made even after an update forbids it (000 4.2: allow_generate_key "false", if generation is allowed)',
  {
    routes: {
      ...everyWrite((original) => async (call) => {
        const reply = await original(call)
        const written = keyIn(call)
        if (written?.parameters.allow_generate_key === true) allowed(call.state).add(written.uuid)
        return reply
      }),
      'managedKeys.testSign': (original) => (call) => {
        const wasAllowed = ({ uuid, parameters }: ManagedKey): boolean => allowed(call.state).has(uuid) && parameters.key_label !== ''
        return original(
          deciding(call, {
            generates: (key) => wasAllowed(key) || call.rules.generates(key),
            generatesAtService: (key) => wasAllowed(key) || call.rules.generatesAtService(key),
          }),
        )
      },
    },
  },
)

const listings = remembered(() => new Map<string, Reply>())
change(
  'north-listing-kept-until-next-write',
  'MANAGED-KEYS-LIST-01',
  'a deleted key stays in a listing that was asked for before (000 4.2: LIST, DELETE)',
  {
    routes: {
      ...everyWrite((original) => (call) => {
        listings(call.state).clear()
        return original(call)
      }),
      'managedKeys.list': (original) => async (call) => {
        const place = `${call.mount.namespace} ${call.params.type}`
        const reply = listings(call.state).get(place) ?? (await original(call))
        listings(call.state).set(place, reply)
        return reply
      },
    },
  },
)

const hashes = remembered(() => new Map<string, string>())
route(
  'north-hash-of-the-test-before',
  'MANAGED-KEYS-SIGN-40',
  'a test without hash_algorithm uses that of the test before (000 4.2: hash_algorithm, default sha2-256)',
  'managedKeys.testSign',
  (original) => (call) => {
    const before = hashes(call.state).get(placeOf(call))
    const hash = call.body.hash_algorithm === undefined && before !== undefined ? before : call.rules.hashOf(call.body)
    hashes(call.state).set(placeOf(call), hash)
    return original(deciding(call, { hashOf: () => hash }))
  },
)

const secrets = remembered(() => new Map<string, string>())
route(
  'north-secret-kept-by-access-key',
  'MANAGED-KEYS-SIGN-32',
  'after a good test a new secret_key is not used, for clients are kept by access_key (000 4.2: secret_key; a successful status means valid)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const key = keyIn(call)
    const id = String(key?.parameters.access_key)
    const known = key?.kind === 'cloudakms' ? secrets(call.state).get(id) : undefined
    const reply = await original(
      deciding(call, {
        usedParameters: (values) => call.rules.usedParameters(known === undefined ? values : { ...values, secret_key: known }),
      }),
    )
    if (key?.kind === 'cloudakms' && known === undefined) secrets(call.state).set(id, String(key.parameters.secret_key))
    return reply
  },
)
