/** Faults in who asks, with what token, and for which names. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule } = faultsOf(pkiEngine)
const { rule: core } = faultsOf(coreEngine, 'pki')

core('access-chain-needs-token', ['PKI-CHAIN-02'], 'ca_chain alone of the open routes asks for a token (001 4.2, UNAUTHENTICATED)', {
  needsToken: (original) => (route) => original(route) || route?.id === 'pki.readCaChain',
})

rule('access-bare-by-subdomain', ['PKI-SUB-04'], 'allow_subdomains lets the domain itself in (001 4.2, allow_bare_domains)', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_subdomains && !name.email && name.domain === domain),
})
