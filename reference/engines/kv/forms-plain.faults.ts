/** Faults of forms: one thing shown by several routes, absent against null, types, escapes, blanks, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isObject, locating, locatingKv, mapped, notedOf, noting, withTexts } from './plain-help.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

core.rule(
  'plain-get-lists-whole-tree',
  'KV-LIST-09',
  'GET with `list=true` names everything below a directory, LIST only what is in it (000 1.5: either verb, returns the keys at the path)',
  noting({
    check: (original) => (call, route) => {
      original(call, route)
      if (!/^kv[12]\.list$/.test(route.id) || notedOf(call)?.method !== 'GET') return
      const namesIn = (keys: string[], directory: string): string[] => {
        const prefix = directory === '' ? '' : `${directory}/`
        return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      }
      call.rules = { ...call.rules, namesIn }
    },
  }),
)

v1.rule(
  'plain-plus-is-blank',
  'KV-LIST-01',
  'v1: a plus sign in a key is taken for a blank (000 1.4: `/v1/secret/<key>`; 1.5: returns the keys)',
  {
    keyOf: (original) => (path) => original(path.replaceAll('+', ' ')),
  },
)

v2.rule(
  'plain-texts-normalised',
  'KV-LIST-09',
  'v2: texts come back in composed unicode form (000 4.1: body has a `data` object, stored)',
  {
    replaced: (original) => (previous, written) => withTexts(original(previous, written), (text) => text.normalize('NFC')),
  },
)

v1.rule('plain-texts-trimmed', 'KV-V1-06', 'v1: blanks and line ends around a text are cut off (000 4.1: JSON object body, stored)', {
  replaced: (original) => (previous, written) => {
    const next = original(previous, written)
    if (!isObject(next)) return next
    return Object.fromEntries(Object.entries(next).map(([name, member]) => [name, typeof member === 'string' ? member.trim() : member]))
  },
})

v2.rule(
  'plain-null-members-lost',
  'KV-V2-09',
  'v2: a member that is null is absent from reads (000 4.1: body has a `data` object, stored)',
  {
    shown: (original) => (data, metadata) =>
      original(
        mapped(data, (part) => (isObject(part) ? Object.fromEntries(Object.entries(part).filter(([, member]) => member !== null)) : part)),
        metadata,
      ),
  },
)

v1.rule(
  'plain-member-ttl-is-lease',
  'CORE-ENV-11',
  'v1: an object with a member `ttl` is shown with that lease duration (000 2.3: lease_duration is 0 when no lease)',
  {
    shown: (original) => (stored, defaultTtl) => {
      const ttl = isObject(stored) && stored.ttl !== undefined ? Number.parseInt(stringify(stored.ttl).replaceAll('"', ''), 10) : 0
      return ttl > 0 && isObject(stored) ? secret(stored, { id: '', ttl, renewable: false }) : original(stored, defaultTtl)
    },
  },
)

v1.rule(
  'plain-truth-texts-become-flags',
  'KV-V1-06',
  'v1: the texts `true` and `false` come back as booleans (000 4.1: JSON object body, stored)',
  {
    shown: (original) => (stored, defaultTtl) =>
      original(
        withTexts(stored, (text) => (/^(true|false)$/.test(text) ? text === 'true' : text)),
        defaultTtl,
      ),
  },
)

v1.rule(
  'plain-lone-data-unwrapped',
  'KV-V1-06',
  'v1: of an object whose only member is the object `data` only the inner one is stored (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      const next = original(previous, written)
      return isObject(next) && Object.keys(next).length === 1 && isObject(next.data) ? next.data : next
    },
  },
)

core.rule(
  'plain-help-paths-from-root',
  'CORE-HELP-03',
  'help on a path below the mount names paths from the root of the service (000 1.7: its paths are relative to the queried path)',
  noting({
    helpPath: (original) => (relative, queried) => {
      const asked = queried.replace(/\/$/, '')
      return locatingKv() && asked.includes('/') ? `/${asked}${original(relative, queried)}` : original(relative, queried)
    },
  }),
)

core.rule(
  'plain-put-wants-content-type',
  'CORE-MEDIA-02',
  'PUT without `Content-Type` is refused, POST without it is not (000 2.1: clients need not send it; 1.6: synonyms)',
  noting({
    check: (original) => (call, route) => {
      const isPut = /^kv[12]\.write$/.test(route.id) && notedOf(call)?.method === 'PUT'
      if (isPut && call.headers['content-type'] === undefined) throw new ApiError(415, 'content type is missing')
      original(call, route)
    },
  }),
)

v2.rule(
  'plain-names-escaped',
  'KV-LIST-09',
  'v2: listings show names as they are written in a URL (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).map((name) => name.split('/').map(encodeURIComponent).join('/')),
  },
)

core.rule(
  'plain-namespace-split-over-header-and-path',
  'CORE-NS-02',
  'a namespace given partly in the header and partly in the path is not found (000 2.2: `<ns1>/` with `<ns2>/secret/foo` is equivalent)',
  noting({
    mountsSeen: (original) => (all, namespace) => {
      const header = (locating()?.namespaceHeader ?? '').split('/').filter((segment) => segment !== '')
      const isSplit = header.length > 0 && `${header.join('/')}/` !== namespace
      return original(all, namespace).filter(({ engine }) => !isSplit || !/^kv/.test(engine.type))
    },
  }),
)
