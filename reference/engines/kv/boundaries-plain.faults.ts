/** Faults of extremes: empty, one, many, last, long, deep, large. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { type Json, mapNumbers, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isObject, mapped, withTexts } from './plain-help.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

v1.rule(
  'plain-list-first-twenty',
  'KV-LIST-01',
  'v1: a listing ends after the first twenty names (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 20),
  },
)

v2.route(
  'plain-thirty-mebibytes',
  'CORE-LIMIT-01',
  'v2: a write of more than 30 MiB is refused (000 8: maximum request size 32 MB)',
  'kv2.write',
  (original) => (call) => {
    if (Buffer.byteLength(call.text) > 30 * 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(call)
  },
)

const LARGEST = 2n ** 63n - 1n

v2.rule(
  'plain-numbers-of-64-bits',
  'KV-V2-29',
  'v2: whole numbers that do not fit into 64 bits lose digits (000 4.1: body has a `data` object, stored; readings, Key-value)',
  {
    replaced: (original) => (previous, written) =>
      mapNumbers(original(previous, written), (text) => {
        if (!/^-?\d+$/.test(text)) return text
        const number = BigInt(text)
        return number > LARGEST || number < -LARGEST - 1n ? String(Number(text)) : text
      }),
  },
)

const cut = (value: Json, depth: number): Json => {
  if (Array.isArray(value)) return depth === 0 ? null : value.map((item) => cut(item, depth - 1))
  if (!isObject(value)) return value
  return depth === 0 ? null : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, depth - 1)]))
}

v1.rule(
  'plain-depth-sixteen',
  'KV-V1-06',
  'v1: what is nested deeper than sixteen levels is stored as null (000 4.1: JSON object body, stored)',
  {
    replaced: (original) => (previous, written) => cut(original(previous, written), 16),
  },
)

v2.rule('plain-empty-arrays-null', 'KV-V2-06', 'v2: an empty array comes back as null (000 4.1: body has a `data` object)', {
  shown: (original) => (data, metadata) =>
    original(
      mapped(data, (part) => (Array.isArray(part) && part.length === 0 ? null : part)),
      metadata,
    ),
})

v1.rule(
  'plain-empty-values-lost',
  'KV-V1-06',
  'v1: members that are 0, false or an empty text are not shown (000 4.1: JSON object body, stored)',
  {
    shown: (original) => (stored, defaultTtl) =>
      original(
        isObject(stored)
          ? Object.fromEntries(Object.entries(stored).filter(([, member]) => !['0', 'false', '""'].includes(stringify(member))))
          : stored,
        defaultTtl,
      ),
  },
)

v2.route(
  'plain-empty-mount-lists-nothing',
  'KV-LIST-05',
  'v2: the listing of a mount that holds no object answers 200 without names (000 1.5, 7: an empty listing returns 404)',
  'kv2.list',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    (call) => (call.params.directory ?? '') === '',
  ),
)

v2.rule(
  'plain-tenth-write-not-newest',
  'KV-V2-06',
  'v2: the newest version is the last by text, so that after the tenth write the ninth is read (000 4.1: body has a `data` object, stored)',
  {
    latest: (original) => (record, now) => {
      const last = [...record.versions.keys()].map(String).sort().at(-1)
      return last === undefined ? original(record, now) : Number(last)
    },
  },
)

v1.rule(
  'plain-four-segments',
  'KV-V1-09',
  'v1: keys that differ only from their fifth segment on are one (000 1.4: read on `/v1/secret/<key>` and written on the same path)',
  {
    keyOf: (original) => (path) => original(path.split('/', 4).join('/')),
  },
)

v2.rule('plain-long-texts-cut', 'KV-V2-03', 'v2: a text of 64 KiB or more is cut after 65535 bytes (000 4.1: body has a `data` object)', {
  replaced: (original) => (previous, written) =>
    withTexts(original(previous, written), (text) =>
      Buffer.byteLength(text) > 65_535 ? Buffer.from(text).subarray(0, 65_535).toString() : text,
    ),
})

v2.route(
  'plain-delete-beyond-last',
  'KV-V2-14',
  'v2: marking a version deleted that does not exist yet marks the newest (000 1.8: delete marks versions deleted, those named)',
  'kv2.deleteVersions',
  (original) => (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        chosen: (named, present) => {
          const newest = Math.max(...present)
          return call.rules.chosen(
            named.map((number) => Math.min(number, newest)),
            present,
          )
        },
      },
    }),
)

v1.rule(
  'plain-empty-member-names',
  'KV-V1-06',
  'v1: a member whose name is empty is lost, at any depth (000 4.1: JSON object body, stored)',
  {
    replaced: (original) => (previous, written) =>
      mapped(original(previous, written), (part) =>
        isObject(part) ? Object.fromEntries(Object.entries(part).filter(([name]) => name !== '')) : part,
      ),
  },
)
