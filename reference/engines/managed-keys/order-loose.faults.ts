/** Faults in which a write, a read, a list or a deletion goes by what was before it: an older state, a refusal, an earlier try. */
import { bare } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import {
  byRules,
  isTrue,
  keyAt,
  keysOf,
  onRefusal,
  placeOf,
  WRITES,
  type Wrap,
  withParameters,
  withRules,
  writesOf,
} from './loose-words.ts'
import type { Kind, ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

const onDeletion =
  (tell: (call: KeyCall, key: ManagedKey) => void): Wrap =>
  (original) =>
  async (call) => {
    const key = keyAt(call)
    const given = await original(call)
    if (key !== undefined && keyAt(call) === undefined) tell(call, key)
    return given
  }

const lists = remembered(() => new Map<string, { names: string[]; given: Reply }>())

route(
  'list-before-deletions',
  ['MANAGED-KEYS-LIST-01'],
  'a list shows deleted keys until another key is made (000 4.2, DELETE: deletes the key; LIST)',
  'managedKeys.list',
  (original) => async (call) => {
    const place = `${call.mount.namespace} ${call.params.type}`
    const names = [...keysOf(call).values()].filter(({ kind }) => kind === call.params.type).map(({ name }) => name)
    const before = lists(call.state).get(place)
    if (before !== undefined && names.every((name) => before.names.includes(name))) return before.given
    const given = await original(call)
    lists(call.state).set(place, { names, given })
    return given
  },
)

const emptied = remembered(() => new Set<string>())

change(
  'emptied-list-200',
  'MANAGED-KEYS-LIST-08',
  'the list of a kind whose keys have all been deleted is an empty one (000 1.5, an empty listing returns 404)',
  {
    routes: {
      'managedKeys.delete': onDeletion((call, key) => emptied(call.state).add(`${call.mount.namespace} ${key.kind}`)),
      'managedKeys.list': insteadOfRefusal(
        () => bare({ keys: [] }),
        (call: KeyCall) => emptied(call.state).has(`${call.mount.namespace} ${call.params.type}`),
      ),
    },
  },
)

const buried = remembered(() => new Map<string, JsonObject>())

change(
  'old-values-after-deletion',
  ['MANAGED-KEYS-DELETE-01'],
  'a key that is made again has the values of the deleted one for what is left out (000 4.2, defaults)',
  {
    routes: {
      'managedKeys.delete': onDeletion((call, key) => buried(call.state).set(placeOf(call), key.parameters)),
      ...writesOf(() =>
        byRules((call) => ({
          baseOf: (previous) => (previous ? call.rules.baseOf(previous) : (buried(call.state).get(placeOf(call)) ?? {})),
        })),
      ),
    },
  },
)

const reserved = remembered(() => new Map<string, Kind>())

change(
  'refused-name-taken',
  'MANAGED-KEYS-NAME-07',
  'a name whose creation was refused is refused for other kinds from then on (000 2.6, 4.2: there is no key of that name)',
  {
    routes: writesOf((kind) => (original) => {
      const telling = onRefusal((call) => reserved(call.state).set(placeOf(call), kind))(original)
      return (call) => {
        const other = reserved(call.state).get(placeOf(call))
        if (keyAt(call) !== undefined) return original(call)
        if (other !== undefined && other !== kind) throw invalid('a key of another kind has this name')
        return telling(call)
      }
    }),
  },
)

route(
  'refused-update-half-done',
  ['MANAGED-KEYS-MODEL-01'],
  'an update that is refused stores its any_mount (000 4.2, create or update; 7, 400 invalid request)',
  WRITES,
  onRefusal((call) => {
    const key = keyAt(call)
    if (key !== undefined && call.body.any_mount !== undefined) key.parameters.any_mount = isTrue(call.body.any_mount)
  }),
)

rule('label-stays', ['MANAGED-KEYS-PKCS-07'], 'an update does not change key_label (000 4.2, create or update)', {
  updated: (original) => (previous, next) => {
    const label = previous?.parameters.key_label ?? ''
    return original(previous, label === '' ? next : withParameters(next, { key_label: label }))
  },
})

rule(
  'second-update-lost',
  ['MANAGED-KEYS-PKCS-08'],
  'a key is updated once; later updates answer success without effect (000 4.2, create or update)',
  {
    updated: (original) => {
      const done = new Set<string>()
      return (previous, next) => {
        if (previous === undefined) return original(previous, next)
        if (done.has(previous.uuid)) return previous
        done.add(previous.uuid)
        return original(previous, next)
      }
    },
  },
)

const rewritten = new WeakSet<ManagedKey>()

rule(
  'pin-shown-after-update',
  ['MANAGED-KEYS-SECRET-02'],
  'the read of a key that was updated shows its PIN (000 2.6, pin returns the literal text redacted)',
  {
    updated: (original) => (previous, next) => {
      const kept = original(previous, next)
      if (previous !== undefined) rewritten.add(kept)
      return kept
    },
    shownField: (original) => (key, field) => (field === 'pin' && rewritten.has(key) ? (key.parameters.pin ?? '') : original(key, field)),
  },
)

const isHindered = (message: string): boolean => message.endsWith('lists this key')

const refused = remembered(() => new Set<string>())

route(
  'second-deletion-done',
  ['MANAGED-KEYS-DELETE-05'],
  'a deletion that was refused is done when it is asked again (000 4.2, DELETE: provided no mount lists it)',
  'managedKeys.delete',
  (original) => {
    const telling = onRefusal((call, { message }) => {
      if (isHindered(message)) refused(call.state).add(keyAt(call)?.uuid ?? '')
    })(original)
    return (call) =>
      refused(call.state).has(keyAt(call)?.uuid ?? '') ? original(withRules(call, { hinders: () => false })) : telling(call)
  },
)

const hindered = remembered(() => new Set<string>())

route(
  'once-listed-for-ever',
  ['MANAGED-KEYS-DELETE-07'],
  'a key whose deletion was refused cannot be deleted when no mount lists it any more (000 4.2, DELETE: provided no mount lists it)',
  'managedKeys.delete',
  (original) => {
    const telling = onRefusal((call, { message }) => {
      if (isHindered(message)) hindered(call.state).add(keyAt(call)?.uuid ?? '')
    })(original)
    return (call) => {
      if (hindered(call.state).has(keyAt(call)?.uuid ?? '')) throw invalid('a mount lists this key')
      return telling(call)
    }
  },
)
