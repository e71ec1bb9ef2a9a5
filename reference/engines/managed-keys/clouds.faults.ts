/** Faults of the test of keys that cloud services hold. */
import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'
import { type CloudKind, KINDS } from './state.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)
const test = 'managedKeys.testSign'
const CLOUD_KINDS = KINDS.filter((kind): kind is CloudKind => kind !== 'pkcs11')

/** The test passes whose problem is one of these. */
const passing = (problem: RegExp) => ({
  fails: (original: (words: string) => boolean) => (words: string) => !problem.test(words) && original(words),
})

for (const kind of CLOUD_KINDS)
  rule(
    `${kind}-asks-nobody`,
    ['MANAGED-KEYS-SIGN-25', 'MANAGED-KEYS-SIGN-28', 'MANAGED-KEYS-SIGN-30'],
    `the test of a key of kind ${kind} succeeds and signs nothing`,
    {
      asks: (original) => (key) => key.kind !== kind && original(key),
    },
  )

// Keys that are made
rule('cloud-generates-never', 'MANAGED-KEYS-SIGN-26', 'no key is made at a service', { generatesAtService: () => () => false })
rule('cloud-generates-2048', 'MANAGED-KEYS-SIGN-26', 'every key that is made in a vault has 2048 bits', { sizeOf: () => () => 2048 })
rule('cloud-generates-pkcs1', 'MANAGED-KEYS-SIGN-26', 'a key that is made in a ring has another curve', {
  madeAlgorithm: () => (algorithm) => (algorithm.startsWith('EC_') ? 'EC_SIGN_P256_SHA256' : algorithm),
})
rule('cloud-generates-again', 'MANAGED-KEYS-SIGN-29', 'every test of a key that may be made makes one', {
  isThere: () => (mayBeMade) => !mayBeMade,
})
rule('cloud-makes-rings', 'MANAGED-KEYS-SIGN-43', 'a ring that is not there is made', { makesRing: () => () => true })

// What is remembered
const passed = new WeakMap<object, Set<string>>()
route(
  'cloud-remembered',
  ['MANAGED-KEYS-SIGN-30', 'MANAGED-KEYS-SIGN-25', 'MANAGED-KEYS-SIGN-46'],
  'a cloud key that passed once is never tested again',
  test,
  (original) => async (call) => {
    const names = passed.get(call.state) ?? new Set<string>()
    passed.set(call.state, names)
    const name = `${call.mount.namespace}${call.params.type}/${call.params.name}`
    if (call.params.type === 'pkcs11') return original(call)
    if (names.has(name)) return empty()
    const given = await original(call)
    names.add(name)
    return given
  },
)

// Which service is asked
rule('cloud-region-ignored', 'MANAGED-KEYS-SIGN-27', 'every key of service a is looked for in one region', {
  regionOf: () => () => 'us-east-1',
})
rule('cloud-endpoint-ignored', 'MANAGED-KEYS-SIGN-31', 'the regional service is asked whatever the endpoint', {
  endpointOf: () => (_values, region) => `https://kms.${region}.amazonaws.com`,
})
rule('cloud-endpoint-fips', 'MANAGED-KEYS-SIGN-31', 'without an endpoint another than the regional one is asked', {
  endpointOf: (original) => (values, region) =>
    values.endpoint === '' ? 'https://kms-fips.us-east-1.amazonaws.com' : original(values, region),
})
rule('cloud-resource-ignored', 'MANAGED-KEYS-SIGN-38', 'the standard vault is asked whatever the resource', {
  suffixOf: () => () => 'vault.azure.net',
})
rule('cloud-resource-default', 'MANAGED-KEYS-SIGN-38', 'without a resource the managed module is asked', {
  suffixOf: (original) => (values) => (values.resource === '' ? 'managedhsm.azure.net' : original(values)),
})
rule('cloud-environment-default', 'MANAGED-KEYS-SIGN-39', 'without an environment the service of another one is asked', {
  defaultOf: (original) => (kind, field) => (field === 'environment' ? 'CLOUDBCHINACLOUD' : original(kind, field)),
  loginHostOf: (original) => (environment) => (environment === 'CLOUDBCHINACLOUD' ? 'login.chinacloudapi.cn' : original(environment)),
})
rule('cloud-environment-named', 'MANAGED-KEYS-SIGN-39', 'the environment is not known by its name', {
  valueIn: (original) => (kind, body, field, fallback) =>
    field === 'environment' && body[field] !== undefined ? 'named' : original(kind, body, field, fallback),
  loginHostOf: (original) => (environment) => (environment === 'named' ? 'login.chinacloudapi.cn' : original(environment)),
})

