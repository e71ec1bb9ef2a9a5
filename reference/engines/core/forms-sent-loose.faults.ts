/** Faults of the conventions in the form of what is sent: verbs, bodies, values, paths, and what help says of them. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'
import { bodyText, enveloped } from './loose-words.ts'

const { rule } = faultsOf(coreEngine)

rule('list-verb-unknown-anew', ['CORE-LIST-04'], 'the verb LIST is a method that no path has (000 1.5: either the verb or GET)', {
  isListing: (original) => (method, query) => method !== 'LIST' && original(method, query),
  canonicalMethod: (original) => (method) => (method === 'LIST' ? 'SEARCH' : original(method)),
})

rule('put-without-body', ['CORE-WRITE-01'], 'the body of PUT is not read (000 1.6: synonyms)', {
  parseBody: (original) => (bytes, request) =>
    original(request.method === 'PUT' && !isProvisioning(request) ? new Uint8Array() : bytes, request),
})

const lenient = (fits: (text: string) => boolean) => bodyText(isWrite, (text) => (fits(text.trim()) ? '{}' : text))

rule(
  'list-body-empty',
  ['KV-V1-05'],
  'a list as body is taken for an empty object (000 4.1: JSON object body)',
  lenient((text) => text.startsWith('[')),
)

rule(
  'form-body-taken',
  ['CORE-BODY-02'],
  'a body that is no JSON is taken for an empty object (000 7: 400 invalid data)',
  lenient((text) => !/^[[{"\d-]|^(null|true|false)/.test(text)),
)

const eachText = (value: Json, change: (text: string) => string): Json =>
  typeof value === 'string'
    ? change(value)
    : value === null || typeof value !== 'object' || value.constructor.name === 'NumberText'
      ? value
      : Array.isArray(value)
        ? value.map((item) => eachText(item, change))
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, eachText(member, change)]))

const readTexts = (change: (text: string) => string) =>
  enveloped(
    ({ method, params }) => method === 'GET' && params.path !== undefined,
    (body) => ({ ...body, data: eachText(body.data ?? null, change) }),
  )

rule(
  'texts-trimmed',
  ['CORE-CAP-03'],
  'texts of read objects have lost the blanks at their ends (000 4.1: JSON secret)',
  readTexts((text) => text.trim()),
)

rule(
  'texts-composed',
  ['KV-LIST-01'],
  'texts of read objects have accents composed (000 4.1: JSON secret)',
  readTexts((text) => text.normalize('NFC')),
)

const below = (change: (path: string) => string, types: RegExp) => ({
  pathBelow:
    (original: CoreRules['pathBelow']): CoreRules['pathBelow'] =>
    (mount, path, type) =>
      types.test(type) ? change(original(mount, path, type)) : original(mount, path, type),
})

rule(
  'paths-decoded-twice',
  ['KV-LIST-01'],
  'paths are decoded twice (000 4.1: /v1/secret/<key>)',
  below((path) => path.replace(/%([0-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))), /./),
)

const helps = (change: (help: string, openapi: JsonObject) => JsonObject) => ({ helpBody: () => change })

rule(
  'help-enveloped',
  ['CORE-HELP-01', 'CORE-HELP-02'],
  'help and openapi stand in data (000 1.7: an object with help and openapi)',
  helps((help, openapi) => ({ data: { help, openapi } })),
)

rule(
  'help-lines',
  ['CORE-HELP-01'],
  'help is a list of lines (000 1.7: markdown text)',
  helps((help, openapi) => ({ help: help.split('\n'), openapi })),
)
