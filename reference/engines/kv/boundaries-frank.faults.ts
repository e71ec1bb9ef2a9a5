/** Faults at the edges: empty, one, many, first, last, long, deep, large. */

import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { type Json, mapNumbers, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal } from '../../mutations/wrappers.ts'
import { deeply, hasMembers, isKv, located } from './frank-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const COLUMN = 128

two.rule('frank-long-keys-cut', 'KV-V2-02', 'v2: keys count up to their 128th character only (000 4.1: `/v1/secret/data/<key>`)', {
  keyOf: (original) => (path) => original(path.slice(0, COLUMN)),
})

one.rule('frank-first-ten-names', 'KV-LIST-01', 'v1: a listing ends after the first ten names (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 10),
})

const LARGEST = 16 * 1024 * 1024

core.rule('frank-half-the-size', 'CORE-LIMIT-01', 'bodies for key-value paths may have 16 MB (000 8: maximum request size 32 MB)', {
  ...located,
  parseBody: (original) => (bytes, request) => {
    if (isKv(request) && bytes.length > LARGEST) throw invalid('the object is too large')
    return original(bytes, request)
  },
})

two.rule('frank-wide-integers-rounded', 'KV-V2-29', 'v2: whole numbers beyond 64 bits are rounded (000 4.1: `data` object)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapNumbers(written, (text) => (/^-?\d{20,}$/.test(text) ? String(Number(text)) : text)),
    ),
})

const isZero = (value: Json): boolean => value === '' || value === false || stringify(value) === '0'

two.rule(
  'frank-zero-values-omitted',
  'KV-V2-03',
  'v2: members 0, false and empty text of inner objects are not stored (000 4.1: `data` object)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        deeply(written, (value, depth) =>
          depth > 0 && hasMembers(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => !isZero(member))) : value,
        ),
      ),
  },
)

const TEXT_COLUMN = 4000

one.rule('frank-long-texts-cut', 'KV-V1-06', 'v1: texts are stored up to 4000 characters (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      deeply(written, (value) => (typeof value === 'string' ? value.slice(0, TEXT_COLUMN) : value)),
    ),
})

two.rule(
  'frank-last-of-several',
  'KV-V2-08',
  'v2: the last of several named versions is passed over (000 1.8: delete, destroy, undelete of versions)',
  {
    chosen: (original) => (named, present) => original(named.length > 1 ? named.slice(0, -1) : named, present),
  },
)

two.route(
  'frank-only-version-stays',
  'KV-V2-10',
  'v2: the only version of a key is not destroyed (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  insteadOfHandling(
    (call) => call.rules.done(),
    (call) => recordOf(call)?.versions.size === 1,
  ),
)

one.route(
  'frank-empty-root-listing',
  'KV-LIST-05',
  'v1: the listing of an empty mount is an empty list (000 1.5: an empty listing returns 404)',
  'kv1.list',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    (call) => call.params.directory === '',
  ),
)

two.rule(
  'frank-latest-by-text',
  'KV-V2-06',
  'v2: the newest version is the last one in the order of texts, 9 after 10 (000 4.1: write and read at `data/<key>`)',
  {
    latest: (original) => (record, now) => {
      const last = [...record.versions.keys()].map(String).sort().at(-1)
      return last === undefined ? original(record, now) : Number(last)
    },
  },
)
