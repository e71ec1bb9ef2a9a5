/** Faults of parameters: what is required, what is taken, what is refused. */

import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, requestNestedAs, requestWithout } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

const writeOf = (kind: Kind): string => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`

const REQUIRED: [Kind, string, string][] = [
  ['pkcs11', 'library', 'MANAGED-KEYS-PKCS-01'],
  ['pkcs11', 'pin', 'MANAGED-KEYS-PKCS-03'],
  ['cloudakms', 'key_type', 'MANAGED-KEYS-AKMS-01'],
  ['cloudakms', 'kms_key', 'MANAGED-KEYS-AKMS-02'],
  ['cloudbkeyvault', 'tenant_id', 'MANAGED-KEYS-BVAULT-01'],
  ['cloudbkeyvault', 'vault_name', 'MANAGED-KEYS-BVAULT-02'],
  ['cloudbkeyvault', 'key_name', 'MANAGED-KEYS-BVAULT-03'],
  ['cloudbkeyvault', 'key_type', 'MANAGED-KEYS-BVAULT-04'],
  ['cloudckms', 'crypto_key', 'MANAGED-KEYS-CKMS-01'],
  ['cloudckms', 'key_ring', 'MANAGED-KEYS-CKMS-02'],
  ['cloudckms', 'algorithm', 'MANAGED-KEYS-CKMS-03'],
]

for (const [kind, field, clause] of REQUIRED)
  rule(`${kind}-${field.replaceAll('_', '-')}-optional`, clause, `a key of kind ${kind} needs no ${field}`, {
    requiredOf: (original) => (of) => original(of).filter((one) => of !== kind || one !== field),
  })
route(
  'pkcs11-mechanism-optional',
  'MANAGED-KEYS-PKCS-02',
  'a key without mechanism is taken for one of RSA',
  'managedKeys.writePkcs11',
  (original) => (call) => original(call.body.mechanism === undefined ? { ...call, body: { ...call.body, mechanism: '0x1' } } : call),
)
rule('label-and-id-optional', 'MANAGED-KEYS-PKCS-04', 'a key needs neither label nor id', {
  oneOfOf: (original) => (kind) => original(kind).filter((group) => !group.includes('key_id')),
})
rule('label-required', 'MANAGED-KEYS-PKCS-04', 'a key needs a label although it has an id', {
  oneOfOf: (original) => (kind) => original(kind).map((group) => group.filter((field) => field !== 'key_id')),
})
rule('slot-and-token-optional', 'MANAGED-KEYS-PKCS-05', 'a key needs neither slot nor token', {
  oneOfOf: (original) => (kind) => original(kind).filter((group) => !group.includes('slot')),
})
rule('token-required', 'MANAGED-KEYS-PKCS-05', 'a key needs a token although it has a slot', {
  oneOfOf: (original) => (kind) => original(kind).map((group) => group.filter((field) => field !== 'slot')),
})

const SETS: [Kind, string, string | undefined, string][] = [
  ['pkcs11', 'key_bits', 'MANAGED-KEYS-PKCS-19', 'MANAGED-KEYS-PKCS-20'],
  ['cloudakms', 'key_type', 'MANAGED-KEYS-AKMS-05', 'MANAGED-KEYS-AKMS-06'],
  ['cloudakms', 'key_bits', 'MANAGED-KEYS-AKMS-07', 'MANAGED-KEYS-AKMS-08'],
  ['cloudakms', 'curve', 'MANAGED-KEYS-AKMS-09', 'MANAGED-KEYS-AKMS-10'],
  ['cloudbkeyvault', 'key_type', undefined, 'MANAGED-KEYS-BVAULT-06'],
  ['cloudbkeyvault', 'key_bits', 'MANAGED-KEYS-BVAULT-07', 'MANAGED-KEYS-BVAULT-08'],
  ['cloudckms', 'algorithm', 'MANAGED-KEYS-CKMS-04', 'MANAGED-KEYS-CKMS-05'],
]

for (const [kind, field, taken, refused] of SETS) {
  const name = `${kind}-${field.replaceAll('_', '-')}`
  rule(`${name}-anything`, refused, `${field} of kind ${kind} may be anything`, {
    statedOf: (original) => (of) =>
      of === kind ? Object.fromEntries(Object.entries(original(of)).filter(([one]) => one !== field)) : original(of),
  })
  if (taken !== undefined)
    rule(`${name}-last-missing`, taken, `the last stated value is refused for ${field} of kind ${kind}`, {
      statedOf: (original) => (of) => {
        const sets = original(of)
        return of === kind ? { ...sets, [field]: (sets[field] ?? []).slice(0, -1) } : sets
      },
    })
}
rule('key-type-case', 'MANAGED-KEYS-AKMS-05', 'the type of a key is compared with its case', {
  inSet: () => (value, set) => set.includes(value),
})

const NEEDED: [Kind, string, string][] = [
  ['pkcs11', 'curve', 'MANAGED-KEYS-PKCS-21'],
  ['pkcs11', 'key_bits', 'MANAGED-KEYS-PKCS-22'],
  ['cloudakms', 'key_bits', 'MANAGED-KEYS-AKMS-03'],
  ['cloudakms', 'curve', 'MANAGED-KEYS-AKMS-04'],
  ['cloudbkeyvault', 'key_bits', 'MANAGED-KEYS-BVAULT-05'],
]
for (const [kind, field, clause] of NEEDED)
  rule(`${kind}-${field.replaceAll('_', '-')}-never-needed`, clause, `a key of kind ${kind} that may be made needs no ${field}`, {
    neededFor: (original) => (of, values) => original(of, values).filter((one) => of !== kind || one !== field),
  })

rule('mechanism-decimal', 'MANAGED-KEYS-PKCS-17', 'a mechanism may be a decimal number', {
  mechanismOf: (original) => (text) => (/^\d+$/.test(text) ? Number(text) : original(text)),
})
rule('mechanism-anything', 'MANAGED-KEYS-PKCS-17', 'a mechanism that cannot be read is taken for another', {
  mechanismOf: () => (text) => Number.parseInt(text, 16) || 1,
})
rule('slot-anything', 'MANAGED-KEYS-PKCS-18', 'a slot may be anything', { slotAllowed: () => () => true })
rule('slot-negative', 'MANAGED-KEYS-PKCS-18', 'a slot may be negative', {
  slotAllowed: (original) => (text) => original(text.replace(/^-/, '')),
})
rule('parallel-two-at-least', 'MANAGED-KEYS-PKCS-24', 'max_parallel of 1 is refused', { parallelAllowed: () => (calls) => calls > 1 })
route(
  'parallel-object',
  'MANAGED-KEYS-PKCS-24',
  'an object is taken for a number',
  'managedKeys.writePkcs11',
  requestNestedAs('max_parallel', 1),
)

const TEXTS: [Kind, string, string][] = [
  ['pkcs11', 'key_id', 'MANAGED-KEYS-PKCS-23'],
  ['pkcs11', 'curve', 'MANAGED-KEYS-PKCS-23'],
  ['cloudakms', 'endpoint', 'MANAGED-KEYS-AKMS-11'],
  ['cloudakms', 'region', 'MANAGED-KEYS-AKMS-11'],
  ['cloudbkeyvault', 'resource', 'MANAGED-KEYS-BVAULT-09'],
  ['cloudbkeyvault', 'environment', 'MANAGED-KEYS-BVAULT-09'],
  ['cloudckms', 'project', 'MANAGED-KEYS-CKMS-06'],
  ['cloudckms', 'crypto_key_version', 'MANAGED-KEYS-CKMS-06'],
]
for (const [kind, field, clause] of TEXTS)
  route(
    `${kind}-${field.replaceAll('_', '-')}-object`,
    clause,
    `an object for ${field} counts as none`,
    writeOf(kind),
    requestNestedAs(field),
  )

route('usages-object', 'MANAGED-KEYS-USAGE-03', 'an object for usages counts as none', KINDS.map(writeOf), requestNestedAs('usages'))
rule('usages-anything', 'MANAGED-KEYS-USAGE-02', 'usages may be anything', {
  usages: (original) => () => Object.assign([...original()], { includes: () => true }),
})
rule('usages-no-random', 'MANAGED-KEYS-USAGE-01', 'the usage random is refused', {
  usages: (original) => () => original().filter((one) => one !== 'random'),
})
route(
  'usages-no-list',
  'MANAGED-KEYS-USAGE-01',
  'two usages at once are refused',
  'managedKeys.writePkcs11',
  (original) => (call) =>
    original(String(call.body.usages).includes('verify,sign') ? { ...call, body: { ...call.body, usages: 'none' } } : call),
)
for (const flag of ['allow_generate_key', 'allow_store_key'])
  route(
    `${flag.replaceAll('_', '-')}-object`,
    'MANAGED-KEYS-FLAG-09',
    `an object for ${flag} counts as none`,
    KINDS.map(writeOf),
    requestNestedAs(flag),
  )
route(
  'flags-objects-cloudckms',
  'MANAGED-KEYS-FLAG-09',
  'an object for any_mount counts as none for kind c',
  'managedKeys.writeCloudckms',
  requestNestedAs('any_mount'),
)

for (const [index, kind] of KINDS.entries())
  route(
    `${kind}-not-created`,
    `MANAGED-KEYS-WRITE-0${index + 1}`,
    `a key of kind ${kind} is refused`,
    writeOf(kind),
    (original) => (call) => original({ ...call, body: { ...call.body, usages: 'none' } }),
  )
route(
  'unknown-body-accepted',
  'MANAGED-KEYS-USAGE-02',
  'a refused write of kind c is acknowledged',
  'managedKeys.writeCloudckms',
  insteadOfRefusal(
    () => empty(),
    (call) => String(call.body.usages).includes('dance'),
  ),
)
route('any-mount-dropped', 'MANAGED-KEYS-FLAG-08', 'any_mount is not stored', KINDS.map(writeOf), requestWithout('any_mount'))

export const faults = declared
