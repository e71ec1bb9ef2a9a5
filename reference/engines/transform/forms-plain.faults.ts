/** Faults of form: the same thing by another route, in a list, absent or empty, escaped, cut up or spelt in another way. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestWithout } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

rule(
  'plain-tweak-base64url',
  'TRANSFORM-BATCH-16',
  'a generated tweak is shown without padding and cannot be given back (001 4.4: tweak, base64 of 7 bytes)',
  {
    shownTweak: () => (tweak) => ({ tweak: Buffer.from(tweak).toString('base64url') }),
  },
)

rule(
  'plain-expiration-without-offset',
  'TRANSFORM-METADATA-05',
  'the expiration time has no offset (001 4.4: expiration_time, ISO 8601 with offset)',
  {
    shownMetadata: (original) => (token) => {
      const shown = original(token)
      return typeof shown.expiration_time === 'string' ? { ...shown, expiration_time: shown.expiration_time.replace(/Z$/, '') } : shown
    },
  },
)

route(
  'plain-older-path-tweak-source',
  'TRANSFORM-READ-04',
  'the older path drops tweak_source, so that the default counts (001 4.4: POST /transform/transformation/:name)',
  'transform.writeTransformation',
  requestWithout<TransformCall>('tweak_source'),
)

route(
  'plain-filter-with-verb-only',
  'TRANSFORM-FILTER-03',
  'a listing by GET with list=true ignores the filter (001 4.4: LIST /transform/role, filter; 000 1.5: either form)',
  'transform.listRoles',
  (original) => (call) => original(call.query.get('list') === 'true' ? { ...call, query: new URLSearchParams() } : call),
)

rule(
  'plain-alphabet-in-code-units',
  'TRANSFORM-TEMPLATE-19',
  'an alphabet with characters of two code units falls apart (001 2.4: alphabet, string of characters)',
  {
    lettersOf: () => (alphabet) => alphabet.split(''),
  },
)

rule(
  'plain-first-group-only',
  'TRANSFORM-TEMPLATE-19',
  'of several groups of a pattern the first alone is transformed (001 4.4: pattern, matches outside groups)',
  {
    spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 1),
  },
)

rule(
  'plain-blanks-unmasked',
  'TRANSFORM-MASK-01',
  'blanks and punctuation within the group are not masked (001 4.4: the group marks the characters transformed)',
  {
    masked: (original) => (text, character) =>
      [...text].map((letter) => (/[\p{L}\p{N}]/u.test(letter) ? original(letter, character) : letter)).join(''),
  },
)

rule(
  'plain-connection-string-filled',
  'TRANSFORM-STORE-24',
  'a store is shown with user name and password in its connection string (001 4.4: GET /transform/store/:name)',
  {
    shownStore: (original) => (settings) =>
      original({ ...settings, connectionString: filled(settings.connectionString, settings, (value) => value) }),
  },
)

rule(
  'plain-false-is-left-out',
  'TRANSFORM-KEPT-12',
  'of a token that is not valid nothing is said instead of false (001 4.4: validate, data.valid is a bool)',
  {
    shownValid: (original) => (valid) => (valid ? original(valid) : {}),
  },
)

rule(
  'plain-alphabet-trimmed',
  'TRANSFORM-ALPHABET-01',
  'blanks at the ends of an alphabet are trimmed away (001 4.4: POST and GET /transform/alphabet/:name)',
  {
    alphabetOf: (original) => (body, previous) => original(body, previous).trim(),
  },
)

rule(
  'plain-value-normalised',
  'TRANSFORM-TOKENIZED-02',
  'values come back with composed characters where they had combining ones (001 4.4: decode returns the value)',
  {
    givenValue: (original) => (item) => original(item).normalize('NFC'),
  },
)
