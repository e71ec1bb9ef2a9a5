/** Faults at boundaries: empty, one, many, first, last, long, deep, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { type Json, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { decidedPerCall, deciding, deepTexts, deepWithout, here, type Kv2Call, noticing } from './north-help.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

kv2.rule(
  'north-empty-texts-left-out',
  'KV-V2-03',
  'members whose text is empty are not stored (000 4.1: POST data/<key>, body has data object)',
  {
    replaced: (original) => (previous, written) => deepWithout(original(previous, written), (member) => member === ''),
  },
)

kv1.rule(
  'north-keys-cut-at-128',
  'KV-V1-09',
  'of a key only the first 128 characters count, so that longer ones with the same beginning are one (000 1.4: /v1/secret/<key>)',
  {
    keyOf: (original) => (path) => original(path.slice(0, 128)),
  },
)

const fitsInt64 = (text: string): boolean => BigInt(text) === BigInt.asIntN(64, BigInt(text))
kv2.rule(
  'north-rounded-beyond-64-bits',
  'KV-V2-29',
  'whole numbers that do not fit into 64 bits are rounded (000 4.1: POST data/<key>, body has data object; readings: whole numbers of any length)',
  {
    replaced: (original) => (previous, written) =>
      mapNumbers(original(previous, written), (text) => (/^-?\d+$/.test(text) && !fitsInt64(text) ? String(Number(text)) : text)),
  },
)

const depthOf = (value: Json): number =>
  value === null || typeof value !== 'object'
    ? 0
    : 1 + Object.values(value).reduce<number>((most, member) => Math.max(most, depthOf(member)), 0)
kv1.rule(
  'north-sixteen-levels-at-most',
  'KV-V1-06',
  'an object nested deeper than 16 levels is refused (000 4.1: POST /v1/secret/<key>, JSON object body, stored)',
  {
    checkObject: (original) => (object) => {
      original(object)
      if (depthOf(object) > 16) throw invalid('the object is nested too deeply')
    },
  },
)

core.rule('north-half-of-the-size', 'CORE-LIMIT-01', 'requests of more than 16 MB are refused (000 8: maximum request size 32 MB)', {
  ...noticing,
  parseBody: (original) => (bytes, request) => {
    if (here() && bytes.length > 16 * 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

kv2.route(
  'north-one-key-is-no-array',
  'CORE-LIST-03',
  'a listing of one key gives its name as text (000 4.1: returns data.keys, array of strings)',
  'kv2.list',
  replyData<Kv2Call>((data) => {
    const { keys } = data
    const [only] = Array.isArray(keys) ? keys : []
    return Array.isArray(keys) && keys.length === 1 && only !== undefined ? { ...data, keys: only } : data
  }),
)

kv1.route(
  'north-first-twenty-listed',
  'KV-LIST-01',
  'a listing ends after twenty names (000 1.5: returns the keys at the path)',
  'kv1.list',
  (original) => (call) =>
    original(deciding(call, { namesIn: (keys, directory) => call.rules.namesIn(keys, directory).sort().slice(0, 20) })),
)

kv2.route(
  'north-first-of-several-undeleted',
  'KV-V2-09',
  'of several versions only the one named first is undeleted (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  decidedPerCall(({ rules }) => ({ chosen: (named, present) => rules.chosen(named.slice(0, 1), present) })),
)

kv2.route(
  'north-oldest-of-several-stays',
  'KV-V2-10',
  'the oldest of several versions is not destroyed (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  decidedPerCall(({ rules }) => ({
    chosen: (named, present) => {
      const chosen = rules.chosen(named, present)
      return present.length > 1 ? chosen.filter((number) => number !== Math.min(...present)) : chosen
    },
  })),
)

const cut = (text: string): string => (Buffer.byteLength(text) > 65_535 ? Buffer.from(text).subarray(0, 65_535).toString() : text)
kv1.rule(
  'north-long-texts-cut',
  'KV-V1-06',
  'texts in an object are cut after 65,535 bytes (000 4.1: POST /v1/secret/<key>, JSON object body, stored; 8: 32 MB)',
  {
    replaced: (original) => (previous, written) => deepTexts(original(previous, written), cut),
  },
)

kv1.rule(
  'north-names-of-two-characters-at-least',
  'CORE-CAP-06',
  'a key whose name, behind the last slash, is a single character is refused (000 1.4: written with POST on /v1/secret/<key>)',
  {
    checkKey: (original) => (path) => {
      original(path)
      if (!/^[^/].*[^/]$/s.test(path.slice(path.lastIndexOf('/') + 1))) throw invalid('the name of the object is not valid')
    },
  },
)

kv2.rule(
  'north-no-keys-beside-directories-of-root',
  'KV-LIST-09',
  'at the root of a mount keys are not listed beside directories (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      const directories = names.filter((name) => name.endsWith('/'))
      return directory === '' && directories.length > 0 ? directories : names
    },
  },
)
