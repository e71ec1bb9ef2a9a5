/** Faults of which a read shows nothing: values that were used before or were refused, and names that become others. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>
const TEST = 'managedKeys.testSign'

const textIn = (values: JsonObject, field: string): string => String(values[field] ?? '')
const keysOf = (call: KeyCall) => call.rules.keysIn(call.state.namespaces, call.mount.namespace)
const withRules = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** Changes one parameter as the service is asked. */
const used = (field: string, change: (text: string, values: JsonObject) => string) => ({
  usedParameters: (original: (values: JsonObject) => JsonObject) => (values: JsonObject) => {
    const asked = original(values)
    return asked[field] === undefined ? asked : { ...asked, [field]: change(textIn(asked, field), asked) }
  },
})

// Which key a name means
rule(
  'alias-with-dashes',
  'MANAGED-KEYS-SIGN-33',
  'underscores of an alias become dashes',
  used('kms_key', (text) => text.replaceAll('_', '-')),
)
rule(
  'key-ring-in-lower-case',
  'MANAGED-KEYS-SIGN-42',
  'a key_ring is asked for in lower case',
  used('key_ring', (text) => text.toLowerCase()),
)
rule(
  'version-of-one-digit',
  'MANAGED-KEYS-SIGN-44',
  'a version is its first digit',
  used('crypto_key_version', (text) => text.slice(0, 1)),
)
rule(
  'vault-key-cut',
  'MANAGED-KEYS-SIGN-37',
  'a key_name of the vault ends before a last number',
  used('key_name', (text) => text.replace(/-\d$/, '')),
)

/** The first value of one parameter that a test passed with is used again for all with the same value of another. */
const firstUsed = (id: string, field: string, by: string[], clause: string, title: string): void => {
  const seen = remembered(() => new Map<string, string>())
  route(id, clause, title, TEST, (original: Handler) => async (call) => {
    let tested: [string, string] | undefined
    const usedParameters: ManagedKeyRules['usedParameters'] = (values) => {
      const asked = call.rules.usedParameters(values)
      const place = by.map((name) => textIn(asked, name)).join(' ')
      if (asked[field] === undefined) return asked
      const value = seen(call.state).get(place) ?? textIn(asked, field)
      tested = [place, value]
      return { ...asked, [field]: value }
    }
    const reply = await original(withRules(call, { usedParameters }))
    if (tested) seen(call.state).set(...tested)
    return reply
  })
}

firstUsed(
  'secret-of-the-access-key',
  'secret_key',
  ['access_key'],
  'MANAGED-KEYS-SIGN-32',
  'a secret key that was good once is used for all keys of its access key',
)
firstUsed(
  'endpoint-of-the-access-key',
  'endpoint',
  ['access_key', 'region'],
  'MANAGED-KEYS-SIGN-31',
  'the first endpoint of an access key and region is used for all',
)
firstUsed('region-of-the-access-key', 'region', ['access_key'], 'MANAGED-KEYS-SIGN-27', 'the first region of an access key is used for all')
firstUsed(
  'secret-of-the-client',
  'client_secret',
  ['client_id'],
  'MANAGED-KEYS-SIGN-36',
  'a client secret that was good once is used for all keys of its client',
)
firstUsed(
  'resource-of-the-vault',
  'resource',
  ['vault_name'],
  'MANAGED-KEYS-SIGN-38',
  'the first resource of a vault is used for all its keys',
)
firstUsed(
  'credentials-of-the-project',
  'credentials',
  ['project'],
  'MANAGED-KEYS-SIGN-41',
  'the first credentials of a project are used for all its keys',
)

const pins = remembered(() => new Map<string, string>())

route(
  'pin-of-the-library',
  ['MANAGED-KEYS-SIGN-16'],
  'a PIN that was right once is used in all tokens of its library',
  TEST,
  (original: Handler) => async (call) => {
    let pin = ''
    const library = textIn(keysOf(call).get(call.params.name ?? '')?.parameters ?? {}, 'library')
    const request: ManagedKeyRules['request'] = (asked) => {
      pin = pins(call.state).get(library) ?? asked.pin
      return call.rules.request({ ...asked, pin })
    }
    const reply = await original(withRules(call, { request }))
    if (pin !== '') pins(call.state).set(library, pin)
    return reply
  },
)

export const faults = declared
