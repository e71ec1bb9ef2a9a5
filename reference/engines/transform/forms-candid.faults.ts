/** Faults of form: another route to the same thing, list against read, absent against null, blanks, escapes, characters, durations. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine)

rule(
  'candid-masking-half-a-character',
  'TRANSFORM-MASK-02',
  'of a masking_character of two code units the first unit is used (001 4.4: masking_character, first character)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).charAt(0),
  },
)

rule(
  'candid-value-composed',
  'TRANSFORM-BATCH-21',
  'a value with a combining mark decodes from its token in composed form (001 4.4: decode, decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.normalize('NFC'), random),
  },
)

route(
  'candid-get-list-unfiltered',
  'TRANSFORM-FILTER-03',
  'GET with list=true takes no filter, LIST does (000 1: either the verb LIST or GET with list=true; 001 4.4: role, filter)',
  'transform.listRoles',
  (original) => (call) => original(call.query.get('list') === 'true' ? { ...call, query: new URLSearchParams() } : call),
)

route(
  'candid-old-path-masks-with-star',
  'TRANSFORM-TYPED-14',
  'the path without type masks with the default whatever masking_character says (001 4.4: transformation/:name, masking_character)',
  'transform.writeTransformation',
  requestWithout('masking_character'),
)

rule(
  'candid-no-roles-null',
  'TRANSFORM-READ-02',
  'a transformation that allows no role reads with allowed_roles null (001 4.4: allowed_roles, list, default [])',
  {
    shownTransformation: (original) => (transformation) => ({
      ...original(transformation),
      allowed_roles: transformation.allowedRoles.length === 0 ? null : transformation.allowedRoles,
    }),
  },
)

rule(
  'candid-pattern-escaped-twice',
  'TRANSFORM-TEMPLATE-01',
  'backslashes and quotes of a pattern are doubled when it is read (001 4.4: GET template, data.pattern)',
  {
    shownTemplate: (original) => (template) => ({ ...original(template), pattern: JSON.stringify(template.pattern).slice(1, -1) }),
  },
)

rule(
  'candid-alphabet-trimmed',
  'TRANSFORM-ALPHABET-01',
  'an alphabet loses a blank at its start or end (001 2.4: alphabet, string of characters)',
  {
    alphabetOf: (original) => (body, previous) => original(body, previous).trim(),
  },
)

rule(
  'candid-metadata-without-blanks',
  'TRANSFORM-METADATA-01',
  'blanks within the metadata of a token are lost (001 4.4: metadata, string of key=value pairs)',
  {
    metadataOf: (original) => (item) => original(item).replace(/\s+/g, ''),
  },
)

rule(
  'candid-expiration-without-offset',
  'TRANSFORM-METADATA-05',
  'expiration_time has no offset (001 4.4: expiration_time, ISO 8601 with offset)',
  {
    shownMetadata: (original) => (token) => {
      const shown = original(token)
      return { ...shown, expiration_time: typeof shown.expiration_time === 'string' ? shown.expiration_time.replace(/Z$/, '') : null }
    },
  },
)

rule(
  'candid-invalid-is-absent',
  'TRANSFORM-KEPT-12',
  'for a token that is not valid the answer has no valid at all (001 4.4: validate, data.valid bool)',
  {
    shownValid: (original) => (valid) => (valid ? original(valid) : {}),
  },
)

rule(
  'candid-password-unescaped',
  'TRANSFORM-KEPT-08',
  'a password with characters that mean something in a URL does not connect (001 4.4: connection_string, slots)',
  {
    openedSession: (original) => (kind, settings, credentials) =>
      original(kind, { ...settings, connectionString: filled(settings.connectionString, credentials, (value) => value) }, credentials),
  },
)
