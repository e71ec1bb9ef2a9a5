/** Where the operators apply in the key-value engine. */
import { secret } from '../../core/envelope.ts'
import { applied, type Place, type Places } from '../../faults/apply.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2State } from './records.ts'

const OPEN = 'the documents leave open what a removal does'
const EMPTY = 'an object is neither text nor number'

/** Who may do what with keys: the clauses of operations that read, write, list and remove. */
const access = (version: string, read: string, write: string, list: string, remove: string): NonNullable<Places['access']> => ({
  [`${version}/read`]: {
    operations: [read],
    clauses: ['CORE-CAP-01'],
    by: { 'update-is-enough': 'CORE-CAP-05', 'list-is-enough': 'CORE-CAP-20' },
    not: { 'read-is-enough': 'a read needs it' },
  },
  [`${version}/write`]: {
    operations: [write],
    clauses: ['CORE-CAP-04'],
    by: { 'update-is-enough': 'CORE-CAP-09' },
  },
  [`${version}/list`]: {
    operations: [list],
    clauses: ['CORE-CAP-17'],
    by: { 'read-is-enough': 'CORE-CAP-12', 'update-is-enough': 'CORE-CAP-12' },
    not: { 'list-is-enough': 'a listing needs it' },
  },
  [`${version}/removal`]: {
    operations: [remove],
    clauses: ['CORE-CAP-18'],
    by: { 'read-is-enough': 'CORE-CAP-21', 'list-is-enough': 'CORE-CAP-21', 'update-is-enough': 'CORE-CAP-13' },
  },
})

const ofV1 = applied(
  kv1Engine,
  {
    except: {
      'no check finds it: whether it is promised is not judged yet': `
        v1/directory/hyphens v1/directory/dots v1/value/read-after-removal
      `,
    },
    names: {
      'v1/key': { clauses: ['KV-V1-09', 'KV-LIST-01'], operations: ['kv1.read', 'kv1.write', 'kv1.delete'], parameter: 'path' },
      'v1/directory': { clauses: ['KV-LIST-01', 'KV-LIST-02'], operations: ['kv1.list'], parameter: 'directory' },
    },
    lists: { 'v1/list': { clauses: ['KV-LIST-01'], operations: ['kv1.list'] } },
    replies: {
      'v1/shown': { clauses: ['KV-V1-01'], operations: ['kv1.read'], member: 'data', not: { other: EMPTY, emptied: EMPTY } },
    },
    memory: {
      'v1/value': {
        clauses: ['KV-V1-04'],
        by: { 'new-one-lost': 'KV-V1-02' },
        not: { 'removal-ignored': OPEN },
        write: 'kv1.write',
        read: 'kv1.read',
        remove: 'kv1.delete',
      },
    },
    neighbours: {
      'v1/deletion': { clauses: ['KV-V1-01'], operations: ['kv1.delete'], parameter: 'path', things: ({ objects }: Kv1State) => objects },
      'v1/write': { clauses: ['KV-V1-01'], operations: ['kv1.write'], parameter: 'path', things: ({ objects }: Kv1State) => objects },
    },
    access: access('v1', 'kv1.read', 'kv1.write', 'kv1.list', 'kv1.delete'),
  },
  'kv',
)

const SAME = { 'first-read': 'as at v2/value', 'second-write-lost': 'as at v2/value', 'new-one-lost': 'as at v2/value' }

/** What becomes of a version when another operation is done to it. */
const versions = (clause: string, remove: string): Place & { write: string; read: string; remove: string } => ({
  clauses: [clause],
  not: SAME,
  write: 'kv2.write',
  read: 'kv2.read',
  remove,
})

const ofV2 = applied(
  kv2Engine,
  {
    except: {
      'no check finds it: whether it is promised is not judged yet': `
        v2/key/hyphens v2/key/dots v2/directory/hyphens v2/directory/dots v2/deleted/ignored v2/deleted/carried-over v2/undeleted/ignored
        v2/undeleted/carried-over v2/destroyed/ignored v2/destroyed/carried-over v2/data/made-up-for-empty
      `,
    },
    names: {
      'v2/key': {
        clauses: ['KV-V2-02', 'KV-LIST-09'],
        operations: ['kv2.read', 'kv2.write', 'kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions'],
        parameter: 'path',
      },
      'v2/directory': { clauses: ['KV-LIST-09'], operations: ['kv2.list'], parameter: 'directory' },
    },
    lists: { 'v2/list': { clauses: ['KV-LIST-09'], operations: ['kv2.list'] } },
    replies: {
      'v2/shown': { clauses: ['KV-V2-02'], operations: ['kv2.read'], member: 'data.data', not: { other: EMPTY, emptied: EMPTY } },
    },
    needed: {
      'v2/data': { clauses: ['KV-V2-04'], by: { 'made-up-for-empty': 'KV-V2-05' }, operations: ['kv2.write'], member: 'data', value: {} },
    },
    parameters: {
      'v2/deleted': { clauses: ['KV-V2-08', 'KV-V2-12'], operations: ['kv2.deleteVersions'], member: 'versions' },
      'v2/undeleted': { clauses: ['KV-V2-09'], operations: ['kv2.undeleteVersions'], member: 'versions' },
      'v2/destroyed': { clauses: ['KV-V2-10', 'KV-V2-13'], operations: ['kv2.destroyVersions'], member: 'versions' },
    },
    memory: {
      'v2/value': {
        clauses: ['KV-V2-06'],
        by: { 'new-one-lost': 'KV-V2-01' },
        write: 'kv2.write',
        read: 'kv2.read',
        answer: () => secret({ version: 1 }),
      },
      'v2/deletion': versions('KV-V2-08', 'kv2.deleteVersions'),
      'v2/destruction': versions('KV-V2-10', 'kv2.destroyVersions'),
    },
    neighbours: {
      'v2/deletion': { clauses: ['KV-V2-02'], operations: ['kv2.deleteVersions'], parameter: 'path', things: ({ keys }: Kv2State) => keys },
      'v2/write': { clauses: ['KV-V2-02'], operations: ['kv2.write'], parameter: 'path', things: ({ keys }: Kv2State) => keys },
    },
    access: access('v2', 'kv2.read', 'kv2.write', 'kv2.list', 'kv2.deleteMetadata'),
  },
  'kv',
)

export const faults = [...ofV1, ...ofV2]
