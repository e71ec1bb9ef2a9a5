/** Signing that forgets what issuing keeps to: lifetimes, formats, names, storage. */
import type { Fault } from '../../core/mutation.ts'
import type { PkiRules } from '../../engines/pki/rules.ts'
import { byRules, lenient, onBody, pkiFault, without } from './shared.ts'

/** A fault in the rules that signing follows; issuing keeps to the right ones. */
const bySign = (name: string, title: string, clauses: string | string[], change: (rules: PkiRules) => Partial<PkiRules>): Fault =>
  pkiFault(`sign-${name}`, title, clauses, { routes: { 'pki.sign': byRules(change) } })

const lifetimes: Fault[] = [
  bySign('role-ttl-ignored', "signing ignores the role's ttl", 'PKI-TTL-02', ({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime({ ...role, ttl: 0 }, requested, limits),
  })),
  bySign('default-uncapped', 'signing by default may exceed max_ttl', 'PKI-TTL-03', ({ lifetime }) => ({
    lifetime: (role, requested, limits) => (requested || role.ttl ? lifetime(role, requested, limits) : limits.default),
  })),
  bySign('uncapped', 'signing ignores max_ttl', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], ({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime({ ...role, max_ttl: 0 }, requested, limits),
  })),
  bySign('mount-uncapped', 'without max_ttl nothing bounds what is signed', 'PKI-MAXTTL-03', ({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime(role, requested, { ...limits, max: Number.MAX_SAFE_INTEGER }),
    endWithinAuthority: (end) => end,
  })),
  bySign('not-before-fixed', 'validity of what is signed always begins 30 seconds before', 'PKI-NOTBEFORE-02', () => ({
    validFrom: (_role, now) => now - 30,
  })),
  bySign('outlives-ca', 'what is signed outlives its CA', 'PKI-LIFE-01', () => ({ endWithinAuthority: (end) => end })),
  pkiFault('sign-forgets-ttl', 'signing forgets the requested ttl', 'PKI-REQTTL-01', { routes: { 'pki.sign': without('ttl') } }),
  pkiFault('sign-ttl-lenient', 'signing ignores a ttl that is no duration', 'PKI-REQTTL-03', { routes: { 'pki.sign': lenient('ttl') } }),
]

const formats: Fault[] = [
  pkiFault('sign-default-der', 'the default format of signing is der', 'PKI-FORMAT-01', {
    routes: { 'pki.sign': onBody((body) => ({ format: 'der', ...body })) },
  }),
  pkiFault('sign-pem-der', 'pem gives DER in signing', 'PKI-FORMAT-02', {
    routes: { 'pki.sign': onBody((body) => (body.format === 'pem' ? { ...body, format: 'der' } : body)) },
  }),
  pkiFault('sign-forgets-format', 'signing forgets the format', ['PKI-FORMAT-03', 'PKI-FORMAT-06'], {
    routes: { 'pki.sign': without('format') },
  }),
  bySign('format-lenient', 'signing takes unknown formats for PEM', 'PKI-FORMAT-05', () => ({ formatKnown: () => true })),
  bySign('bundle-no-issuer', 'a bundle of signing lacks the issuer', 'PKI-FORMAT-06', () => ({ bundlesIssuer: () => false })),
]

const names: Fault[] = [
  pkiFault('sign-forgets-exclude', 'signing forgets to exclude the common name', ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02'], {
    routes: { 'pki.sign': without('exclude_cn_from_sans') },
  }),
  ...['ip_sans', 'uri_sans', 'other_sans'].map((field) =>
    pkiFault(`sign-forgets-${field.replace('_', '-')}`, `signing forgets ${field}`, 'PKI-CSRSANS-03', {
      routes: { 'pki.sign': without(field) },
    }),
  ),
]

const stores: Fault[] = [
  bySign('no-store-ignored', 'signing ignores no_store', ['PKI-NOSTORE-02', 'PKI-NOSTORE-03'], () => ({ stored: () => true })),
  bySign('no-store-leased', 'what is signed is leased in spite of no_store', 'PKI-NOSTORE-04', () => ({
    leased: (role) => role.generate_lease,
  })),
  bySign('nothing-stored', 'what is signed is kept only where it is leased', 'PKI-NOSTORE-05', () => ({
    stored: (role) => role.generate_lease,
  })),
]

export const signingFaults: Fault[] = [...lifetimes, ...formats, ...names, ...stores]
