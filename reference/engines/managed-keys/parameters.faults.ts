/** Faults of parameters: what is required, what is taken, what is refused. */

import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestNestedAs, requestWithout } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const writeOf = (kind: Kind): string => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`

const REQUIRED: [Kind, string, string][] = [
  ['pkcs11', 'library', 'MK-PKCS-01'],
  ['pkcs11', 'pin', 'MK-PKCS-03'],
  ['cloudakms', 'key_type', 'MK-AKMS-01'],
  ['cloudakms', 'kms_key', 'MK-AKMS-02'],
  ['cloudbkeyvault', 'tenant_id', 'MK-BVAULT-01'],
  ['cloudbkeyvault', 'vault_name', 'MK-BVAULT-02'],
  ['cloudbkeyvault', 'key_name', 'MK-BVAULT-03'],
  ['cloudbkeyvault', 'key_type', 'MK-BVAULT-04'],
  ['cloudckms', 'crypto_key', 'MK-CKMS-01'],
  ['cloudckms', 'key_ring', 'MK-CKMS-02'],
  ['cloudckms', 'algorithm', 'MK-CKMS-03'],
]

for (const [kind, field, clause] of REQUIRED)
  rule(`${kind}-${field.replaceAll('_', '-')}-optional`, clause, `a key of kind ${kind} needs no ${field}`, {
    requiredOf: (original) => (of) => original(of).filter((one) => of !== kind || one !== field),
  })
route(
  'pkcs11-mechanism-optional',
  'MK-PKCS-02',
  'a key without mechanism is taken for one of RSA',
  'managedKeys.writePkcs11',
  (original) => (call) => original(call.body.mechanism === undefined ? { ...call, body: { ...call.body, mechanism: '0x1' } } : call),
)
rule('label-and-id-optional', 'MK-PKCS-04', 'a key needs neither label nor id', {
  oneOfOf: (original) => (kind) => original(kind).filter((group) => !group.includes('key_id')),
})
rule('label-required', 'MK-PKCS-04', 'a key needs a label although it has an id', {
  oneOfOf: (original) => (kind) => original(kind).map((group) => group.filter((field) => field !== 'key_id')),
})
rule('slot-and-token-optional', 'MK-PKCS-05', 'a key needs neither slot nor token', {
  oneOfOf: (original) => (kind) => original(kind).filter((group) => !group.includes('slot')),
})
rule('token-required', 'MK-PKCS-05', 'a key needs a token although it has a slot', {
  oneOfOf: (original) => (kind) => original(kind).map((group) => group.filter((field) => field !== 'slot')),
})

const SETS: [Kind, string, string | undefined, string][] = [
  ['pkcs11', 'key_bits', 'MK-PKCS-19', 'MK-PKCS-20'],
  ['cloudakms', 'key_type', 'MK-AKMS-05', 'MK-AKMS-06'],
  ['cloudakms', 'key_bits', 'MK-AKMS-07', 'MK-AKMS-08'],
  ['cloudakms', 'curve', 'MK-AKMS-09', 'MK-AKMS-10'],
  ['cloudbkeyvault', 'key_type', undefined, 'MK-BVAULT-06'],
  ['cloudbkeyvault', 'key_bits', 'MK-BVAULT-07', 'MK-BVAULT-08'],
  ['cloudckms', 'algorithm', 'MK-CKMS-04', 'MK-CKMS-05'],
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
rule('key-type-case', 'MK-AKMS-05', 'the type of a key is compared with its case', { inSet: () => (value, set) => set.includes(value) })

const NEEDED: [Kind, string, string][] = [
  ['pkcs11', 'curve', 'MK-PKCS-21'],
  ['pkcs11', 'key_bits', 'MK-PKCS-22'],
  ['cloudakms', 'key_bits', 'MK-AKMS-03'],
  ['cloudakms', 'curve', 'MK-AKMS-04'],
  ['cloudbkeyvault', 'key_bits', 'MK-BVAULT-05'],
]
for (const [kind, field, clause] of NEEDED)
  rule(`${kind}-${field.replaceAll('_', '-')}-never-needed`, clause, `a key of kind ${kind} that may be made needs no ${field}`, {
    neededFor: (original) => (of, values) => original(of, values).filter((one) => of !== kind || one !== field),
  })

rule('mechanism-decimal', 'MK-PKCS-17', 'a mechanism may be a decimal number', {
  mechanismOf: (original) => (text) => (/^\d+$/.test(text) ? Number(text) : original(text)),
})
rule('mechanism-anything', 'MK-PKCS-17', 'a mechanism that cannot be read is taken for another', {
  mechanismOf: () => (text) => Number.parseInt(text, 16) || 1,
})
rule('slot-anything', 'MK-PKCS-18', 'a slot may be anything', { slotAllowed: () => () => true })
rule('slot-negative', 'MK-PKCS-18', 'a slot may be negative', { slotAllowed: (original) => (text) => original(text.replace(/^-/, '')) })
rule('parallel-two-at-least', 'MK-PKCS-24', 'max_parallel of 1 is refused', { parallelAllowed: () => (calls) => calls > 1 })
route('parallel-object', 'MK-PKCS-24', 'an object is taken for a number', 'managedKeys.writePkcs11', requestNestedAs('max_parallel', 1))

const TEXTS: [Kind, string, string][] = [
  ['pkcs11', 'key_id', 'MK-PKCS-23'],
  ['pkcs11', 'curve', 'MK-PKCS-23'],
  ['cloudakms', 'endpoint', 'MK-AKMS-11'],
  ['cloudakms', 'region', 'MK-AKMS-11'],
  ['cloudbkeyvault', 'resource', 'MK-BVAULT-09'],
  ['cloudbkeyvault', 'environment', 'MK-BVAULT-09'],
  ['cloudckms', 'project', 'MK-CKMS-06'],
  ['cloudckms', 'crypto_key_version', 'MK-CKMS-06'],
]
for (const [kind, field, clause] of TEXTS)
  route(
    `${kind}-${field.replaceAll('_', '-')}-object`,
    clause,
    `an object for ${field} counts as none`,
    writeOf(kind),
    requestNestedAs(field),
  )

route('usages-object', 'MK-USAGE-03', 'an object for usages counts as none', KINDS.map(writeOf), requestNestedAs('usages'))
rule('usages-anything', 'MK-USAGE-02', 'usages may be anything', {
  usages: (original) => () => Object.assign([...original()], { includes: () => true }),
})
rule('usages-no-random', 'MK-USAGE-01', 'the usage random is refused', {
  usages: (original) => () => original().filter((one) => one !== 'random'),
})
route(
  'usages-no-list',
  'MK-USAGE-01',
  'two usages at once are refused',
  'managedKeys.writePkcs11',
  (original) => (call) =>
    original(String(call.body.usages).includes('verify,sign') ? { ...call, body: { ...call.body, usages: 'none' } } : call),
)
for (const flag of ['allow_generate_key', 'allow_store_key'])
  route(
    `${flag.replaceAll('_', '-')}-object`,
    'MK-FLAG-09',
    `an object for ${flag} counts as none`,
    KINDS.map(writeOf),
    requestNestedAs(flag),
  )
route(
  'flags-objects-cloudckms',
  'MK-FLAG-09',
  'an object for any_mount counts as none for kind c',
  'managedKeys.writeCloudckms',
  requestNestedAs('any_mount'),
)

for (const [index, kind] of KINDS.entries())
  route(
    `${kind}-not-created`,
    `MK-WRITE-0${index + 1}`,
    `a key of kind ${kind} is refused`,
    writeOf(kind),
    (original) => (call) => original({ ...call, body: { ...call.body, usages: 'none' } }),
  )
route(
  'unknown-body-accepted',
  'MK-USAGE-02',
  'a refused write of kind c is acknowledged',
  'managedKeys.writeCloudckms',
  insteadOfRefusal(
    () => empty(),
    (call) => String(call.body.usages).includes('dance'),
  ),
)
route('any-mount-dropped', 'MK-FLAG-08', 'any_mount is not stored', KINDS.map(writeOf), requestWithout('any_mount'))
