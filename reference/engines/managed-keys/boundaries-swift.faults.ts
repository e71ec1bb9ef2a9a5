/** Faults at the ends of what is allowed: none, one, the second, the last, the smallest, the largest. */

import { bare } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']
const MOST_NAMES = 100

const namesIn = (reply: Reply): string[] => (reply.body as { keys: string[] }).keys

route(
  'list-ends-at-hundred',
  ['MANAGED-KEYS-LIST-01'],
  'a listing ends after a hundred names (000 4.2, LIST :type, keys)',
  'managedKeys.list',
  (original) => async (call) => {
    const reply = await original(call)
    return { ...reply, body: { keys: namesIn(reply).slice(0, MOST_NAMES) } }
  },
)

route(
  'empty-kind-lists-as-nothing',
  ['CORE-LIST-04', 'MANAGED-KEYS-LIST-08'],
  'a kind without keys lists as an empty array while another kind has keys (000 7, 404: also empty LIST results)',
  'managedKeys.list',
  (original) => (call) => {
    const { rules, state, mount } = call
    const kind = rules.kindOf(call.params.type ?? '')
    const keys = [...rules.keysIn(state.namespaces, mount.namespace).values()]
    const isEmpty = kind !== undefined && keys.length > 0 && !keys.some((key) => rules.listed(key, kind))
    return isEmpty && rules.listsOf(kind) ? bare({ keys: [] }) : original(call)
  },
)

rule('largest-size-refused', ['MANAGED-KEYS-AKMS-07'], 'key_bits of 4096 are refused for cloudakms (000 4.2, cloudakms: key_bits)', {
  statedOf: (original) => (kind) => {
    const sets = original(kind)
    return kind === 'cloudakms' ? { ...sets, key_bits: ['2048', '3072'] } : sets
  },
})

rule(
  'sizes-from-2048-up',
  ['MANAGED-KEYS-BVAULT-08', 'MANAGED-KEYS-AKMS-08'],
  'any size from 2048 bits upwards is taken (000 4.2, key_bits: 2048, 3072, 4096)',
  {
    inSet: (original) => (value, set, field) => (field === 'key_bits' ? Number(value) >= 2048 : original(value, set, field)),
  },
)

rule(
  'last-algorithm-refused',
  ['MANAGED-KEYS-CKMS-04'],
  'the last algorithm of the list is refused (000 4.2, cloudckms: algorithm, RSA_SIGN_PKCS1_4096_SHA512)',
  {
    statedOf: (original) => (kind) => {
      const sets = original(kind)
      return kind === 'cloudckms' ? { ...sets, algorithm: (sets.algorithm ?? []).slice(0, -1) } : sets
    },
  },
)

rule(
  'made-for-256-always',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a key of 4096 bits for SHA512 is made for SHA256 (000 4.2, cloudckms: algorithm)',
  {
    madeAlgorithm: (original) => (algorithm) => original(algorithm).replace(/SHA512$/, 'SHA256'),
  },
)

rule(
  'second-version-overlooked',
  ['MANAGED-KEYS-SIGN-44'],
  'a test uses the first version of a key whatever crypto_key_version says (000 4.2, cloudckms)',
  {
    versionOf: () => () => '1',
  },
)

route(
  'first-usage-checked',
  ['MANAGED-KEYS-USAGE-02'],
  'only the first of the usages is checked (000 4.2, usages: values from encrypt … random)',
  WRITES,
  (original) => (call) => {
    const more = String(call.body.usages ?? '')
      .split(',')
      .slice(1)
      .map((usage) => usage.trim())
    return original({ ...call, rules: { ...call.rules, usages: () => [...call.rules.usages(), ...more] } })
  },
)

rule('last-usage-unknown', ['MANAGED-KEYS-USAGE-01'], 'the usage random is refused (000 4.2, usages: encrypt … mac, random)', {
  usages: (original) => () => original().slice(0, -1),
})

const hashIn = (body: JsonObject): string => String(body.hash_algorithm ?? '')

route(
  'last-hash-refused',
  ['MANAGED-KEYS-SIGN-09'],
  'the last hash of the list, sha3-512, is refused (000 4.2, hash_algorithm)',
  'managedKeys.testSign',
  (original) => (call) => {
    if (hashIn(call.body) === 'sha3-512') throw invalid('hash_algorithm is not supported')
    return original(call)
  },
)

rule(
  'slot-zero-is-none',
  ['MANAGED-KEYS-PKCS-05'],
  'slot 0 counts as no slot, so that a key with it and without token_label is refused (000 4.2, pkcs11: slot)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return field === 'slot' && Number(value) === 0 ? '' : value
    },
  },
)

rule(
  'slot-of-31-bits',
  ['MANAGED-KEYS-PKCS-10'],
  'a slot from 2147483648 upwards is read as a negative number (000 4.2, GET: slot; pkcs11: decimal slot number)',
  {
    shownField: (original) => (key, field) => {
      const value = original(key, field)
      return field === 'slot' ? Number(value) | 0 : value
    },
  },
)
