/** Faults of who asks, and with which carrier. */
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import type { KeyRecord } from './records.ts'

const one = faultsOf(kv1Engine, 'kv')

const two = faultsOf(kv2Engine, 'kv')

interface Carried {
  headers: Record<string, string>
}

const usesBearer = ({ headers }: Carried): boolean => headers['x-service-token'] === undefined && headers.authorization !== undefined

const isRoot = ({ token }: { token: { policies: string[] } | undefined }): boolean => token?.policies.includes('root') ?? false

one.route(
  'identity-bearer-list',
  'CORE-AUTH-07',
  'a caller with a bearer token sees empty directories',
  'kv1.list',
  insteadOfHandling(
    () => {
      throw notFound()
    },
    (call) => usesBearer(call),
  ),
)
const authors = new WeakMap<KeyRecord, string>()
two.change('identity-author-reads', 'CORE-CAP-03', 'only the caller who wrote a key last and root read it', {
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
two.route(
  'identity-bearer-write',
  'CORE-AUTH-07',
  'a write with a bearer token is answered and not stored',
  'kv2.write',
  insteadOfHandling(
    (call) =>
      secret({
        version: (recordOf(call)?.current ?? 0) + 1,
        created_time: new Date(call.now() * 1000).toISOString(),
        deletion_time: '',
        destroyed: false,
        custom_metadata: null,
      }),
    (call) => usesBearer(call),
  ),
)
two.route('identity-root-lists-top', 'CORE-CAP-11', 'only root lists the top of a mount', 'kv2.list', (original) => (call) => {
  if (!isRoot(call) && (call.params.directory ?? '') === '') throw notFound()
  return original(call)
})
one.rule(
  'identity-single-member-is-new',
  ['CORE-CAP-07', 'CORE-CAP-10'],
  'an object with one member counts as absent: writing it again needs create',
  {
    exists: (original) => (stored) => original(stored) && Object.keys((stored ?? {}) as JsonObject).length !== 1,
  },
)
two.route(
  'identity-destroy-root-only',
  'KV-V2-11',
  'destroying is deleting unless root asks for it',
  'kv2.destroyVersions',
  (original) => (call) =>
    original(isRoot(call) ? call : { ...call, rules: { ...call.rules, destroyed: (version) => call.rules.deleted(version, call.now()) } }),
)
