/** Faults of who may ask, and with what. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { belowPki } from './anew-help.ts'

const { rule } = faultsOf(coreEngine, 'pki')

rule(
  'anew-self-issued-without-sudo',
  ['CORE-CAP-15'],
  'self-issued certificates are signed without sudo (001 4.2 root/sign-self-issued: needs sudo)',
  {
    needsSudo: (original) => (route) => original(route) && route.id !== 'pki.signSelfIssued',
  },
)

rule(
  'anew-sudo-alone-deletes-root',
  ['CORE-CAP-18'],
  'sudo alone deletes the root, without the capability of deleting (000 7: 403 no access; 001 4.2 DELETE root: needs sudo besides)',
  countsAs('sudo', (call) => belowPki(call) === 'root', 'delete'),
)

rule(
  'anew-root-generation-needs-sudo',
  ['CORE-CAP-06'],
  'generating a root needs sudo (001 4.2: only DELETE root and sign-self-issued need sudo)',
  {
    needsSudo: (original) => (route) => original(route) || route.id === 'pki.generateRoot',
  },
)

rule(
  'anew-certificates-listed-to-anyone',
  ['CORE-AUTH-01'],
  'the list of certificates needs no token, as its path begins like cert/ (001: all endpoints require one unless marked)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'pki.listCertificates',
  },
)

rule(
  'anew-role-read-by-anyone',
  ['CORE-AUTH-01'],
  'whatever reads needs no token, roles and settings as well (001: all endpoints require a token unless marked UNAUTHENTICATED)',
  {
    needsToken: (original) => (route) => original(route) && !/^pki\.read/.test(route?.id ?? ''),
  },
)

rule(
  'anew-deny-overlooked-in-lists',
  ['CORE-CAP-17'],
  'who is denied a path may list there (000 5, 7: 403 or 404 for who may not view a path)',
  denyOverlooked((call) => belowPki(call) !== undefined && call?.method === 'LIST'),
)

rule(
  'anew-read-issues',
  ['CORE-CAP-04'],
  'reading suffices for issuing, which is a write (001 4.2 POST issue/:name; 000 1: writes are a create or an update)',
  countsAs('read', (call) => /^issue\//.test(belowPki(call) ?? ''), 'update'),
)

rule(
  'anew-any-token-signs-intermediates',
  ['CORE-CAP-04'],
  'any good token signs intermediates, whatever its policies (000 7: 403 no access; 001 4.2 root/sign-intermediate)',
  anyoneMay((call) => belowPki(call) === 'root/sign-intermediate'),
)

rule(
  'anew-bearer-ignored-in-deletions',
  ['CORE-AUTH-07'],
  'deletions of roles and of the root take no bearer token (000 2.1, 5: Authorization is an alternative token carrier)',
  bearerIgnored(({ method, path }) => method === 'DELETE' && /\/(roles\/[^/]+|root)$/.test(path)),
)

rule(
  'anew-ended-token-issues',
  ['CORE-AUTH-15'],
  'a token that issued or signed goes on doing so after its end (000 5: a client token is required; 7: 403 wrong credentials)',
  goodForEver(({ path }) => /\/(issue|sign)\//.test(path)),
)

rule('anew-wrong-token-401', ['CORE-AUTH-03'], 'a wrong token is answered with 401 (000 7: 403 wrong credentials)', {
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    const unknown = given !== undefined && /\/(issue|sign|roles|certs|revoke)(\/|$)/.test(request.path)
    return refused === 403 && unknown ? 401 : refused
  },
})

rule(
  'anew-policy-for-role-prefix',
  ['CORE-CAP-01'],
  'a policy for one role opens the roles whose names begin with its name (000 5, 7: 403 no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/\/(issue|sign|roles)\/[^/*+]+$/.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)
