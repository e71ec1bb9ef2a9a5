/** Faults of the conventions: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'lark-put-error-text',
  'CORE-ERROR-01',
  'a refused PUT has its messages as one text in `errors` (000, 2.4: `errors` is an array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      if (request.method !== 'PUT' || isProvisioning(request)) return given
      return withBody(given, (shown) => (Array.isArray(shown.errors) ? { ...shown, errors: shown.errors.join('; ') } : shown))
    },
  },
)

rule(
  'lark-parse-error-objects',
  'CORE-ERROR-01',
  'the refusal of a body that is not JSON has objects in `errors` (000, 2.4: `errors` is an array of strings)',
  {
    errorBody: (original) => (messages) =>
      messages[0] === 'failed to parse JSON input' ? { errors: messages.map((message) => ({ message })) } : original(messages),
  },
)

rule(
  'lark-forbidden-as-text',
  'CORE-MEDIA-01',
  'the body of a 403 is sent as text/plain (000, 2.1: bodies are JSON, and the service sets `Content-Type`)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      if (status !== 403 || given.body === undefined || isProvisioning(request)) return given
      return { status, raw: { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(stringify(given.body)) } }
    },
  },
)

rule(
  'lark-help-from-mount',
  'CORE-HELP-03',
  'the paths of help about something in a mount are relative to the mount (000, 1.7: they are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const [, ...below] = queried.split('/').filter((segment) => segment !== '')
      const path = original(relative, queried)
      return below.length === 0 ? path : `/${below.join('/')}${path === '/' ? '' : path}`
    },
  },
)

rule(
  'lark-beyond-plane',
  'CORE-MEDIA-02',
  'characters beyond U+FFFF that a body holds unescaped are stored as question marks (000, 2.1: bodies are JSON; 4.1: the object is stored)',
  {
    parseBody: (original) => (bytes, request) => {
      if (isProvisioning(request)) return original(bytes, request)
      const text = Buffer.from(bytes).toString('utf8')
      const plain = text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')
      return original(plain === text || text.includes('\uFFFD') ? bytes : Buffer.from(plain), request)
    },
  },
)

rule(
  'lark-put-needs-type',
  'CORE-MEDIA-02',
  'a PUT with a body but no `Content-Type` is refused (000, 2.1: clients need not send it; 1.6: PUT is POST)',
  {
    parseBody: (original) => (bytes, request) => {
      if (request.method === 'PUT' && bytes.length > 0 && request.headers['content-type'] === undefined && !isProvisioning(request))
        throw invalid('no content type')
      return original(bytes, request)
    },
  },
)
