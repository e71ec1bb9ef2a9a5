/** Faults in which the same thing comes out, or is taken, in another form: routes, batches, escapes, blanks, letters. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

route(
  'keen-filter-of-the-verb-only',
  'TRANSFORM-FILTER-03',
  'a GET with list=true overlooks the filter (001 4.4: LIST role, filter; 000 1.5)',
  'transform.listRoles',
  (original) => (call) => original(call.query.get('list') === 'true' ? { ...call, query: new URLSearchParams() } : call),
)

rule(
  'keen-metadata-cut-at-equals',
  'TRANSFORM-METADATA-01',
  'a value in metadata ends at an equals sign of its own (001 4.4: metadata, key=value pairs)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=', 2).join('='))
        .join(','),
  },
)

route(
  'keen-older-path-masks-with-stars',
  'TRANSFORM-TYPED-14',
  'the older path of transformations overlooks masking_character (001 4.4: POST transformation/:name, masking_character)',
  'transform.writeTransformation',
  requestWithout('masking_character'),
)

rule('keen-unix-line-ends', 'TRANSFORM-BATCH-21', 'line ends of CR and LF come back from a token as LF (001 4.4: decode, decoded_value)', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.replaceAll('\r\n', '\n'), random),
})

rule('keen-dot-in-filter', 'TRANSFORM-FILTER-06', 'a dot in a filter stands for any character (001 4.4: LIST role, glob on names)', {
  fits: (original) => (name, filter) => {
    const source = filter.replace(/[+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')
    return original(name, filter) || new RegExp(`^${source}$`, 's').test(name)
  },
})

rule('keen-alphabet-trimmed', 'TRANSFORM-ALPHABET-01', 'a blank at an end of an alphabet is lost (001 4.4: GET alphabet, data.alphabet)', {
  alphabetOf: (original) => (body, previous) => original(body, previous).trim(),
})

rule(
  'keen-password-raw-in-url',
  'TRANSFORM-KEPT-08',
  'a password goes into the connection string as it is, signs of URLs included (001 4.4: store parameters, template slots)',
  {
    openedSession: (original) => (kind, settings, credentials) => {
      const connectionString = settings.connectionString.replaceAll(/\{\{\s*password\s*\}\}/g, () => credentials.password)
      return original(kind, { ...settings, connectionString }, credentials)
    },
  },
)

rule('keen-schema-folded', 'TRANSFORM-KEPT-01', 'a schema is looked for in lower case (001 4.4: store parameters, schema)', {
  tableOf: (original) => (kind, schema) => original(kind, kind.hasSchemas ? schema.toLowerCase() : schema),
})
