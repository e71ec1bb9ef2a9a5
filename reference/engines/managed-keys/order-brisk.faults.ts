/** Faults in which what happened before stays: a refused request half done, a cache that nobody clears, an index that is not mended. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { byRules, keyAt, keysOf, onRefusal, placeOf, type Wrap, withRules, writesOf } from './loose-words.ts'
import { parameters } from './parameters.ts'
import type { Kind, ManagedKey } from './state.ts'

const { route, change } = faultsOf(managedKeysEngine)
const { change: coreChange } = faultsOf(coreEngine, 'managed-keys')

const TEST = 'managedKeys.testSign'

const isHindered = ({ message }: ApiError): boolean => message.endsWith('lists this key')

const tombs = remembered(() => new Set<string>())

change(
  'made-again-unlisted',
  ['MANAGED-KEYS-LIST-07'],
  'a key that is made again after its deletion is missing in lists (000 4.2, LIST: array of names)',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const key = keyAt(call)
        const given = await original(call)
        if (key !== undefined && keyAt(call) === undefined) tombs(call.state).add(placeOf(call))
        return given
      },
      'managedKeys.list': byRules((call) => ({
        listed: (key, kind) => call.rules.listed(key, kind) && !tombs(call.state).has(`${call.mount.namespace} ${key.name}`),
      })),
    },
  },
)

const shown = remembered(() => new Map<string, Reply>())

route(
  'deleted-key-still-read',
  ['MANAGED-KEYS-NS-01'],
  'a key that was read before its deletion can be read afterwards (000 4.2, DELETE: deletes the key; 7, 404)',
  'managedKeys.read',
  (original) => async (call) => {
    const place = `${placeOf(call)} ${call.params.type}`
    const seen = shown(call.state).get(place)
    if (keyAt(call) === undefined && seen !== undefined) return seen
    const given = await original(call)
    shown(call.state).set(place, given)
    return given
  },
)

const inUse = new WeakSet<ManagedKey>()

change(
  'frozen-after-test',
  ['MANAGED-KEYS-WRITE-05'],
  'updates of a key that has been tested well answer success without effect (000 4.2, create or update)',
  {
    rules: {
      updated: (original) => (previous, next) => (previous !== undefined && inUse.has(previous) ? previous : original(previous, next)),
    },
    routes: {
      [TEST]: (original) => async (call) => {
        const given = await original(call)
        const key = keyAt(call)
        if (key !== undefined) inUse.add(key)
        return given
      },
    },
  },
)

const asSent = ({ rules, body }: KeyCall, kind: Kind): Record<string, Json> =>
  Object.fromEntries(Object.keys(parameters[kind]).map((field) => [field, rules.valueIn(kind, body, field, rules.defaultOf(kind, field))]))

change(
  'refused-key-there',
  ['MANAGED-KEYS-BVAULT-05'],
  'a key that is refused for want of key_bits or curve is there afterwards (000 4.2, required; 7, 400)',
  {
    routes: writesOf((kind) =>
      onRefusal((call, { message }) => {
        const name = call.params.name ?? ''
        if (keyAt(call) !== undefined || !message.endsWith('is required here')) return
        keysOf(call).set(name, { uuid: call.services.random.uuid(), kind, name, parameters: asSent(call, kind) })
      }),
    ),
  },
)

change(
  'refused-update-deletes',
  ['MANAGED-KEYS-PKCS-24', 'MANAGED-KEYS-USAGE-03'],
  'an update that is refused deletes the key (000 4.2, create or update; 7, 400 invalid request)',
  {
    routes: writesOf((kind) =>
      onRefusal((call) => {
        const key = keyAt(call)
        if (key?.kind === kind) keysOf(call).delete(key.name)
      }),
    ),
  },
)

const unmounted = remembered(() => new Set<string>())

coreChange(
  'disabled-mount-hinders',
  ['MANAGED-KEYS-DELETE-07'],
  'a mount that listed a key hinders its deletion when it is disabled long since (000 4.2, DELETE: provided no mount lists it)',
  {
    rules: {
      check: (original) => (call, found) => {
        original(call, found)
        if (found.id === 'managedKeys.delete' && unmounted(call.services).has(`${call.mount.namespace} ${call.params.name}`))
          throw invalid('a mount lists this key')
      },
    },
    routes: {
      'sys.deleteMount': (original) => async (call) => {
        const { namespace } = call.mount
        const before = [...call.state.mounts.of(namespace)]
        const given = await original(call)
        const gone = before.filter((mount) => !call.state.mounts.of(namespace).includes(mount))
        for (const name of gone.flatMap(({ allowedManagedKeys }) => allowedManagedKeys))
          unmounted(call.services).add(`${namespace} ${name}`)
        return given
      },
    },
  },
)

route(
  'made-flag-cleared',
  ['MANAGED-KEYS-SIGN-50'],
  'a test that succeeds turns allow_generate_key of the key to "false" (000 4.2, allow_generate_key; GET: configuration object)',
  TEST,
  (original) => async (call) => {
    const given = await original(call)
    const key = keyAt(call)
    if (key?.parameters.allow_generate_key === true) key.parameters.allow_generate_key = false
    return given
  },
)

const padded = remembered(() => new Set<string>())

route(
  'pss-sticks',
  ['MANAGED-KEYS-SIGN-40', 'MANAGED-KEYS-SIGN-35'],
  'a key tested with use_pss once is tested with PSS when it is left out later (000 4.2, use_pss: default false)',
  TEST,
  (original) => (call) => {
    const uuid = keyAt(call)?.uuid ?? ''
    const known = padded(call.state)
    const pssOf = (body: KeyCall['body']): boolean => {
      const pss = call.rules.pssOf(body)
      if (pss) known.add(uuid)
      return pss || (body.use_pss === undefined && known.has(uuid))
    }
    return original(withRules(call, { pssOf }))
  },
)

const proven = new WeakSet<ManagedKey>()

const provenOnce: Wrap = (original) => async (call) => {
  const asks = (key: ManagedKey): boolean => !proven.has(key) && call.rules.asks(key)
  const given = await original(withRules(call, { asks }))
  const key = keyAt(call)
  if (key !== undefined) proven.add(key)
  return given
}

route(
  'good-test-kept',
  ['MANAGED-KEYS-SIGN-25', 'MANAGED-KEYS-SIGN-30'],
  'a key tested well is not tested again until it is updated, even if its module or service has lost it (000 4.2, test/sign)',
  TEST,
  provenOnce,
)

const lists = remembered(() => new Map<string, { names: Json[]; given: Reply }>())

route(
  'list-before-creations',
  ['MANAGED-KEYS-NAME-02'],
  'a list shows what it did when it was asked first, until one of those keys is deleted (000 4.2, LIST: array of names; create)',
  'managedKeys.list',
  (original) => async (call) => {
    const place = `${call.mount.namespace} ${call.params.type}`
    const names: Json[] = [...keysOf(call).values()].filter(({ kind }) => kind === call.params.type).map(({ name }) => name)
    const before = lists(call.state).get(place)
    if (before?.names.every((name) => names.includes(name))) return before.given
    const given = await original(call)
    lists(call.state).set(place, { names, given })
    return given
  },
)

const formerLabels = new WeakMap<ManagedKey, string>()

change(
  'former-label-tests',
  ['MANAGED-KEYS-WRITE-05'],
  'a key whose new label is in no token is tested by its former one (000 4.2, update; key_label)',
  {
    rules: {
      updated: (original) => (previous, next) => {
        const kept = original(previous, next)
        const former = String(previous?.parameters.key_label ?? '')
        if (former !== '' && former !== next.parameters.key_label) formerLabels.set(kept, former)
        return kept
      },
    },
    routes: {
      [TEST]: (original) => async (call) => {
        const key = keyAt(call)
        const keyLabel = key && formerLabels.get(key)
        try {
          return await original(call)
        } catch (cause) {
          if (keyLabel === undefined || !(cause instanceof ApiError && cause.message.includes('no such key'))) throw cause
          return original(withRules(call, { request: (request) => ({ ...call.rules.request(request), keyLabel }) }))
        }
      },
    },
  },
)

const unlisted = new WeakSet<ManagedKey>()

change(
  'refused-deletion-unlists',
  ['MANAGED-KEYS-DELETE-05'],
  'a key whose deletion was refused is missing in lists (000 4.2, LIST; DELETE: provided)',
  {
    routes: {
      'managedKeys.delete': onRefusal((call, refused) => {
        const key = keyAt(call)
        if (key !== undefined && isHindered(refused)) unlisted.add(key)
      }),
      'managedKeys.list': byRules(({ rules }) => ({ listed: (key, kind) => rules.listed(key, kind) && !unlisted.has(key) })),
    },
  },
)
