/** Faults of what a read shows: names, kinds, parameters, flags, and no secret. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { refusal, reply, replyStatus } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

const read = 'managedKeys.read'
const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']

/** Another value of one field in reads. */
const shows = (field: string, value: (original: unknown) => JsonObject[string]) =>
  reply<KeyCall>((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, [field]: value(body[field]) } }
  })

route('read-201', 'MANAGED-KEYS-READ-01', 'a read answers 201', read, replyStatus(201))
route(
  'read-unknown-400',
  'MANAGED-KEYS-READ-02',
  'an unknown key gives 400',
  read,
  refusal((refused) => refused.with(400)),
)
rule('read-any-kind', ['MANAGED-KEYS-READ-03', 'MANAGED-KEYS-DELETE-04'], 'a key is found under every kind', { fits: () => () => true })
route(
  'uuid-empty',
  'MANAGED-KEYS-READ-04',
  'the number of a key is empty',
  read,
  shows('UUID', () => ''),
)
route(
  'uuid-same',
  'MANAGED-KEYS-READ-09',
  'all keys have one number',
  read,
  shows('UUID', () => '00000000-0000-4000-8000-000000000000'),
)
route(
  'name-of-kind',
  'MANAGED-KEYS-READ-05',
  'a read shows the kind before the name',
  read,
  shows('name', (name) => `pkcs11/${String(name)}`),
)
route(
  'type-upper',
  'MANAGED-KEYS-READ-06',
  'a read shows the kind in upper case',
  read,
  shows('type', (type) => String(type).toUpperCase()),
)
route(
  'mechanism-text',
  'MANAGED-KEYS-READ-07',
  'the mechanism is read as a text',
  read,
  shows('mechanism', (value) => (value === undefined ? null : String(value))),
)
route(
  'slot-text',
  'MANAGED-KEYS-READ-08',
  'the slot is read as a text',
  read,
  shows('slot', (value) => (value === undefined ? null : String(value))),
)

const SHOWN: [string, string, (value: unknown) => JsonObject[string]][] = [
  ['library', 'MANAGED-KEYS-PKCS-06', () => 'default'],
  ['key_label', 'MANAGED-KEYS-PKCS-07', (value) => String(value).split(' ')[0] ?? ''],
  ['token_label', 'MANAGED-KEYS-PKCS-08', (value) => String(value).toLowerCase()],
  ['mechanism', 'MANAGED-KEYS-PKCS-09', (value) => Math.min(Number(value), 255)],
  ['slot', 'MANAGED-KEYS-PKCS-10', () => 0],
  ['curve', 'MANAGED-KEYS-PKCS-11', (value) => (value === '' ? '' : 'P256')],
  ['key_bits', 'MANAGED-KEYS-PKCS-12', (value) => (value === 0 ? 0 : 2048)],
  ['force_rw_session', 'MANAGED-KEYS-PKCS-13', () => 'false'],
  ['curve', 'MANAGED-KEYS-PKCS-14', (value) => (value === '' ? 'P256' : (value as string))],
  ['key_bits', 'MANAGED-KEYS-PKCS-15', (value) => (value === 0 ? 2048 : (value as number))],
  ['force_rw_session', 'MANAGED-KEYS-PKCS-16', () => 'true'],
]
for (const [field, clause, value] of SHOWN)
  route(
    `${field.replaceAll('_', '-')}-shown-wrongly-${clause.slice(-2)}`,
    clause,
    `${field} is read as something else`,
    read,
    shows(field, value),
  )

for (const [index, flag] of FLAGS.entries()) {
  rule(`${flag.replaceAll('_', '-')}-by-default`, `MANAGED-KEYS-FLAG-0${index + 1}`, `${flag} is true where it was not given`, {
    shownField: (original) => (key, field) => (field === flag && key.parameters[flag] === false ? 'true' : original(key, field)),
  })
  rule(`${flag.replaceAll('_', '-')}-swapped`, `MANAGED-KEYS-FLAG-0${index + 5}`, `${flag} is read as another flag`, {
    shownField: (original) => (key, field) => original(key, field === flag ? (FLAGS[(index + 1) % FLAGS.length] ?? field) : field),
  })
}

rule('pin-stars', 'MANAGED-KEYS-SECRET-01', 'a PIN is read as stars', {
  shownField: (original) => (key, field) => (field === 'pin' ? '******' : original(key, field)),
})
rule('pin-shown', ['MANAGED-KEYS-SECRET-02', 'MANAGED-KEYS-SECRET-01'], 'a PIN is read as it is', {
  shownField: (original) => (key, field) => (field === 'pin' ? String(key.parameters.pin) : original(key, field)),
})
route(
  'pin-in-errors',
  'MANAGED-KEYS-SECRET-05',
  'a refused write quotes its body',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch {
      throw invalid(`invalid parameters: ${JSON.stringify(call.body)}`)
    }
  },
)
for (const [kind, field, clause] of [
  ['cloudakms', 'secret_key', 'MANAGED-KEYS-SECRET-03'],
  ['cloudbkeyvault', 'client_secret', 'MANAGED-KEYS-SECRET-04'],
] as const) {
  rule(`${kind}-secret-shown`, clause, `the ${field} of kind ${kind} is read`, {
    shownFields: (original) => (of) => (of === kind ? [...original(of), field] : original(of)),
  })
  route(
    `${kind}-secret-echoed`,
    'MANAGED-KEYS-SECRET-05',
    `a write of kind ${kind} answers its parameters`,
    `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    (original) => async (call) => {
      const given = await original(call)
      return given.status === 204 ? secret(call.body) : given
    },
  )
}

export const faults = declared
