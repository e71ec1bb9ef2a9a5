/** Faults of forms: lists and texts, spellings, letter case, unicode, encodings, one route against another. */

import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './requests.ts'
import { EXTENSION } from './x509/extensions.ts'

const own = faultsOf(pkiEngine, 'pki')

const { rule, route } = own

rule(
  'dawn-upper-case-usage-lost',
  'PKI-USAGE-03',
  'key usages written in capitals do not get into certificates (001 4.2: key_usage, case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => name !== name.toUpperCase()) }, request),
  },
)

rule(
  'dawn-bundle-without-pkcs8',
  'PKI-FORMAT-04',
  'a pem_bundle lacks a key in the form pkcs8 (001 4.2: then also holds private key where present)',
  {
    bundleParts: (original) => (key, certificate, issuer) =>
      original(key?.startsWith('-----BEGIN PRIVATE KEY') ? undefined : key, certificate, issuer),
  },
)

rule(
  'dawn-other-name-type-utf-8',
  'PKI-OTHERSANS-08',
  'entries of allowed_other_sans with the type UTF-8 allow nothing (001 4.2: type UTF8 or UTF-8)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;utf-8:/i.test(entry)) }, name),
  },
)

route(
  'dawn-exclusion-as-text-ignored',
  'PKI-INTER-18',
  'exclude_cn_from_sans of sign-intermediate is ignored where it is a string (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

rule(
  'dawn-email-common-name-stays',
  'PKI-EXCLUDE-02',
  'exclude_cn_from_sans leaves an email address among the names (001 4.2: omit CN from DNS/email SANs)',
  {
    withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
  },
)

route(
  'dawn-hyphens-in-get-listing',
  'CORE-LIST-02',
  'GET certs?list=true shows serial numbers with hyphens (001 2.2: serial_number, colon-separated hex; 000 1.5: LIST or GET)',
  'pki.listCertificates',
  replyData<PkiCall>((data, call) => {
    if (call.query.get('list') !== 'true' || !Array.isArray(data.keys)) return data
    return { ...data, keys: data.keys.map((serial) => String(serial).replaceAll(':', '-')) }
  }),
)

const plainLetters = (values: string[]): string[] => values.map((text) => text.normalize('NFD').replace(/[^\x20-\x7e]/g, ''))

rule(
  'dawn-subject-without-accents',
  'PKI-ORG-02',
  "letters of a role's subject fields lose their accents (001 4.2: organization, ou, locality)",
  {
    subject: (original) => (role, commonName) => {
      const { organization, ou, locality } = role
      return original(
        { ...role, organization: plainLetters(organization), ou: plainLetters(ou), locality: plainLetters(locality) },
        commonName,
      )
    },
  },
)

rule(
  'dawn-self-issued-without-other-extensions',
  'PKI-SELF-03',
  'sign-self-issued drops extensions that the server does not write itself (001 4.2: signed as-is)',
  {
    asGiven: (original) => (content) => {
      const known: string[] = Object.values(EXTENSION)
      return original({ ...content, extensions: content.extensions.filter(({ oid }) => known.includes(oid)) })
    },
  },
)
