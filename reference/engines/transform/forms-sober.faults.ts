/** Shapes: the older route against the typed ones, defaults, null and absent, types, escaping, case, blanks and characters beyond ASCII. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { filled } from './sql-kind.ts'
import { byRules, replyItems, requestItems } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

// States: of a masking_character the first character alone counts, at the older path, too.
route(
  'sober-older-path-masks-with-all',
  ['TRANSFORM-MASK-03'],
  'at the path without a type, all characters of masking_character stand for each masked one',
  'transform.writeTransformation',
  byRules((rules) => ({
    maskingCharacterOf(body, kind, previous) {
      const first = rules.maskingCharacterOf(body, kind, previous)
      return kind === 'masking' && typeof body.masking_character === 'string' ? body.masking_character || first : first
    },
  })),
)

// States: tweak_source is supplied by default, at the older path, too.
route(
  'sober-older-path-internal-tweak',
  ['TRANSFORM-TYPED-08'],
  'at the path without a type, tweak_source is internal by default',
  'transform.writeTransformation',
  byRules((rules) => ({
    tweakSourceOf: (body, kind, previous) =>
      kind === 'fpe' && previous === undefined && body.tweak_source === undefined ? 'internal' : rules.tweakSourceOf(body, kind, previous),
  })),
)

// States: transformations is a list, empty by default.
rule(
  'sober-role-without-list-null',
  ['TRANSFORM-ROLE-01', 'TRANSFORM-ROLE-03'],
  'a role without transformations is read with null instead of an empty list',
  {
    shownRole: (original) => (transformations) => (transformations.length === 0 ? { transformations: null } : original(transformations)),
  },
)

// States: metadata is returned as it was given.
rule('sober-metadata-in-latin1', ['TRANSFORM-METADATA-01'], 'characters of metadata beyond ASCII come back as others', {
  metadataOf: (original) => (item) => Buffer.from(original(item), 'utf8').toString('latin1'),
})

// States: decoding gives the value that was encoded, blanks included.
rule('sober-token-value-trimmed', ['TRANSFORM-TOKEN-01'], 'a tokenized value loses the blanks at its ends', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.trim(), random),
})

// States: decoding gives the value that was encoded, character by character.
rule('sober-opened-value-composed', ['TRANSFORM-TOKEN-01'], 'a decoded token gives its value with letters and accents put together', {
  opened: (original) => (transformation, sealed) => original(transformation, sealed).normalize('NFC'),
})

// States: an alphabet is a string of characters, of any script.
rule('sober-alphabet-by-code-units', ['TRANSFORM-ENCODE-01'], 'characters of an alphabet that take two code units are cut in two', {
  lettersOf: () => (alphabet) => alphabet.split(''),
})

// States: ttl is a duration, of each item in a batch.
route(
  'sober-item-ttl-without-unit',
  ['TRANSFORM-MAXTTL-02'],
  'the unit of a ttl in a batch is not looked at',
  'transform.encode',
  requestItems((item) => {
    const amount = typeof item.ttl === 'string' ? Number.parseInt(item.ttl, 10) : Number.NaN
    return Number.isNaN(amount) ? item : { ...item, ttl: amount }
  }),
)

// States: expiration_time is ISO 8601 with an offset.
route(
  'sober-item-expiry-without-offset',
  ['TRANSFORM-BATCH-22'],
  'an expiration_time in a batch has no offset',
  'transform.metadata',
  replyItems((items) =>
    items.map((item) =>
      typeof item.expiration_time === 'string' ? { ...item, expiration_time: item.expiration_time.replace(/Z$/, '') } : item,
    ),
  ),
)

// States: valid is a truth value, and false is one.
route(
  'sober-item-not-valid-absent',
  ['TRANSFORM-BATCH-22'],
  'an item of a batch whose token is not valid is answered without valid',
  'transform.validate',
  replyItems((items) => items.map((item): JsonObject => (item.valid === false ? {} : item))),
)

// States: a store is read with the connection string that was written, which has slots for user name and password.
rule('sober-store-read-with-user', ['TRANSFORM-STORE-01'], 'the slot for the user name is filled in the connection string that is read', {
  shownStore: (original) => (settings) => ({
    ...original(settings),
    connection_string: filled(settings.connectionString, { username: settings.username, password: '{{password}}' }, (value) => value),
  }),
})

// States: a user name and password of any characters are put into the slots of the connection string.
rule('sober-credentials-not-escaped', ['TRANSFORM-KEPT-08'], 'signs in a password that mean something in an address are not escaped', {
  openedSession:
    () =>
    (kind, { connectionString }, credentials) =>
      kind.open(
        filled(connectionString, credentials, (value) => value),
        credentials,
      ),
})

// States: supported_transformations is tokenization by default, and is read so.
rule(
  'sober-supported-default-not-read',
  ['TRANSFORM-STORE-09'],
  'supported_transformations is read as an empty list where it was not sent',
  {
    storeSettings: (original) => (body, previous) => {
      const settings = original(body, previous)
      return previous === undefined && !body.supported_transformations ? { ...settings, supported: [] } : settings
    },
  },
)

// States: an alphabet is read with the characters that were written.
route(
  'sober-alphabet-escaped',
  ['TRANSFORM-ALPHABET-01'],
  'signs of an alphabet that mean something in HTML are escaped where it is read',
  'transform.readAlphabet',
  replyData((data) => ({
    ...data,
    alphabet: String(data.alphabet).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  })),
)
