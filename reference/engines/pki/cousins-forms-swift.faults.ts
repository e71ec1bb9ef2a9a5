/** Cousins of the faults that lived through a blind round: the same slips at other limits and in other forms. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'cousin-role-ttl-bounds',
  ['PKI-REQTTL-01'],
  'the `ttl` of a role bounds what is requested (4.2, `ttl`: "must not exceed role `max_ttl`")',
  {
    lifetime: (original) => (role, requested, limits) =>
      original(role, role.max_ttl === 0 && role.ttl > 0 ? Math.min(requested, role.ttl) : requested, limits),
  },
)
rule(
  'cousin-mount-max-refused',
  ['PKI-REQTTL-01'],
  'a `ttl` that equals the maximum of the mount is refused (4.2, `max_ttl`: system max lease TTL)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (requested >= limits.max) throw invalid('ttl exceeds the maximum of the mount')
      return original(role, requested, limits)
    },
  },
)
rule('cousin-role-at-mount-max', ['PKI-TTL-02'], 'a role whose `ttl` is the maximum of the mount gets the default (4.2, role: `ttl`)', {
  lifetime: (original) => (role, requested, limits) => original(role.ttl >= limits.max ? { ...role, ttl: 0 } : role, requested, limits),
})
rule(
  'cousin-max-for-default',
  ['PKI-TTL-03'],
  'without `ttl` certificates live for `max_ttl` where there is one (4.2: "whichever is shorter")',
  {
    lifetime: (original) => (role, requested, limits) => original(role, requested || role.ttl || role.max_ttl, limits),
  },
)
rule(
  'cousin-root-at-maximum',
  ['PKI-ROOT-17'],
  'a root that lives as long as the mount allows is refused (4.2, `ttl`: "must not exceed the engine max")',
  {
    authorityLifetime: (original) => (requested, limits) => {
      if (requested === limits.max) throw invalid('ttl exceeds the maximum')
      return original(requested, limits)
    },
  },
)

rule(
  'cousin-bundle-glued',
  ['PKI-FORMAT-04', 'PKI-FORMAT-06'],
  'the parts of a `pem_bundle` are not on lines of their own (4.2, `format`)',
  {
    bundleParts: (original) => (key, certificate, issuer) => [
      original(key, certificate, issuer)
        .map((part) => part.trim())
        .join(''),
    ],
  },
)
rule('cousin-bundle-rsa', ['PKI-FORMAT-04'], 'a `pem_bundle` lacks an RSA key (4.2, `format`: "also holds private key where present")', {
  bundleParts: (original) => (key, certificate, issuer) => original(key?.includes('BEGIN RSA') ? undefined : key, certificate, issuer),
})
route(
  'cousin-chain-entry-glued',
  ['PKI-ISSUE-03', 'PKI-SIGNED-02'],
  'issue answers the certificates of its chain in one text without a line end (2.2, `ca_chain`: "array of PEM strings")',
  'pki.issue',
  replyData<PkiCall>((data) => ({ ...data, ca_chain: [(data.ca_chain as string[]).map((one) => one.trim()).join('')] })),
)
route(
  'cousin-internal-bundle-key',
  ['PKI-ROOT-05'],
  'a bundle of an internal root holds its key for whoever comes with a bearer (4.2, `internal`: "never returned")',
  'pki.generateRoot',
  withRules((rules, call) => ({
    returnsKey: (type) => rules.returnsKey(type) || ((call.headers.authorization ?? '') !== '' && call.body.format === 'pem_bundle'),
  })),
)
