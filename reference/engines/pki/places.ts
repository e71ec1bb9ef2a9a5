/** Where the operators apply in the certificate authority. */
import { applied, type Places } from '../../faults/apply.ts'
import { pkiEngine } from './engine.ts'
import { except } from './excepted-pairs.ts'
import {
  ALSO_REFUSED,
  ANSWERS,
  AS_TEXT,
  DEFAULTS,
  INTER,
  ISSUE,
  REQUESTS,
  ROLE,
  ROOT,
  SHOWN,
  SIGN,
  SWITCHES,
  TYPED,
  VALUES,
} from './place-rows.ts'
import type { PkiState } from './state.ts'

/** Places of one family, each of a row. */
const table = <Row, P>(rows: readonly Row[], place: (row: Row) => [name: string, place: P]): Record<string, P> =>
  Object.fromEntries(rows.map((row) => place(row)))

const roles = (state: PkiState): Map<string, unknown> => state.roles

const ALONE = 'it does not count as sudo'
const ELEVATED = { 'deny-overlooked': ALONE, 'read-is-enough': ALONE, 'list-is-enough': ALONE, 'update-is-enough': ALONE }

const places: Places = {
  except,
  defaults: {
    ...table(DEFAULTS, ([member, clause, value]) => [`role/${member}`, { clauses: [clause], operations: ROLE, member, value }]),
    'root/key_type': { clauses: ['PKI-ROOT-08'], operations: ROOT, member: 'key_type', value: 'ec' },
    'root/key_bits': { clauses: ['PKI-ROOT-10'], operations: ROOT, member: 'key_bits', value: 3072 },
    'root/max_path_length': { clauses: ['PKI-ROOT-14'], operations: ROOT, member: 'max_path_length', value: 1 },
    'root/exclude_cn_from_sans': { clauses: ['PKI-ROOT-19'], operations: ROOT, member: 'exclude_cn_from_sans', value: true },
    'intermediate/max_path_length': { clauses: ['PKI-INTER-06'], operations: INTER, member: 'max_path_length', value: 0 },
    'intermediate/use_csr_values': { clauses: ['PKI-INTER-11', 'PKI-INTER-05'], operations: INTER, member: 'use_csr_values', value: true },
    'issue/format': { clauses: ['PKI-FORMAT-01'], operations: ISSUE, member: 'format', value: 'der' },
    'sign/format': { clauses: ['PKI-FORMAT-01'], operations: SIGN, member: 'format', value: 'pem_bundle' },
    'issue/private_key_format': { clauses: ['PKI-KEYFORMAT-01'], operations: ISSUE, member: 'private_key_format', value: 'pkcs8' },
    'issue/exclude_cn_from_sans': { clauses: ['PKI-CN-03'], operations: ISSUE, member: 'exclude_cn_from_sans', value: true },
    'sign/exclude_cn_from_sans': { clauses: ['PKI-CN-03'], operations: SIGN, member: 'exclude_cn_from_sans', value: true },
  },
  needed: {
    'root/common_name': { clauses: ['PKI-ROOT-18'], operations: ROOT, member: 'common_name', value: 'Root' },
    'intermediate/common_name': { clauses: ['PKI-INTER-20'], operations: INTER, member: 'common_name', value: 'Intermediate' },
    'issue/common_name': { clauses: ['PKI-REQUIRECN-02'], operations: ISSUE, member: 'common_name', value: 'www.example.com' },
  },
  parameters: {
    ...table(VALUES, ([member, _clause, _other, effect]) => [
      `role/${member}`,
      {
        clauses: [effect],
        by: { 'first-kept': 'PKI-ROLE-02', 'carried-over': 'PKI-ROLE-05' },
        not: ALSO_REFUSED[member] ?? {},
        operations: ROLE,
        member,
      },
    ]),
    ...table(SWITCHES, ([member]) => [
      `role/${member}`,
      {
        clauses: ['PKI-ROLE-02'],
        by: { 'carried-over': 'PKI-ROLE-05' },
        not: { ignored: 'as always on, or off' },
        operations: ROLE,
        member,
      },
    ]),
    ...table(REQUESTS, ([what, operations, member, clause]) => [
      `${what}/${member}`,
      { clauses: [clause], by: { 'carried-over': 'PKI-APART-01' }, operations, member },
    ]),
  },
  switches: {
    ...table(SWITCHES, ([member, _clause, _value, off, on]) => [
      `role/${member}`,
      { clauses: [off], by: { on }, not: { 'text-is-true': 'texts are open' }, operations: ROLE, member },
    ]),
  },
  numbers: {
    'root/max_path_length': { clauses: ['PKI-ROOT-15'], operations: ROOT, member: 'max_path_length' },
    'intermediate/max_path_length': { clauses: ['PKI-INTER-07'], operations: INTER, member: 'max_path_length' },
  },
  replies: {
    ...table(DEFAULTS, ([member, clause]) => [
      `role-read/${member}`,
      {
        clauses: [clause],
        not: { emptied: 'most are', stale: 'as role/first-read', neighbours: 'as role/first-read' },
        operations: ['pki.readRole'],
        member: `data.${member}`,
      },
    ]),
    ...table(ANSWERS, ([what, operations, member, empty, others]) => [
      `${what}/${member}`,
      { clauses: [others], by: { emptied: empty }, operations, member: `data.${member}` },
    ]),
    'revoke/revocation_time': {
      clauses: ['PKI-REVOKE-04'],
      not: { other: 'a second is within what clocks may differ' },
      operations: ['pki.revoke'],
      member: 'data.revocation_time',
    },
  },
  shapes: {
    ...table(DEFAULTS, ([member, clause]) => [
      `role-read/${member}`,
      {
        clauses: [clause],
        not: { null: 'as left-out', retyped: 'spellings are open' },
        operations: ['pki.readRole'],
        member: `data.${member}`,
      },
    ]),
    ...table(SHOWN, ([name, operation, member, clause]) => [
      name,
      { clauses: [clause], operations: [operation], member: `data.${member}` },
    ]),
  },
  types: table(TYPED, ([name, operation, member, clause, value]) => [
    name,
    {
      clauses: [clause],
      not: { 'object-as-before': 'seldom is one', ...(typeof value === 'string' ? {} : AS_TEXT) },
      operations: [operation],
      member,
      value,
    },
  ]),
  lists: {
    'certificates/list': {
      clauses: ['PKI-LIST-02', 'PKI-LIST-03'],
      not: { 'of-objects': 'no check of PKI-LIST-01 tells it' },
      operations: ['pki.listCertificates'],
    },
    'roles/list': { clauses: ['PKI-ROLE-04'], operations: ['pki.listRoles'] },
  },
  memory: {
    role: {
      clauses: ['PKI-ROLE-02'],
      by: { 'removal-ignored': 'PKI-ROLE-05', 'read-after-removal': 'PKI-ROLE-05', 'new-one-lost': 'PKI-ROLE-01' },
      write: 'pki.writeRole',
      read: 'pki.readRole',
      remove: 'pki.deleteRole',
    },
  },
  names: {
    'role/name': { clauses: ['PKI-ROLE-01'], operations: ['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.issue', 'pki.sign'] },
    'issue/name': { clauses: ['PKI-ISSUE-17'], operations: ISSUE },
    'sign/name': { clauses: ['PKI-ISSUE-17'], operations: SIGN },
    'delete-role/name': { clauses: ['PKI-ROLE-05'], operations: ['pki.deleteRole'] },
  },
  neighbours: {
    'delete-role': { clauses: ['PKI-ROLE-05'], operations: ['pki.deleteRole'], things: roles },
    'write-role': { clauses: ['PKI-APART-01'], operations: ['pki.writeRole'], things: roles },
    issue: { clauses: ['PKI-APART-01'], operations: ISSUE, things: roles },
  },
  texts: {
    'role/organization': { clauses: ['PKI-ORG-02'], operations: ROLE, member: 'organization' },
    'role/locality': { clauses: ['PKI-LOCALITY-02'], operations: ROLE, member: 'locality' },
  },
  access: {
    ...table(['issue', 'sign', 'revoke', 'writeRole', 'writeCa', 'signIntermediate'], (name) => [
      `access/${name}`,
      { clauses: ['CORE-CAP-04'], not: { 'update-is-enough': 'it needs it' }, operations: [`pki.${name}`] },
    ]),
    'access/deleteRoot': { clauses: ['CORE-CAP-15', 'PKI-DELETE-03'], not: ELEVATED, operations: ['pki.deleteRoot'] },
    'access/signSelfIssued': { clauses: ['CORE-CAP-15', 'PKI-SELF-05'], not: ELEVATED, operations: ['pki.signSelfIssued'] },
    'access/deleteRole': {
      clauses: ['CORE-CAP-18'],
      by: { 'read-is-enough': 'CORE-CAP-21', 'list-is-enough': 'CORE-CAP-21', 'update-is-enough': 'CORE-CAP-13' },
      operations: ['pki.deleteRole'],
    },
    'access/readRole': {
      clauses: ['CORE-CAP-01'],
      by: { 'list-is-enough': 'CORE-CAP-20', 'update-is-enough': 'CORE-CAP-05' },
      not: { 'read-is-enough': 'it needs it' },
      operations: ['pki.readRole'],
    },
    'access/listRoles': {
      clauses: ['CORE-CAP-17'],
      by: { 'read-is-enough': 'CORE-CAP-12', 'update-is-enough': 'CORE-CAP-12' },
      not: { 'list-is-enough': 'it needs it' },
      operations: ['pki.listRoles'],
    },
  },
}

export const faults = applied(pkiEngine, places)
