/** Faults at the ends of sets, lists and numbers: the first, the last, the second, none, zero and one too many. */
import { bare } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestBody } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const writes = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

route(
  'keen-first-usage-checked',
  ['MANAGED-KEYS-USAGE-02'],
  'only the first of the usages is checked, so that `sign,unknown` is accepted (000 4.2, usages: values from encrypt to random)',
  writes,
  requestBody<KeyCall>((body) => (typeof body.usages === 'string' ? { ...body, usages: body.usages.split(',')[0] ?? '' } : body)),
)

rule(
  'keen-last-usage-missing',
  ['MANAGED-KEYS-USAGE-01'],
  'the last of the usages, `random`, is refused (000 4.2, usages: values from encrypt to random)',
  {
    usages: (original) => () => original().slice(0, -1),
  },
)

route(
  'keen-list-thirty',
  ['MANAGED-KEYS-LIST-01'],
  'a list ends after 30 names (000 4.2, LIST: returns keys, array of names)',
  'managedKeys.list',
  (original) => async (call) => {
    const given = await original(call)
    const { keys } = given.body as { keys: string[] }
    return { ...given, body: { keys: keys.slice(0, 30) } }
  },
)

route(
  'keen-empty-list-answered',
  ['MANAGED-KEYS-LIST-08'],
  'a kind without keys is answered with an empty list where there are keys of another kind (000 7: 404, also empty LIST results)',
  'managedKeys.list',
  insteadOfRefusal<KeyCall>(
    () => bare({ keys: [] }),
    (call) =>
      ['pkcs11', 'cloudakms', 'cloudbkeyvault'].includes(call.params.type ?? '') &&
      (call.state.namespaces.get(call.mount.namespace)?.size ?? 0) > 0,
  ),
)

rule(
  'keen-largest-size-refused',
  ['MANAGED-KEYS-PKCS-19'],
  'key_bits of 4096 is refused for pkcs11 keys (000 4.2, pkcs11 key_bits: 2048, 3072, 4096)',
  {
    statedOf: (original) => (kind) => (kind === 'pkcs11' ? { ...original(kind), key_bits: ['2048', '3072'] } : original(kind)),
  },
)

rule(
  'keen-last-curve-refused',
  ['MANAGED-KEYS-AKMS-09'],
  'the curve P521 is refused for cloudakms keys (000 4.2, cloudakms curve: P256, P384, P521)',
  {
    statedOf: (original) => (kind) => (kind === 'cloudakms' ? { ...original(kind), curve: ['P256', 'P384'] } : original(kind)),
  },
)

route(
  'keen-slot-zero-absent',
  ['MANAGED-KEYS-PKCS-05'],
  'slot "0" counts as absent, so that a key in slot 0 without token_label is refused (000 4.2, slot: decimal slot number as string)',
  'managedKeys.writePkcs11',
  requestBody<KeyCall>((body) => (Number(body.slot) === 0 ? Object.fromEntries(Object.entries(body).filter(([f]) => f !== 'slot')) : body)),
)

rule(
  'keen-second-group-unchecked',
  ['MANAGED-KEYS-PKCS-05'],
  'only the first group of which one parameter must be there is checked: neither slot nor token_label is needed (000 4.2, slot)',
  {
    oneOfOf: (original) => (kind) => original(kind).slice(0, 1),
  },
)

rule(
  'keen-last-required-unchecked',
  ['MANAGED-KEYS-CKMS-03'],
  'the last of the required parameters is not required: pin, kms_key, key_type and algorithm of the four kinds (000 4.2, required)',
  {
    requiredOf: (original) => (kind) => original(kind).slice(0, -1),
  },
)

rule(
  'keen-last-hash-refused',
  ['MANAGED-KEYS-SIGN-09'],
  'the last hash, sha3-512, is refused in a test (000 4.2, hash_algorithm: sha1 to sha3-512)',
  {
    hashOf: (original) => (body) => original(body.hash_algorithm === 'sha3-512' ? { hash_algorithm: 'sha3-512 ' } : body),
  },
)

rule(
  'keen-hinders-first-name',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-08'],
  'of the names that a mount lists only the first hinders a deletion (000 4.2, DELETE: no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
  },
)
