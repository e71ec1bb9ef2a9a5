/** Faults in the form of a value: its type on read, its case, another verb or field for the same thing. */
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, requestBody, requestNestedAs } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const cloudWrites = ['managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

rule(
  'keen-mechanism-as-written',
  ['MANAGED-KEYS-READ-07'],
  'a read shows the mechanism as the text that was written (000 4.2, GET: mechanism (int))',
  {
    shownField: (original) => (key, field) => (field === 'mechanism' ? String(key.parameters.mechanism) : original(key, field)),
  },
)

rule('keen-slot-as-written', ['MANAGED-KEYS-READ-08'], 'a read shows a slot that was given as text (000 4.2, GET: slot (int))', {
  shownField: (original) => (key, field) =>
    field === 'slot' && key.parameters.slot !== '' ? String(key.parameters.slot) : original(key, field),
})

route(
  'keen-list-by-get-refused',
  ['CORE-LIST-02'],
  'a list asked for by GET with list=true is refused (000 1, 5: either the verb LIST, or GET with list=true)',
  'managedKeys.list',
  (original) => (call) => {
    if (call.query.get('list') === 'true') throw new ApiError(405, 'unsupported operation')
    return original(call)
  },
)

route(
  'keen-case-of-cloud-names',
  ['MANAGED-KEYS-NAME-02', 'MANAGED-KEYS-NAME-03'],
  'names of cloud keys are taken in any case, so that `a` and `A` are two keys (000 2.6: a unique lowercase name)',
  cloudWrites,
  (original) => (call) => original({ ...call, rules: { ...call.rules, nameAllowed: () => true } }),
)

rule(
  'keen-key-type-upper-only',
  ['MANAGED-KEYS-WRITE-02'],
  'a key_type in lower case is refused (000 4.2, cloudakms key_type: case-insensitive)',
  {
    inSet: (original) => (value, set, field) =>
      field === 'key_type' && set.includes('RSA') ? set.includes(value) : original(value, set, field),
  },
)

rule(
  'keen-key-spec-by-case',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a key of type `rsa` in lower case is made as one on a curve (000 4.2, cloudakms key_type: case-insensitive)',
  {
    keySpecOf: (original) => (values) =>
      /^rsa$/i.test(String(values.key_type)) && values.key_type !== 'RSA' ? `ECC_NIST_${String(values.curve || 'P256')}` : original(values),
  },
)

rule(
  'keen-any-mount-truthy',
  ['MANAGED-KEYS-FLAG-08'],
  'any text that is not empty sets any_mount, so that "false" does (000 4.2, any_mount: "true" allows)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      field === 'any_mount' && typeof body.any_mount === 'string' ? body.any_mount !== '' : original(kind, body, field, fallback),
  },
)

rule(
  'keen-false-flags-left-out',
  ['MANAGED-KEYS-PKCS-16'],
  'a read leaves out the flags that are false (000 4.2, GET: allow_store_key, any_mount and others)',
  {
    shownKey: (original) => (key, fields) =>
      original(key, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 'false' && value !== false))),
  },
)

rule(
  'keen-label-in-lower-case',
  ['MANAGED-KEYS-WRITE-05'],
  'the key_label is kept in lower case (000 4.2, pkcs11 key_label: label of key; GET: key_label)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return field === 'key_label' && typeof value === 'string' ? value.toLowerCase() : value
    },
  },
)

route(
  'keen-pss-for-modules-only',
  ['MANAGED-KEYS-SIGN-40', 'MANAGED-KEYS-SIGN-35'],
  'use_pss is heeded for pkcs11 keys only, cloud services sign with the other padding (000 4.2, use_pss: RSA PSS signatures)',
  'managedKeys.testSign',
  requestBody<KeyCall>((body, call) => (call.params.type === 'pkcs11' || isNested(body.use_pss) ? body : { ...body, use_pss: false })),
)

route(
  'keen-vault-hash-fixed',
  ['MANAGED-KEYS-SIGN-40'],
  'keys of kind cloudbkeyvault are tested with sha2-256, whichever SHA-2 hash is asked for (000 4.2, hash_algorithm)',
  'managedKeys.testSign',
  requestBody<KeyCall>((body, call) =>
    call.params.type === 'cloudbkeyvault' && /^sha2-(384|512)$/.test(String(body.hash_algorithm))
      ? { ...body, hash_algorithm: 'sha2-256' }
      : body,
  ),
)

route(
  'keen-nested-curve-absent',
  ['MANAGED-KEYS-AKMS-11'],
  'an object or a nested array as curve counts as absent where it should be refused (000 4.2, curve: string)',
  ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms'],
  requestNestedAs<KeyCall>('curve'),
)
