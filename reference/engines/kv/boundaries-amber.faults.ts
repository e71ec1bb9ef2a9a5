/** Faults at limits: none, one, many, first, last, long, deep, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isKv, isObject, mapArrays, mapTexts, namedIn, recordAt, watching } from './amber-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

two.rule(
  'amber-first-version-only',
  'KV-V2-08',
  'of several versions in one request only the first is taken (000 1.8: delete marks versions deleted)',
  {
    chosen: (original) => (named, present) => original(named.slice(0, 1), present),
  },
)

one.rule('amber-key-cut-at-128', 'KV-V1-09', 'keys are told apart by their first 128 characters (000 4.1: /v1/secret/<key> stored)', {
  keyOf: (original) => (path) => original(path.slice(0, 128)),
})

two.rule(
  'amber-text-cut-at-64k',
  'KV-V2-03',
  'texts longer than 65535 characters lose their end (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.slice(0, 65_535)),
      ),
  },
)

const sized = watching()
core.rule('amber-half-the-request-size', 'CORE-LIMIT-01', 'bodies beyond 16 MB are refused (000 8: maximum request size 32 MB)', {
  ...sized.watch,
  parseBody: (original) => (bytes, request) => {
    if (isKv(sized.typeOf(request)) && bytes.length > 16 * 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

const MOST = 2n ** 63n - 1n
const LEAST = -(2n ** 63n)
one.rule(
  'amber-int64',
  'KV-V1-15',
  'whole numbers that do not fit 64 bits become the largest that does (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      const clipped = mapNumbers(written, (text) => {
        if (!/^-?\d+$/.test(text)) return text
        const number = BigInt(text)
        return number > MOST ? String(MOST) : number < LEAST ? String(LEAST) : text
      })
      return original(previous, clipped)
    },
  },
)

two.rule(
  'amber-array-numbers-rounded',
  'KV-V2-29',
  'large whole numbers in arrays are rounded to doubles (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapArrays(written, (items) =>
          mapNumbers(items, (text) => (/^-?\d+$/.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : text)),
        ),
      ),
  },
)

two.rule('amber-hundred-members', 'KV-V2-03', 'an object keeps its first hundred members (000 4.1: body has `data` object, stored)', {
  replaced: (original) => (previous, written) =>
    original(previous, isObject(written) ? Object.fromEntries(Object.entries(written).slice(0, 100)) : written),
})

one.rule('amber-list-twenty', 'KV-LIST-01', 'a listing ends after twenty names (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 20),
})

two.rule(
  'amber-list-root-leaves',
  'KV-LIST-09',
  'at the root of the mount keys are left out beside directories (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      const directories = names.filter((name) => name.endsWith('/'))
      return directory === '' && directories.length > 0 ? directories : names
    },
  },
)

one.rule('amber-empty-array-null', 'KV-V1-04', 'an empty array comes back as null (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapArrays(written, (items) => (items.length === 0 ? null : items)),
    ),
})

two.rule('amber-array-of-one', 'KV-V2-06', 'an array with one item comes back as the item (000 4.1: body has `data` object, stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapArrays(written, (items) => (items.length === 1 ? (items[0] ?? null) : items)),
    ),
})

two.route(
  'amber-last-version-not-destroyed',
  'KV-V2-11',
  'the last version that a key has left is marked deleted where it should be destroyed (000 1.8: destroy removes permanently)',
  'kv2.destroyVersions',
  (original) => (call) => {
    const named = namedIn(call.body)
    const record = recordAt(call)
    const left = [...(record?.versions ?? [])].filter(([, version]) => !version.destroyed)
    const last = left.at(-1)
    if (!record || !last || !left.every(([number]) => named.includes(number))) return original(call)
    const [number, version] = last
    record.versions.set(number, call.rules.deleted(version, call.now()))
    const others = named.filter((candidate) => candidate !== number)
    return others.length > 0 ? original({ ...call, body: { ...call.body, versions: others } }) : call.rules.done()
  },
)
