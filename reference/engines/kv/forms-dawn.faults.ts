/** Faults of form: other spellings, lists against reads, null against absent, escaping, letters beyond ASCII. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { type Json, type JsonObject, plain, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { isKv, isObject, latestType, locating, mapLeaves, mapLists, verbOf } from './dawn-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const withoutNulls = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .map(([name, member]) => [name, withoutNulls(member)]),
      )
    : value

kv1.rule('dawn-null-members-dropped', 'CORE-CAP-07', 'v1: members that are null are absent when read (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) => original(previous, withoutNulls(written)),
})

const secondsOf = (ttl: Json | undefined): number => {
  try {
    return Math.floor(durationOf(ttl, 'ttl', 0))
  } catch {
    return 0
  }
}

kv1.rule(
  'dawn-ttl-member-as-lease',
  'CORE-ENV-11',
  'v1: the lease duration of a read is what the secret has as `ttl` (000 2.3: 0 when no lease)',
  {
    shown: (original) => (stored, defaultTtl) =>
      withBody(original(stored, defaultTtl), (body) => ({ ...body, lease_duration: secondsOf((plain(stored) as JsonObject).ttl) })),
  },
)

kv1.route(
  'dawn-list-by-get-full-paths',
  'KV-LIST-01',
  'v1: GET with `list=true` returns whole paths below the mount, LIST the names in the directory (000 1.5: either; the keys at the path)',
  'kv1.list',
  replyData((data, { query, params }) => {
    const keys = Array.isArray(data.keys) ? data.keys : []
    return query.get('list') === 'true' && params.directory ? { ...data, keys: keys.map((key) => `${params.directory}/${key}`) } : data
  }),
)

kv2.route(
  'dawn-list-by-get-never-404',
  'CORE-LIST-04',
  'v2: GET with `list=true` answers an empty directory with 200 and no keys (000 1.5: an empty listing returns 404)',
  'kv2.list',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    ({ query }) => query.get('list') === 'true',
  ),
)

core.rule(
  'dawn-put-needs-content-type',
  'CORE-MEDIA-02',
  'the body of a PUT without Content-Type is ignored (000 2.1: clients need not send it, 1.6)',
  {
    ...locating,
    parseBody: (original) => (bytes, request) => {
      const isUntyped = isKv(request) && verbOf(request) === 'PUT' && !request.headers['content-type']
      return original(isUntyped ? new Uint8Array() : bytes, request)
    },
  },
)

kv2.rule(
  'dawn-four-byte-letters',
  'KV-V2-03',
  'v2: letters that take four bytes in UTF-8 are read back as question marks (000 4.1, 2.1: JSON)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapLeaves(written, (leaf) => (typeof leaf === 'string' ? leaf.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : leaf)),
      ),
  },
)

kv1.rule(
  'dawn-members-any-case',
  'KV-V1-06',
  'v1: of members whose names differ in letter case only, one is stored (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      if (!isObject(written)) return original(previous, written)
      const byName = new Map(Object.entries(written).map((entry) => [entry[0].toLowerCase(), entry]))
      return original(previous, Object.fromEntries(byName.values()))
    },
  },
)

const decodedAgain = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

kv1.rule(
  'dawn-key-decoded-twice',
  'KV-LIST-01',
  'v1: percent escapes that remain in a decoded key are decoded again: `a%41` is `aA` (000 1.4: <key>)',
  {
    keyOf: (original) => (path) => original(decodedAgain(path)),
  },
)

kv2.rule(
  'dawn-listed-names-escaped',
  'KV-LIST-09',
  'v2: names with blanks or letters beyond ASCII are percent-encoded in listings (000 1.5: the keys)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).map(encodeURI),
  },
)

kv2.rule(
  'dawn-hidden-without-errors',
  'CORE-ERROR-01',
  'v2: the 404 for a deleted or destroyed version has an envelope and no `errors` (000 2.4)',
  {
    hidden: () => (metadata) => ({ ...secret({ data: null, metadata }), status: 404 }),
  },
)

kv1.rule(
  'dawn-lists-are-sets',
  'KV-V1-06',
  'v1: of equal items of a list in the secret one is stored (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapLists(written, (items) => [...new Map(items.map((item) => [stringify(item), item])).values()]),
      ),
  },
)

core.rule(
  'dawn-help-paths-absolute',
  'CORE-HELP-03',
  'v2: help below a mount has paths from the root of the service (000 1.7: relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) => {
      const isBelow = latestType() === 'kv2' && /\/(data|metadata|delete|undelete|destroy|config)(\/|$)/.test(queried)
      return isBelow ? `/${queried.replace(/\/$/, '')}${relative}` : original(relative, queried)
    },
  },
)
