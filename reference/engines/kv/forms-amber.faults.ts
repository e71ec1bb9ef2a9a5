/** Faults of forms: the same thing by another route, escaping, types, null and absent, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { isKv, isObject, mapTexts, watching } from './amber-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const decodedAgain = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
one.rule('amber-key-decoded-twice', 'KV-LIST-01', 'keys are percent-decoded twice: a%2562 is the key ab (000 4.1: /v1/secret/<key>)', {
  keyOf: (original) => (path) => original(decodedAgain(path)),
})

two.rule(
  'amber-plus-is-blank',
  'KV-LIST-09',
  'a plus sign in a key is taken as a blank, so that two keys are one (000 4.1: /v1/secret/data/<key>)',
  {
    keyOf: (original) => (path) => original(path.replaceAll('+', ' ')),
  },
)

one.rule('amber-values-trimmed', 'KV-V1-06', 'texts lose blanks and line ends around them (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapTexts(written, (text) => text.trim()),
    ),
})

core.rule(
  'amber-get-list-encoded',
  'KV-LIST-09',
  'GET with list=true shows names percent-encoded, LIST does not (000 1.5: either verb; data.keys)',
  {
    finish: (original) => (call, route, given) => {
      const finished = original(call, route, given)
      if (!/^kv[12]\.list$/.test(route.id) || call.query.get('list') !== 'true') return finished
      return withBody(finished, (body) => {
        const data = body.data as JsonObject
        const keys = (data.keys as string[]).map((name) => encodeURIComponent(name).replaceAll('%2F', '/'))
        return { ...body, data: { ...data, keys } }
      })
    },
  },
)

two.rule(
  'amber-html-escaped',
  'KV-V2-03',
  'angle brackets and ampersands in texts come back as entities (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
      ),
  },
)

two.rule('amber-digits-become-number', 'KV-LIST-09', 'a text of digits comes back as a number (000 4.1: body has `data` object, stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapTexts(written, (text) => (/^\d+$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text)),
    ),
})

two.rule('amber-null-members-dropped', 'CORE-CAP-07', 'members that are null are not stored (000 4.1: body has `data` object, stored)', {
  replaced: (original) => (previous, written) =>
    original(previous, isObject(written) ? Object.fromEntries(Object.entries(written).filter(([, member]) => member !== null)) : written),
})

const put = watching()
core.rule('amber-undelete-by-post-only', 'CORE-WRITE-01', 'undelete answers 405 to a PUT (000 1.6: PUT and POST are synonyms)', {
  ...put.watch,
  check: (original) => (call, route) => {
    original(call, route)
    if (route.id === 'kv2.undeleteVersions' && put.requestOf(call)?.method === 'PUT') throw new ApiError(405, 'unsupported operation')
  },
})

const failed = watching()
core.rule(
  'amber-no-errors-without-words',
  'CORE-ERROR-01',
  'a refusal without words has an empty object as its body (000 2.4: object with `errors`)',
  {
    ...failed.watch,
    failure: (original) => (status, body, request) => {
      const errors = isObject(body) ? body.errors : undefined
      const isSilent = isKv(failed.typeOf(request)) && Array.isArray(errors) && errors.length === 0
      return original(status, isSilent ? {} : body, request)
    },
  },
)

two.route(
  'amber-list-lease-null',
  'CORE-ENV-10',
  'listings have null where the empty text of no lease belongs (000 2.3: lease_id, empty string when no lease)',
  'kv2.list',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

const helping = watching()
core.rule(
  'amber-help-paths-from-root',
  'CORE-HELP-03',
  'below the mount the paths of help begin at the root (000 1.7: relative to the queried path)',
  {
    ...helping.watch,
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      const isBelowMount = isKv(helping.typeHere()) && /[^/]\/[^/]/.test(queried)
      return isBelowMount ? `/${queried.replace(/\/$/, '')}${path === '/' ? '' : path}` : path
    },
  },
)

const nested = (segments: string[], value: Json): Json => {
  const [first, ...rest] = segments
  return first === undefined ? value : { [first]: nested(rest, value) }
}
one.rule('amber-dots-nest', 'KV-V1-06', 'a member name with a dot comes back as nested objects (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) => {
    if (!isObject(written)) return original(previous, written)
    const members = Object.entries(written).map(([name, value]): [string, Json] => {
      const [first = '', ...rest] = name.split('.')
      return [first, nested(rest, value)]
    })
    return original(previous, Object.fromEntries(members))
  },
})
