/** Faults of the conventions in the forms of the same thing. */
import { coreEngine } from '../../core/core-engine.ts'
import { type JsonObject, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'kite-header-case',
  'CORE-NS-01',
  'the namespace header is taken in lower case, a namespace in the path as it is (000, 2.2: header <ns1>/ with path secret/foo is equivalent to no header with <ns1>/secret/foo)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(isProvisioning(request) ? header : header?.toLowerCase(), request, namespaces),
  },
)

rule('kite-405-text', 'CORE-ERROR-01', 'the errors of a 405 are one string instead of an array (000, 2.4: errors is an array of strings)', {
  failure: (original) => (status, body, request) =>
    original(status, status === 405 ? { errors: ((body as JsonObject).errors as string[]).join('; ') } : body, request),
})

rule(
  'kite-bad-json-text',
  'CORE-MEDIA-01',
  'the refusal of a broken body is sent as text/plain (000, 2.1 and 2.4: response bodies are JSON; the body is an object with errors)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      const isBroken = status === 400 && ((body as JsonObject).errors as string[] | undefined)?.[0] === 'failed to parse JSON input'
      return isBroken ? { status, raw: { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(stringify(body)) } } : given
    },
  },
)
