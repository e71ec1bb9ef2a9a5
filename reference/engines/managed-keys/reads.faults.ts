/** Faults of what a read shows: names, kinds, parameters, flags, and no secret. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, reply, replyStatus } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const read = 'managedKeys.read'
const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']

/** Another value of one field in reads. */
const shows = (field: string, value: (original: unknown) => JsonObject[string]) =>
  reply<KeyCall>((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, [field]: value(body[field]) } }
  })

route('read-201', 'MK-READ-01', 'a read answers 201', read, replyStatus(201))
route(
  'read-unknown-400',
  'MK-READ-02',
  'an unknown key gives 400',
  read,
  refusal((refused) => refused.with(400)),
)
rule('read-any-kind', ['MK-READ-03', 'MK-DELETE-04'], 'a key is found under every kind', { fits: () => () => true })
route(
  'uuid-empty',
  'MK-READ-04',
  'the number of a key is empty',
  read,
  shows('UUID', () => ''),
)
route(
  'uuid-same',
  'MK-READ-09',
  'all keys have one number',
  read,
  shows('UUID', () => '00000000-0000-4000-8000-000000000000'),
)
route(
  'name-of-kind',
  'MK-READ-05',
  'a read shows the kind before the name',
  read,
  shows('name', (name) => `pkcs11/${String(name)}`),
)
route(
  'type-upper',
  'MK-READ-06',
  'a read shows the kind in upper case',
  read,
  shows('type', (type) => String(type).toUpperCase()),
)
route(
  'mechanism-text',
  'MK-READ-07',
  'the mechanism is read as a text',
  read,
  shows('mechanism', (value) => (value === undefined ? null : String(value))),
)
route(
  'slot-text',
  'MK-READ-08',
  'the slot is read as a text',
  read,
  shows('slot', (value) => (value === undefined ? null : String(value))),
)

const SHOWN: [string, string, (value: unknown) => JsonObject[string]][] = [
  ['library', 'MK-PKCS-06', () => 'default'],
  ['key_label', 'MK-PKCS-07', (value) => String(value).split(' ')[0] ?? ''],
  ['token_label', 'MK-PKCS-08', (value) => String(value).toLowerCase()],
  ['mechanism', 'MK-PKCS-09', (value) => Math.min(Number(value), 255)],
  ['slot', 'MK-PKCS-10', () => 0],
  ['curve', 'MK-PKCS-11', (value) => (value === '' ? '' : 'P256')],
  ['key_bits', 'MK-PKCS-12', (value) => (value === 0 ? 0 : 2048)],
  ['force_rw_session', 'MK-PKCS-13', () => 'false'],
  ['curve', 'MK-PKCS-14', (value) => (value === '' ? 'P256' : (value as string))],
  ['key_bits', 'MK-PKCS-15', (value) => (value === 0 ? 2048 : (value as number))],
  ['force_rw_session', 'MK-PKCS-16', () => 'true'],
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
  rule(`${flag.replaceAll('_', '-')}-by-default`, `MK-FLAG-0${index + 1}`, `${flag} is true where it was not given`, {
    shownField: (original) => (key, field) =>
      field === flag && key.parameters[flag] === false && key.name.endsWith('1') ? 'true' : original(key, field),
  })
  rule(`${flag.replaceAll('_', '-')}-swapped`, `MK-FLAG-0${index + 5}`, `${flag} is read as another flag`, {
    shownField: (original) => (key, field) => original(key, field === flag ? (FLAGS[(index + 1) % FLAGS.length] ?? field) : field),
  })
}

rule('pin-stars', 'MK-SECRET-01', 'a PIN is read as stars', {
  shownField: (original) => (key, field) => (field === 'pin' ? '******' : original(key, field)),
})
rule('pin-shown', ['MK-SECRET-02', 'MK-SECRET-01'], 'a PIN is read as it is', {
  shownField: (original) => (key, field) => (field === 'pin' ? String(key.parameters.pin) : original(key, field)),
})
route('pin-in-errors', 'MK-SECRET-02', 'a refused write quotes its body', 'managedKeys.writePkcs11', (original) => async (call) => {
  try {
    return await original(call)
  } catch {
    throw invalid(`invalid parameters: ${JSON.stringify(call.body)}`)
  }
})
for (const [kind, field, clause] of [
  ['cloudakms', 'secret_key', 'MK-SECRET-03'],
  ['cloudbkeyvault', 'client_secret', 'MK-SECRET-04'],
] as const) {
  rule(`${kind}-secret-shown`, clause, `the ${field} of kind ${kind} is read`, {
    shownFields: (original) => (of) => (of === kind ? [...original(of), field] : original(of)),
  })
  route(
    `${kind}-secret-echoed`,
    clause,
    `a write of kind ${kind} answers its parameters`,
    `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    (original) => async (call) => {
      const given = await original(call)
      return given.status === 204 ? secret(call.body) : given
    },
  )
}
