/** Faults of forms: the same thing by another route, absent and null, lists and texts, escaping, case, blanks, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { atTransform, dataOf, nameOf, withData } from './frank-help.ts'
import { filled } from './sql-kind.ts'

type Handler = (typeof transformEngine.routes)[number]['handle']

const { rule, change } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

rule(
  'frank-half-a-masking-character',
  'TRANSFORM-MASK-02',
  'of a masking character beyond the basic plane only half is used (001 4.4: `masking_character`, first character)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) => {
      const { masking_character: given } = body
      return kind === 'masking' && typeof given === 'string' && given !== '' ? given.slice(0, 1) : original(body, kind, previous)
    },
  },
)

rule(
  'frank-filter-not-for-get',
  'TRANSFORM-FILTER-03',
  'GET with list=true does not filter roles as LIST does (000 1.5: listing, either way; 001 4.4: `filter`)',
  {
    filterOf: (original) => (query) => (query.get('list') === 'true' ? '*' : original(query)),
  },
)

const oldStyle = remembered(() => new Set<string>())

const newStyle = (original: Handler): Handler => {
  return (call) => {
    oldStyle(call.state).delete(nameOf(call))
    return original(call)
  }
}

change(
  'frank-read-as-it-was-written',
  'TRANSFORM-READ-03',
  'what the older path wrote is read with template instead of templates (001 4.4: GET transformation `templates`)',
  {
    routes: {
      'transform.writeTransformation': (original) => async (call) => {
        const given = await original(call)
        oldStyle(call.state).add(nameOf(call))
        return given
      },
      'transform.writeFpe': newStyle,
      'transform.writeMasking': newStyle,
      'transform.readTransformation': (original) => async (call) => {
        const given = await original(call)
        const { templates, ...others } = dataOf(given)
        if (!Array.isArray(templates) || !oldStyle(call.state).has(nameOf(call))) return given
        return withData(given, { ...others, template: templates[0] ?? '' })
      },
    },
  },
)

rule(
  'frank-connection-string-filled',
  'TRANSFORM-STORE-24',
  'a store is read with user name and password in its connection string (001 4.4: `connection_string` with slots)',
  {
    shownStore: (original) => (settings) => ({
      ...original(settings),
      connection_string: filled(settings.connectionString, settings, encodeURIComponent),
    }),
  },
)

rule(
  'frank-pattern-slash-escaped',
  'TRANSFORM-TEMPLATE-03',
  'a slash in a pattern is read back with a backslash before it (001 4.4: GET template `pattern`)',
  {
    shownTemplate: (original) => (template) => {
      try {
        return { ...original(template), pattern: new RegExp(template.pattern).source }
      } catch {
        return original(template)
      }
    },
  },
)

rule(
  'frank-metadata-value-cut',
  'TRANSFORM-METADATA-01',
  'a metadata value is cut at an equals sign in it (001 4.4: `data.metadata`, key=value pairs)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=', 2).join('='))
        .join(','),
  },
)

rule(
  'frank-expiration-in-another-zone',
  'TRANSFORM-TOKENIZATION-03',
  'expiration_time has the hours of UTC with the offset of two hours (001 4.4: `data.expiration_time`)',
  {
    shownMetadata: (original) => (token) => {
      const shown = original(token)
      const { expiration_time: time } = shown
      return typeof time === 'string' ? { ...shown, expiration_time: time.replace(/Z$/, '+02:00') } : shown
    },
  },
)

rule(
  'frank-not-tokenized-left-out',
  'TRANSFORM-TOKENIZED-03',
  'tokenized is left out where it is false (001 4.4: `data.tokenized`, bool)',
  {
    shownTokenized: (original) => (tokenized) => (tokenized ? original(tokenized) : {}),
  },
)

rule(
  'frank-empty-role-is-null',
  'TRANSFORM-ROLE-01',
  'the list of a role without transformations is null (001 4.4: `transformations`, list, default [])',
  {
    shownRole: (original) => (transformations) => (transformations.length === 0 ? { transformations: null } : original(transformations)),
  },
)

core.rule(
  'frank-help-paths-from-the-mount',
  'CORE-HELP-03',
  'paths of help below an operation begin at the mount (000 1.7: relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) =>
      atTransform({ path: queried }) ? `/${queried}${relative === '/' ? '' : relative}` : original(relative, queried),
  },
)
