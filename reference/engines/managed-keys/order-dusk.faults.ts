/** Faults of time and order: what was before decides, or what changed does not. */
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyAt, placeOf, withLists, withRules, writes } from './dusk-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { parameters } from './parameters.ts'
import type { Kind, ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine, 'managed-keys')

rule(
  'dusk-flags-stay-set',
  'MANAGED-KEYS-PKCS-13',
  'an update with "false" leaves a flag that is set as it is (000 4.2: POST create or update; allow_*, any_mount)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return parameters[kind][field]?.type === 'flag' && fallback === true ? true : value
    },
  },
)

const testedOf = remembered(() => new Map<string, ManagedKey>())

route(
  'dusk-test-of-first-configuration',
  'MANAGED-KEYS-WRITE-05',
  'a key that is updated after a test is tested as it was then (000 4.2: test/sign, success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => (call) => {
    const tested = testedOf(call.state)
    const asTested: KeyCall['rules']['named'] = (keys, name) => {
      const current = call.rules.named(keys, name)
      if (current === undefined) return undefined
      const first = tested.get(current.uuid) ?? current
      tested.set(current.uuid, first)
      return first
    }
    return original(withRules(call, { named: asTested }))
  },
)

const brokenOf = remembered(() => new Set<string>())

route(
  'dusk-failed-for-good',
  'MANAGED-KEYS-SIGN-12',
  'a key that failed one test fails all later ones, also when put right (000 4.2: test/sign, success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => (call) => {
    const broken = brokenOf(call.state)
    const id = keyAt(call)?.uuid ?? ''
    if (broken.has(id)) throw invalid('the key is out of use')
    const noting = (problem: string): boolean => {
      broken.add(id)
      return call.rules.fails(problem)
    }
    return original(withRules(call, { fails: noting }))
  },
)

const rewrittenOf = remembered(() => new Set<string>())

change(
  'dusk-made-again-after-update',
  'MANAGED-KEYS-SIGN-12',
  'the first test after an update makes a key though there is one (000 4.2: test/sign, generated if no key exists)',
  {
    routes: {
      ...writes(() => (original) => async (call) => {
        const before = keyAt(call)
        const given = await original(call)
        if (before !== undefined) rewrittenOf(call.state).add(before.uuid)
        return given
      }),
      'managedKeys.testSign': (original) => (call) => {
        const isRewritten = rewrittenOf(call.state).delete(keyAt(call)?.uuid ?? '')
        return original(withRules(call, { request: (asked) => ({ ...call.rules.request(asked), anew: isRewritten && asked.generate }) }))
      },
    },
  },
)

const listsOf = remembered(() => new Map<string, Reply>())

change(
  'dusk-list-before-deletion',
  'MANAGED-KEYS-LIST-01',
  'a list is remembered until the next write, so that it shows what was deleted (000 4.2: LIST returns names; DELETE deletes)',
  {
    routes: {
      ...writes(() => (original) => async (call) => {
        const given = await original(call)
        listsOf(call.state).clear()
        return given
      }),
      'managedKeys.list': (original) => async (call) => {
        const lists = listsOf(call.state)
        const place = `${call.mount.namespace} ${call.params.type}`
        const given = lists.get(place) ?? (await original(call))
        lists.set(place, given)
        return given
      },
    },
  },
)

const usedOf = remembered(() => new Set<string>())

change(
  'dusk-emptied-list-200',
  'CORE-LIST-04',
  'a list from which the last key was deleted is an empty array, not 404 (000 1.5: an empty listing returns 404)',
  {
    routes: {
      ...writes((kind) => (original) => async (call) => {
        const given = await original(call)
        usedOf(call.state).add(`${call.mount.namespace} ${kind}`)
        return given
      }),
      'managedKeys.list': (original) => async (call) => {
        try {
          return await original(call)
        } catch (cause) {
          const isEmpty = cause instanceof ApiError && usedOf(call.state).has(`${call.mount.namespace} ${call.params.type}`)
          if (isEmpty) return bare({ keys: [] })
          throw cause
        }
      },
    },
  },
)

const keptOf = remembered(() => new Set<string>())

route(
  'dusk-kept-for-good',
  'MANAGED-KEYS-DELETE-07',
  'a key whose deletion was refused once is never deleted, even when none lists it (000 4.2: DELETE, provided no mount lists it)',
  'managedKeys.delete',
  (original) => async (call) => {
    const id = keyAt(call)?.uuid ?? ''
    if (keptOf(call.state).has(id)) throw invalid('a mount lists this key')
    try {
      return await original(call)
    } catch (cause) {
      keptOf(call.state).add(id)
      throw cause
    }
  },
)

change(
  'dusk-refused-update-kept',
  'MANAGED-KEYS-WRITE-05',
  'texts of an update are kept although it is refused for another parameter (000 7: 400, invalid request)',
  {
    routes: writes((kind) => (original) => async (call) => {
      try {
        return await original(call)
      } catch (cause) {
        const key = keyAt(call)
        if (key?.kind !== kind) throw cause
        for (const field of ['library', 'key_label', 'token_label', 'region', 'endpoint', 'vault_name', 'client_id', 'project']) {
          const value = call.body[field]
          if (parameters[kind][field] !== undefined && typeof value === 'string' && value !== '') key.parameters[field] = value
        }
        throw cause
      }
    }),
  },
)

const kindsOf = remembered(() => new Map<string, Kind>())

change(
  'dusk-name-kept-for-kind',
  'MANAGED-KEYS-NAME-05',
  'a name is refused to another kind after its key was deleted (000 2.6: unique name; 4.2: DELETE deletes the key)',
  {
    routes: writes((kind) => (original) => async (call) => {
      const kinds = kindsOf(call.state)
      const before = kinds.get(placeOf(call))
      if (before !== undefined && before !== kind) throw invalid('a key of another kind has this name')
      const given = await original(call)
      kinds.set(placeOf(call), kind)
      return given
    }),
  },
)

const mountsOf = remembered(() => new Map<string, ReturnType<KeyCall['services']['allowedManagedKeys']>>())

change(
  'dusk-mounts-as-at-write',
  'MANAGED-KEYS-DELETE-07',
  'a deletion goes by what the mounts listed when the key was written (000 4.2: DELETE, provided no mount lists it)',
  {
    routes: {
      ...writes(() => (original) => async (call) => {
        const given = await original(call)
        mountsOf(call.state).set(placeOf(call), call.services.allowedManagedKeys(call.mount.namespace))
        return given
      }),
      'managedKeys.delete': (original) => (call) => {
        const lists = mountsOf(call.state).get(placeOf(call))
        return original(lists === undefined ? call : withLists(call, () => lists))
      },
    },
  },
)

route(
  'dusk-test-that-makes-fails',
  'MANAGED-KEYS-SIGN-43',
  'the test that makes the key fails, only the next one succeeds (000 4.2: test/sign, if no key exists it is generated)',
  'managedKeys.testSign',
  (original) => async (call) => {
    try {
      return await original(withRules(call, { generates: () => false, generatesAtService: () => false }))
    } catch (cause) {
      await original(call)
      throw cause
    }
  },
)

route(
  'dusk-read-redacts-stored',
  'MANAGED-KEYS-SIGN-50',
  'a read overwrites the PIN that is kept, so that tests after it fail (000 2.6: on read pin returns redacted; 4.2: test/sign)',
  'managedKeys.read',
  (original) => async (call) => {
    const given = await original(call)
    const key = keyAt(call)
    if (key?.kind === 'pkcs11') key.parameters.pin = 'redacted'
    return given
  },
)
