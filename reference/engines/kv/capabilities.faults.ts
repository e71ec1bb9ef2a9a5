/** Faults of who may do what with keys, and with which carrier. */
import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import type { KeyRecord } from './records.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')
/** What only checks of the core decide is tried with them. */
const ofCore = faultsOf(coreEngine)

const isRoot = ({ token }: { token: { policies: string[] } | undefined }): boolean => token?.policies.includes('root') ?? false

const usesBearer = ({ headers }: { headers: Record<string, string> }): boolean =>
  headers['x-service-token'] === undefined && headers.authorization !== undefined

/** The keys of a mount of version 1. */
const keysOf = (call: { state: unknown } | undefined): string[] => [...((call?.state as Kv1State | undefined)?.objects.keys() ?? [])]

const authors = new WeakMap<KeyRecord, string>()

two.change('author-reads', 'CORE-CAP-03', 'only the caller who wrote a key last and root read it', {
  routes: {
    'kv2.write': (original) => async (call) => {
      const reply = await original(call)
      const record = recordOf(call)
      if (record && call.token && !isRoot(call)) authors.set(record, call.token.id)
      return reply
    },
    'kv2.read': (original) => (call) => {
      const record = recordOf(call)
      const author = record && authors.get(record)
      if (author !== undefined && author !== call.token?.id && !isRoot(call)) throw notFound()
      return original(call)
    },
  },
})
one.route('bearer-lists-nothing', 'CORE-AUTH-07', 'a caller with a bearer sees empty directories', 'kv1.list', (original) => (call) => {
  if (usesBearer(call)) throw notFound()
  return original(call)
})
one.rule('v1-single-member-is-new', ['CORE-CAP-07', 'CORE-CAP-10'], 'an object with one member counts as absent for a write', {
  exists: (original) => (stored) => original(stored) && Object.keys((stored ?? {}) as JsonObject).length !== 1,
})
core.rule('v1-new-beside-others-is-update', 'CORE-CAP-08', 'a new object in a directory with others needs update', {
  capabilityGranted: (original) => (granted, needed, call, request) => {
    const directory = /^.*\//.exec(call?.params.path ?? '')?.[0]
    const isUpdate =
      needed === 'create' &&
      request.operation === 'kv1.write' &&
      directory !== undefined &&
      keysOf(call).some((key) => key.startsWith(directory))
    return original(granted, isUpdate ? 'update' : needed, call)
  },
})
core.rule('help-needs-read', 'CORE-HELP-11', 'help of a path is refused to a caller who may write or list there, but not read', {
  helpAllowed: (original) => (granted) => original(granted) && granted.has('read'),
})
ofCore.rule('put-overwrites-by-create', 'CORE-CAP-07', 'a caller who may only create may overwrite an object of version 1 with PUT', {
  capabilityGranted:
    (original) =>
    (granted, needed, call, { engine, method }) =>
      original(granted, needed === 'update' && method === 'PUT' && engine === 'kv1' && granted.has('create') ? 'create' : needed, call),
})
ofCore.rule('version-routes-by-data-path', 'CORE-CAP-04', 'capabilities on data/ of a key count for its delete/, undelete/ and destroy/', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || original(pattern, path.replace(/\/(delete|undelete|destroy)\//, '/data/')),
})
ofCore.rule('v1-directory-counts-as-key', 'CORE-CAP-19', 'a new key with the name of a directory counts as existing', {
  capabilityGranted:
    (original) =>
    (granted, needed, call, { operation }) => {
      const directory = `${call?.params.path}/`
      const isDirectory = operation === 'kv1.write' && keysOf(call).some((key) => key.startsWith(directory))
      return original(granted, needed === 'create' && isDirectory ? 'update' : needed, call)
    },
})

export const faults = [...one.declared, ...two.declared, ...core.declared, ...ofCore.declared]
