/** Formats of certificates and keys that are mixed up. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'format-default-der',
  'PKI-FORMAT-01',
  'the default format is der',
  'pki.issue',
  requestBody((body) => ({ format: 'der', ...body })),
)
route(
  'format-pem-bundled',
  'PKI-FORMAT-02',
  'pem gives a bundle',
  'pki.issue',
  requestBody((body) => (body.format === 'pem' ? { ...body, format: 'pem_bundle' } : body)),
)
route(
  'format-der-pem',
  'PKI-FORMAT-03',
  'der gives PEM',
  'pki.issue',
  requestBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)
rule('format-bundle-no-key', 'PKI-FORMAT-04', 'a bundle lacks the key', {
  bundleParts: (original) => (_key, certificate, issuer) => original(undefined, certificate, issuer),
})
rule('format-bundle-no-issuer', ['PKI-FORMAT-06', 'PKI-INTER-23'], 'a bundle lacks the issuer', {
  bundleParts: (original) => (key, certificate) => original(key, certificate, undefined),
})
rule('format-lenient', 'PKI-FORMAT-05', 'unknown formats give PEM', { formatKnown: () => () => true })
rule('key-form-default', 'PKI-KEYFORMAT-01', 'keys are PKCS#8 by default', {
  keyForm: (original) => (form) => (form === '' ? 'pkcs8' : original(form)),
})
rule('key-form-ignored', ['PKI-KEYFORMAT-02', 'PKI-ROOT-21'], 'pkcs8 is ignored', {
  keyForm: (original) => (form) => original(form === 'pkcs8' ? 'der' : form),
})
rule('key-form-lenient', 'PKI-KEYFORMAT-03', 'unknown key formats give the default', {
  keyForm: () => (form) => (form === 'pkcs8' ? 'pkcs8' : 'der'),
})
route(
  'signed-key',
  'PKI-SIGN-11',
  'the answer of sign has a private key',
  'pki.sign',
  replyData((data) => ({ ...data, private_key: '-----BEGIN PRIVATE KEY-----' })),
)
