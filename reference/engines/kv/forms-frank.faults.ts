/** Faults of form: the same thing by another route, null, types, escaping, names, unicode. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { deeply, hasMembers, isKv, located } from './frank-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

one.rule('frank-null-is-absent', 'CORE-CAP-07', 'v1: members that are null are not stored (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    original(previous, hasMembers(written) ? Object.fromEntries(Object.entries(written).filter(([, member]) => member !== null)) : written),
})

core.rule(
  'frank-put-loses-digits',
  'KV-V2-29',
  'long numbers are stored verbatim by POST, as doubles by PUT (000 1.6: `PUT` and `POST` are synonyms)',
  {
    ...located,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      return request.method === 'PUT' && isKv(request) ? { ...parsed, text: JSON.stringify(parsed.body) } : parsed
    },
  },
)

one.route(
  'frank-get-lists-bare-directories',
  'KV-LIST-02',
  'v1: GET with `list=true` shows directories without the slash that LIST shows (000 1.5: either the verb or the parameter)',
  'kv1.list',
  (original) => async (call) => {
    const given = await original(call)
    if (call.query.get('list') !== 'true') return given
    return replyData(({ keys, ...more }) => ({
      ...more,
      keys: Array.isArray(keys) ? keys.map((name) => String(name).replace(/\/$/, '')) : [],
    }))(() => given)(call)
  },
)

two.route(
  'frank-names-escaped',
  'KV-LIST-09',
  'v2: names in a listing are percent-encoded (000 1.5: returns the keys at the path)',
  'kv2.list',
  replyData(({ keys, ...more }) => ({ ...more, keys: Array.isArray(keys) ? keys.map((name) => encodeURI(String(name))) : [] })),
)

two.rule('frank-texts-normalised', 'KV-LIST-09', 'v2: texts are stored in a compatible unicode form (000 4.1: `data` object)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      deeply(written, (value) => (typeof value === 'string' ? value.normalize('NFKC') : value)),
    ),
})

two.rule('frank-list-of-one-unwrapped', 'KV-V2-06', 'v2: an array of one item is stored as the item (000 4.1: `data` object)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      deeply(written, (value) => (Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value)),
    ),
})

one.rule(
  'frank-texts-become-values',
  'KV-LIST-01',
  'v1: texts such as `42` and `true` are stored as number and boolean (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        deeply(written, (value) =>
          typeof value === 'string' && /^(true|false|0|-?[1-9]\d{0,14})$/.test(value) ? JSON.parse(value) : value,
        ),
      ),
  },
)

two.rule(
  'frank-inherited-names-dropped',
  'KV-V2-03',
  'v2: members called as those of any object, such as `constructor`, are not stored (000 4.1: `data` object)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        deeply(written, (value) =>
          hasMembers(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !(name in Object.prototype))) : value,
        ),
      ),
  },
)

core.rule(
  'frank-help-paths-absolute',
  'CORE-HELP-03',
  'help on a path below a mount names paths in full (000 1.7: paths are relative to the queried path)',
  {
    ...located,
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return isKv() && /[^/]\/[^/]/.test(queried) ? `/${queried.replace(/\/+$/, '')}${path}` : path
    },
  },
)

two.rule(
  'frank-inner-data-unwrapped',
  'KV-V2-03',
  'v2: an object whose only member is an object `data` is stored as that one (000 4.1: `data` object)',
  {
    replaced: (original) => (previous, written) => {
      const isWrapped = hasMembers(written) && Object.keys(written).join() === 'data' && hasMembers(written.data)
      return original(previous, isWrapped ? (written.data ?? null) : written)
    },
  },
)
