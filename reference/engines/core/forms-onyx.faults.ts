/** Faults of the conventions: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'onyx-errors-null',
  'CORE-ERROR-01',
  'a refused read without a message has `errors` null and not an empty array (000, 2.4: an object with `errors`: array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const reply = original(status, body, request)
      if (request.method !== 'GET') return reply
      return withBody(reply, (given) => (Array.isArray(given.errors) && given.errors.length === 0 ? { ...given, errors: null } : given))
    },
  },
)

rule(
  'onyx-405-without-body',
  'CORE-ERROR-01',
  'an unsupported method is answered with 405 and no body (000, 2.4: for every status >= 400 the body is an object with `errors`)',
  { failure: (original) => (status, body, request) => (status === 405 ? { status } : original(status, body, request)) },
)

rule(
  'onyx-latin-1-without-content-type',
  'CORE-MEDIA-02',
  'a body that comes without a content type is read as Latin-1, so that characters beyond ASCII are stored as others (000, 2.1: bodies are JSON; clients need not send `Content-Type`)',
  {
    parseBody: (original) => (bytes, request) =>
      request.headers['content-type'] !== undefined || isProvisioning(request)
        ? original(bytes, request)
        : original(Buffer.from(Buffer.from(bytes).toString('latin1')), request),
  },
)
