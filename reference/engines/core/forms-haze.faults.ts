/** Faults of the core conventions: the same thing in another form. */
import type { JsonObject } from '../../core/json.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { rule, withData } from './haze-help.ts'

const noBody = (): { text: string; body: JsonObject } => ({ text: '{}', body: {} })

rule(
  'haze-body-without-content-type',
  'CORE-MEDIA-02',
  'a body that comes without Content-Type is overlooked (000, 2.1: bodies are JSON; clients need not send Content-Type)',
  {
    parseBody: (original) => (bytes, request) =>
      request.headers['content-type'] === undefined && !isProvisioning(request) ? noBody() : original(bytes, request),
  },
)

rule(
  'haze-namespace-by-header-alone',
  'CORE-NS-02',
  'with a namespace in the header the path names no further one (000, 2.2: header <ns1>/ with path <ns2>/secret/foo is equivalent to header <ns1>/<ns2>/)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const named = `${(header ?? '').replace(/^\/+|\/+$/g, '')}/`
      return namespaces.includes(named) && !isProvisioning({ path }) ? named : original(path, namespaces, header)
    },
  },
)

rule(
  'haze-odd-token-400',
  'CORE-AUTH-08',
  'a wrong token that does not look like one is refused with 400 (000, 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && token === undefined && !/^[a-z]{1,3}\.\w+$/i.test(given) ? 400 : original(given, token, request),
  },
)

rule(
  'haze-key-without-outer-blanks',
  ['KV-LIST-01', 'KV-LIST-09'],
  'blanks at the ends of a key are cut off (000, 1.4: a secret is read and written at secret/<key>)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type.startsWith('kv') ? rest.trim() : rest
    },
  },
)

rule(
  'haze-plus-is-a-blank',
  ['KV-LIST-01', 'KV-LIST-09'],
  'a plus in a key means a blank, as in forms (000, 1.4: a secret is read and written at secret/<key>)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type.startsWith('kv') ? rest.replaceAll('+', ' ') : rest
    },
  },
)

rule(
  'haze-put-rounds-numbers',
  ['KV-V1-15', 'KV-V2-29'],
  'what is written by PUT goes through ordinary numbers, so that long ones are rounded (000, 1.6: PUT and POST are synonyms; 4.1: the JSON object is stored)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      return request.method === 'PUT' ? { ...parsed, text: JSON.stringify(parsed.body) } : parsed
    },
  },
)

rule(
  'haze-wrong-method-as-text',
  'CORE-ERROR-01',
  'the answer to an unsupported method is plain text (000, 2.4: for every status of 400 and above an object with errors)',
  {
    failure: (original) => (status, body, request) =>
      status === 405
        ? { status, raw: { contentType: 'text/plain; charset=utf-8', bytes: new TextEncoder().encode('Method Not Allowed\n') } }
        : original(status, body, request),
  },
)

rule(
  'haze-member-data-unwrapped',
  'KV-V1-06',
  'reading an object of version 1 that has a member data shows what is in there only (000, 1.4 and 4.1: the JSON object that was written is read)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (route.id !== 'kv1.read') return given
      return withData(given, (stored) => {
        const { data } = stored
        return data !== null && typeof data === 'object' && !Array.isArray(data) ? data : stored
      })
    },
  },
)