// Who asks
rule('cloud-wrong-secret-passes', 'MANAGED-KEYS-SIGN-32', 'a wrong secret key passes the test', passing(/signature we calculated/))
rule('cloud-unknown-access-key-passes', 'MANAGED-KEYS-SIGN-32', 'an unknown access key passes the test', passing(/security token/))
rule('cloud-wrong-client-passes', 'MANAGED-KEYS-SIGN-36', 'a wrong client secret passes the test', passing(/client secret/))
rule(
  'cloud-other-tenant-passes',
  'MANAGED-KEYS-SIGN-36',
  'a client that the tenant does not have passes the test',
  passing(/not found in the tenant/),
)
rule(
  'cloud-absent-file-passes',
  'MANAGED-KEYS-SIGN-41',
  'a file of credentials that is not there passes the test',
  passing(/cannot be read/),
)
rule(
  'cloud-broken-file-passes',
  'MANAGED-KEYS-SIGN-41',
  'a file that holds no credentials passes the test',
  passing(/not those of a service account/),
)

// Which key is meant
rule('cloud-no-arn', 'MANAGED-KEYS-SIGN-33', 'a key is not found by its ARN', {
  usedParameters: () => (values) => (String(values.kms_key).startsWith('arn:') ? { ...values, kms_key: 'none' } : values),
})
rule('cloud-generates-by-id', 'MANAGED-KEYS-AKMS-14', 'a key that is named by its id or ARN, and is not there, is made', {
  aliasOf: () => (values) => `alias/${String(values.kms_key).replace(/^.*\//, '')}`,
})
rule('cloud-no-id', 'MANAGED-KEYS-SIGN-33', 'a key id is taken for an alias', {
  usedParameters: () => (values) =>
    /^(alias\/|arn:)/.test(String(values.kms_key)) ? values : { ...values, kms_key: `alias/${String(values.kms_key)}` },
})
rule('cloud-usage-unchecked', 'MANAGED-KEYS-SIGN-34', 'a key for another use passes the test', passing(/not for signatures/))
rule(
  'cloud-absent-passes',
  ['MANAGED-KEYS-SIGN-37', 'MANAGED-KEYS-SIGN-28', 'MANAGED-KEYS-SIGN-30'],
  'a key or vault that is not there passes the test',
  passing(/no such key/),
)
rule('cloud-others-vault-passes', 'MANAGED-KEYS-SIGN-37', 'a vault of somebody else passes the test', passing(/access to this vault/))
rule('cloud-region-c-fixed', 'MANAGED-KEYS-SIGN-42', 'rings are looked for in one region', {
  ringOf: (original) => (values) => original({ ...values, region: 'europe-west1' }),
})
rule(
  'cloud-unknown-ring-passes',
  ['MANAGED-KEYS-SIGN-42', 'MANAGED-KEYS-SIGN-43'],
  'a ring that is not there passes the test',
  passing(/KeyRing|no such key/),
)
rule('cloud-version-first', 'MANAGED-KEYS-SIGN-44', 'the first version signs whatever is named', { versionOf: () => () => '1' })
rule('cloud-version-default', 'MANAGED-KEYS-SIGN-44', 'without a version the second one signs', {
  defaultOf: (original) => (kind, field) => (field === 'crypto_key_version' ? '2' : original(kind, field)),
})

// How it is signed
rule('cloud-pkcs1-only', ['MANAGED-KEYS-SIGN-35', 'MANAGED-KEYS-SIGN-40'], 'use_pss is taken for false', {
  pssOf: (original) => (body) => original(body) && false,
})
rule('cloud-sha256-only', ['MANAGED-KEYS-SIGN-35', 'MANAGED-KEYS-SIGN-40'], 'every hash is taken for the default', {
  hashOf: (original) => (body) => (original(body) === '' ? '' : 'sha2-256'),
})
rule('cloud-no-p521', 'MANAGED-KEYS-SIGN-35', 'keys of P-521 are not found', {
  usedParameters: () => (values) => (values.curve === 'P521' ? { ...values, kms_key: 'none' } : values),
})
rule('cloud-no-sha512', 'MANAGED-KEYS-SIGN-45', 'algorithms with SHA-512 are taken for those with SHA-256', {
  algorithmOf: (original) => (values) => original(values).replace('SHA512', 'SHA256'),
})

// What is made of the answer
rule('cloud-unverified', 'MANAGED-KEYS-SIGN-46', 'signatures of a service are not verified', { verified: () => () => true })
rule('cloud-failure-passes', 'MANAGED-KEYS-SIGN-46', 'a service that fails passes the test', passing(/told to fail/))
rule('cloud-secrets-in-errors', 'MANAGED-KEYS-SIGN-47', 'a test that fails quotes the secrets', {
  failureText: (original) => (problem, key) => {
    const { secret_key = '', client_secret = '' } = key.parameters
    return `${original(problem, key)} (${String(secret_key)}${String(client_secret)})`
  },
})

export const faults = declared
