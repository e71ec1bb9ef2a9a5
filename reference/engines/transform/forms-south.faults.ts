/** Faults of forms: the same thing by another route, absent against null, types, texts with structure, case, escaping. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { refusal, requestWithout } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')
const { here, locating } = requestsTo('transform')

const asWritten = (text: string): string => text

route(
  'south-filter-for-the-verb-only',
  'TRANSFORM-FILTER-03',
  'GET with list=true lists all roles whatever the filter (000 1.5: the verb LIST, or GET with list=true; 001 4.4: filter)',
  'transform.listRoles',
  (original) => (call) => {
    const query = new URLSearchParams(call.query)
    if (query.get('list') === 'true') query.delete('filter')
    return original({ ...call, query })
  },
)

route(
  'south-older-path-masks-with-stars',
  'TRANSFORM-TYPED-14',
  'the path without a type ignores masking_character (001 4.4: POST transformation/:name: masking_character, masking only)',
  'transform.writeTransformation',
  requestWithout<TransformCall>('masking_character'),
)

rule(
  'south-no-roles-as-null',
  'TRANSFORM-READ-02',
  'a transformation that allows no role shows allowed_roles null (001 4.4: allowed_roles, list, default [])',
  {
    shownTransformation: (original) => (transformation) => {
      const shown = original(transformation)
      return transformation.allowedRoles.length === 0 ? { ...shown, allowed_roles: null } : shown
    },
  },
)

rule(
  'south-expiration-without-offset',
  'TRANSFORM-METADATA-05',
  'the expiration time of a token says no offset (001 4.4: metadata: data.expiration_time, ISO 8601 with offset)',
  {
    shownMetadata: (original) => (token) => {
      const shown = original(token)
      const time = shown.expiration_time
      return typeof time === 'string' ? { ...shown, expiration_time: time.replace(/\.\d+Z$/, '') } : shown
    },
  },
)

rule(
  'south-metadata-cut-at-second-equals-sign',
  'TRANSFORM-METADATA-01',
  'a value of metadata ends before an equals sign within it (001 4.4: metadata, string of key=value pairs)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=', 2).join('='))
        .join(','),
  },
)

rule(
  'south-tokenized-without-case',
  'TRANSFORM-TOKENIZED-02',
  'a plaintext counts as tokenized when one in other case is (001 4.4: tokenized, whether a plaintext has a valid unexpired token)',
  {
    digestOf: (original) => (transformation, purpose, text) =>
      original(transformation, purpose, purpose === 'value' ? text.toLowerCase() : text),
  },
)

rule(
  'south-digits-decoded-as-number',
  'TRANSFORM-DECODE-01',
  'a value of digits alone is decoded as a number (001 4.4: value, string; data.decoded_value)',
  {
    shownDecoded: (original) => (value) => (/^\d+$/.test(value) ? { decoded_value: Number(value) } : original(value)),
  },
)

rule(
  'south-invalid-left-out',
  'TRANSFORM-TTL-03',
  'of a token that is not valid the answer says nothing (001 4.4: validate returns data.valid, bool)',
  {
    shownValid: (original) => (valid) => (valid ? original(valid) : {}),
  },
)

core.rule(
  'south-help-paths-from-the-mount',
  'CORE-HELP-03',
  'help gives the paths below a path in full (000 1.7: its paths are relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) =>
      here() ? `/${queried}${original(relative, queried)}`.replace(/\/$/, '') : original(relative, queried),
  },
)

rule(
  'south-store-read-with-slots-filled',
  'TRANSFORM-STORE-24',
  'the connection string of a store is read with its user and password in it (001 4.4: connection_string, with template slots)',
  {
    shownStore: (original) => (settings) => ({
      ...original(settings),
      connection_string: filled(settings.connectionString, settings, asWritten),
    }),
  },
)

rule(
  'south-slots-filled-unescaped',
  'TRANSFORM-KEPT-08',
  'a password with characters that an address reserves does not log in (001 4.4: connection_string, slots for username and password)',
  {
    openedSession: (original) => (kind, settings, credentials) =>
      original(kind, { ...settings, connectionString: filled(settings.connectionString, credentials, asWritten) }, credentials),
  },
)

route(
  'south-no-tokens-not-valid',
  'TRANSFORM-VALIDATE-05',
  'with a transformation that has no tokens validate answers false (001 4.4: validate, tokenization only)',
  'transform.validate',
  refusal<TransformCall>((refused, call) =>
    refused.messages.includes('this is for tokenization only') ? secret(call.rules.shownValid(false)) : refused,
  ),
)
