/** Legal alternatives of CAs: root, intermediates, and what is given. */
import { secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { refusal, reply, requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { requestOf } from './requests.ts'
import { dataOf, type Handle, type PkiCall } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(pkiEngine)

const absent =
  (original: Handle): Handle =>
  (call) => {
    if (call.state.authority === undefined) throw notFound()
    return original(call)
  }

route(
  'no-ca-404',
  'the answer of a mount that has no CA: open',
  'the CA routes of a mount without a CA give 404',
  ['pki.readCa', 'pki.readCaPem', 'pki.readCaChain'],
  absent,
)
route(
  'kept-with-warning',
  'not 2xx, or a 2xx without certificate and key',
  'a second root is answered by a warning',
  'pki.generateRoot',
  refusal((cause) => (cause.message.startsWith('this mount has a CA') ? secret(null, undefined, { warnings: [cause.message] }) : cause)),
)
rule('deleted-by-serial', 'readable at one of the routes that served it before', 'a deleted CA is readable by its serial number only', {
  afterDeletion: () => () => undefined,
})
rule('path-length-cut', 'a child has at most one less', 'a path length that the signer does not allow is cut', {
  pathLength: (original) => (requested, signer) => original(signer > 0 && requested >= signer ? signer - 1 : requested, signer),
})
rule('refuses-long-root', 'beyond the maximum: refused or capped', 'a root beyond the maximum is refused', {
  authorityLifetime: (original) => (requested, limits) => {
    if (requested > limits.max) throw invalid('ttl exceeds the maximum')
    return original(requested, limits)
  },
})
route(
  'no-intermediate-keys',
  'the generation of the key is not shown',
  'intermediate keys are not made at the known path',
  'pki.generateIntermediate',
  () => () => {
    throw notFound()
  },
)
change('extra-fields', 'response schemas allow additional members', 'answers carry further fields', {
  routes: {
    'pki.issue': reply((reply) => ({
      ...reply,
      body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), expiration: 1, issuer_id: 'x' } },
    })),
    'pki.readRole': reply((reply) => ({
      ...reply,
      body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), issuer_ref: 'default' } },
    })),
  },
})
rule('any-key-with-certificate', 'a key of another pair: advised', 'a bundle is taken whosever its key is', {
  keyBelongs: () => () => true,
})
route(
  'intermediate-named-by-request',
  'a certificate request may give the common name',
  'an intermediate without common_name has the name of its certificate request',
  'pki.signIntermediate',
  requestBody<PkiCall>((body, call) => (body.common_name === undefined ? { ...body, common_name: requestOf(call).commonName } : body)),
)

export const variants = declared
