/** Faults at the edges of names, lifetimes and limits. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { secondsOf } from './role.ts'
import { byRules } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'boundary-ttl-equals-max',
  'PKI-REQTTL-01',
  'a lifetime of exactly the maximum is refused',
  ['pki.issue', 'pki.sign'],
  (original) => (call) => {
    const maximum = call.state.roles.get(call.params.name ?? '')?.max_ttl ?? 0
    if (maximum > 0 && secondsOf(call.body, 'ttl') === maximum) throw invalid('ttl must be below the maximum of the role')
    return original(call)
  },
)
rule('boundary-path-length-zero', 'PKI-INTER-07', 'a path length of zero under an unlimited signer means no limit', {
  pathLength: (original) => (requested, signer) => (requested === 0 && signer < 0 ? -1 : original(requested, signer)),
})
rule('boundary-glob-leading-only', ['PKI-GLOB-02', 'PKI-ADDITIVE-01'], 'a glob counts at the beginning of a pattern only', {
  globAllowed: (original) => (role, name, pattern) => pattern.lastIndexOf('*') === 0 && original(role, name, pattern),
})

route(
  'time-signed-not-before',
  'PKI-NOTBEFORE-02',
  'signed requests begin 30 seconds early, whatever the role says',
  'pki.sign',
  byRules(() => ({ validFrom: (_role, now) => now - 30 })),
)
route(
  'time-signed-default',
  'PKI-SIGNED-02',
  'signed requests live for the default of the mount, not of the role',
  'pki.sign',
  byRules((rules) => ({ lifetime: (role, requested, limits) => rules.lifetime({ ...role, ttl: 0 }, requested, limits) })),
)
route(
  'time-intermediate-unlimited',
  'PKI-INTER-16',
  'an intermediate lives as long as it is asked to',
  'pki.signIntermediate',
  byRules(() => ({ authorityLifetime: (requested, limits) => requested || limits.max })),
)
rule('names-localhost-prefix', 'PKI-LOCALHOST-02', 'every name that begins with localhost counts as localhost', {
  localhostAllowed: (original) => (role, name) =>
    original(role, name) || (role.allow_localhost && name.full.toLowerCase().startsWith('localhost')),
})
rule('time-default-above-maximum', 'PKI-TTL-03', 'the default lifetime is not held to the maximum of the role', {
  lifetime: (original) => (role, requested, limits) =>
    requested === 0 && role.ttl === 0 ? Math.min(limits.default, limits.max) : original(role, requested, limits),
})
rule('names-uri-prefix', 'PKI-URISANS-04', 'a URI may begin with an allowed one', {
  uriAllowed: (original) => (role, uri) => original(role, uri) || role.allowed_uri_sans.some((allowed) => uri.startsWith(allowed)),
})
