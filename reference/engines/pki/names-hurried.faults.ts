/** Faults of name policy as haste makes them. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule } = faultsOf(pkiEngine)

rule('guess-uri-first-pattern', ['PKI-URISANS-06'], 'only the first pattern for URIs counts', {
  uriAllowed: (original) => (role, uri) => original({ ...role, allowed_uri_sans: role.allowed_uri_sans.slice(0, 1) }, uri),
})
rule('guess-subdomain-one-label', ['PKI-SUB-02'], 'subdomains of more than one label are refused', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && !name.domain.slice(0, -domain.length - 1).includes('.'),
})
