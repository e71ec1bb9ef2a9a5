/** Faults of which a read shows nothing: what a parameter does at the service or module when a key is tested. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'

const { rule, route } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>

const TEST = 'managedKeys.testSign'

const textIn = (values: JsonObject, field: string): string => String(values[field] ?? '')
const keysOf = (call: KeyCall) => call.rules.keysIn(call.state.namespaces, call.mount.namespace)
const withRules = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })
const generates = (values: JsonObject): boolean => values.allow_generate_key === true

// Types and their parameters
rule(
  'curve-makes-a-curve',
  ['MANAGED-KEYS-SIGN-26'],
  'a key of type RSA is made on a curve where one is given beside (000 4.2, cloudakms: curve)',
  {
    keySpecOf: (original) => (values) => (values.curve ? `ECC_NIST_${textIn(values, 'curve')}` : original(values)),
  },
)
rule(
  'bits-make-rsa',
  ['MANAGED-KEYS-SIGN-26'],
  'a key of type ECDSA is made of RSA where key_bits are given beside (000 4.2, cloudakms: key_type)',
  {
    keySpecOf: (original) => (values) => (Number(values.key_bits) > 0 ? `RSA_${textIn(values, 'key_bits')}` : original(values)),
  },
)
rule(
  'mixed-case-on-first-curve',
  ['MANAGED-KEYS-SIGN-26'],
  'a key of type ecdsa, not in capitals, is made on P256 (000 4.2, cloudakms: case-insensitive)',
  {
    keySpecOf: (original) => (values) => {
      const spec = original(values)
      return spec.startsWith('ECC') && values.key_type !== 'ECDSA' ? 'ECC_NIST_P256' : spec
    },
  },
)
route(
  'pss-of-capitals',
  ['MANAGED-KEYS-SIGN-35'],
  'use_pss counts for keys of type RSA in capitals only (000 4.2, test/sign: use_pss)',
  TEST,
  (original: Handler) => (call) => {
    const type = keysOf(call).get(call.params.name ?? '')?.parameters.key_type ?? 'RSA'
    return original(String(type).startsWith('RSA') ? call : withRules(call, { pssOf: (body) => call.rules.pssOf(body) && false }))
  },
)

// Where a key is
rule(
  'endpoint-of-aliases',
  ['MANAGED-KEYS-SIGN-33', 'MANAGED-KEYS-SIGN-31'],
  'a custom endpoint counts for keys that an alias names (000 4.2, cloudakms: endpoint)',
  {
    endpointOf: (original) => (values, region) =>
      original(textIn(values, 'kms_key').startsWith('alias/') ? values : { ...values, endpoint: '' }, region),
  },
)
rule(
  'endpoint-not-when-made',
  ['MANAGED-KEYS-SIGN-31'],
  'a custom endpoint does not count where a key may be made (000 4.2, cloudakms: endpoint)',
  {
    endpointOf: (original) => (values, region) => original(generates(values) ? { ...values, endpoint: '' } : values, region),
  },
)
rule(
  'made-in-first-region',
  ['MANAGED-KEYS-SIGN-26'],
  'a key that may be made is looked for and made in us-east-1 (000 4.2, cloudakms: region)',
  {
    regionOf: (original) => (values) => (generates(values) ? 'us-east-1' : original(values)),
  },
)
rule('region-of-the-endpoint', ['MANAGED-KEYS-SIGN-27'], 'without an endpoint the region is the default one (000 4.2, cloudakms: region)', {
  regionOf: (original) => (values) => (textIn(values, 'endpoint') === '' ? 'us-east-1' : original(values)),
})
rule(
  'resource-not-when-made',
  ['MANAGED-KEYS-SIGN-38'],
  'a resource does not count where a key may be made (000 4.2, cloudbkeyvault: resource)',
  {
    suffixOf: (original) => (values) => (generates(values) ? 'vault.azure.net' : original(values)),
  },
)
route(
  'environment-hides-resource',
  ['MANAGED-KEYS-SIGN-38'],
  'a resource is overlooked beside an environment (000 4.2, cloudbkeyvault: environment)',
  'managedKeys.writeCloudbkeyvault',
  (original: Handler) => (call) => original(call.body.environment === undefined ? call : { ...call, body: { ...call.body, resource: '' } }),
)
