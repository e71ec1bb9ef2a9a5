/** Faults of form: types, absent against null, case, blanks, escaping, spellings, the same by another route. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { isNested, reply } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { deciding } from './north-help.ts'
import { parameters } from './parameters.ts'

const { rule, route } = faultsOf(managedKeysEngine)

route(
  'north-get-listing-of-all-kinds',
  'MANAGED-KEYS-LIST-02',
  'GET with list=true lists the keys of all kinds, unlike LIST (000 1.5: either the verb LIST or GET with list=true; 4.2)',
  'managedKeys.list',
  (original) => (call) => original(call.query.get('list') === 'true' ? deciding(call, { listed: () => true }) : call),
)

route(
  'north-single-name-bare',
  'MANAGED-KEYS-LIST-01',
  'a listing of one key shows its name instead of an array (000 4.2: LIST, keys, array of names)',
  'managedKeys.list',
  reply((given) =>
    withBody(given, (body) => {
      const [first = '', ...others] = body.keys as string[]
      return others.length === 0 ? { ...body, keys: first } : body
    }),
  ),
)

rule(
  'north-slot-null-beside-label',
  'MANAGED-KEYS-READ-08',
  'slot is read as null where a token_label was given (000 4.2: read, slot, int)',
  {
    shownField: (original) => (key, field) => (field === 'slot' && key.parameters.slot === '' ? null : original(key, field)),
  },
)

rule(
  'north-mechanism-with-capital-digits',
  'MANAGED-KEYS-PKCS-09',
  'a mechanism with hexadecimal digits in capitals is refused (000 4.2: mechanism, hex string prefixed 0x)',
  {
    mechanismOf: (original) => (text) => {
      if (/[A-F]/.test(text)) throw invalid('mechanism must be a hexadecimal number')
      return original(text)
    },
  },
)

rule(
  'north-size-asked-of-capital-rsa-only',
  'MANAGED-KEYS-AKMS-03',
  'key_type rsa in lower case needs no key_bits (000 4.2: key_type case-insensitive; key_bits required when key_type is RSA)',
  {
    neededFor: (original) => (kind, values) =>
      original(kind, kind === 'cloudakms' && values.key_type !== 'RSA' ? { ...values, key_type: 'ECDSA' } : values),
  },
)

rule(
  'north-session-flag-by-any-text',
  'MANAGED-KEYS-PKCS-13',
  'force_rw_session "false" counts as true, for any text does (000 4.2: force_rw_session, string "false"; on read)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      field === 'force_rw_session' && typeof body[field] === 'string' ? body[field] !== '' : original(kind, body, field, fallback),
  },
)

rule(
  'north-blanks-around-pin-cut',
  'MANAGED-KEYS-SIGN-04',
  'blanks around a pin are cut off, so that a wrong pin passes the test (000 4.2: pin, login PIN; a successful status means valid)',
  {
    request: (original) => (asked) => original({ ...asked, pin: asked.pin.trim() }),
  },
)

rule(
  'north-label-escaped',
  'MANAGED-KEYS-SIGN-12',
  'a key_label with blanks or letters beyond ASCII is escaped in the module (000 4.2: label of key; used as label of a generated key)',
  {
    request: (original) => (asked) => original({ ...asked, keyLabel: encodeURIComponent(asked.keyLabel) }),
  },
)

rule(
  'north-capitals-within-names',
  'MANAGED-KEYS-NAME-03',
  'capitals after the first letter of a name pass, and keys differ by them (000 2.6: unique lowercase name)',
  {
    nameAllowed: () => (name) => !/^\p{Lu}/u.test(name),
  },
)

rule(
  'north-hash-in-common-spelling',
  'MANAGED-KEYS-SIGN-10',
  'hash_algorithm is accepted in capitals and as sha256 or sha-256 (000 4.2: hash_algorithm, allowed values)',
  {
    hashOf: (original) => (body) => {
      const { hash_algorithm: hash } = body
      const spelled = (text: string): string => text.toLowerCase().replace(/^sha-?(\d{3})$/, 'sha2-$1')
      return original(typeof hash === 'string' ? { ...body, hash_algorithm: spelled(hash) } : body)
    },
  },
)

rule(
  'north-objects-kept-as-text',
  'MANAGED-KEYS-CKMS-06',
  'an object where a text belongs is kept as its JSON text (000 4.2: string; 7: 400 invalid data)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = body[field]
      const isText = parameters[kind][field]?.type === 'text' && field !== 'usages'
      return isText && isNested(value) ? JSON.stringify(value) : original(kind, body, field, fallback)
    },
  },
)
