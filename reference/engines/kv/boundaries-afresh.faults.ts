/** Blind faults of both key-value versions at boundaries: empty, one, many, first, last, zero, long, and stated limits. */
import { secret } from '../../core/envelope.ts'
import { mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { choosing, shallowBelow, storing } from './afresh-help.ts'
import { deep, type Kv1Call, withMembers } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const first = faultsOf(kv1Engine, 'kv')
const second = faultsOf(kv2Engine, 'kv')

first.rule(
  'afresh-listing-ends-at-hundred',
  ['KV-LIST-01'],
  'a listing ends after a hundred names (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, 100),
  },
)

first.route(
  'afresh-deep-empty-listing',
  ['KV-LIST-05'],
  'an empty directory below another lists as [] with 200, one at the top as 404 (000 1.5: an empty listing returns 404)',
  'kv1.list',
  insteadOfRefusal<Kv1Call>(
    () => secret({ keys: [] }),
    ({ params }) => (params.directory ?? '').includes('/'),
  ),
)

first.rule(
  'afresh-name-cut-at-255',
  ['KV-V1-09'],
  'paths are kept by their first 255 characters, so longer ones meet (000 4.1: stored at its path)',
  {
    keyOf: (original) => (path) => original(path).slice(0, 255),
  },
)

first.rule(
  'afresh-nesting-flattened',
  ['KV-V1-06'],
  'objects and lists from the sixth level on come back as their JSON text (000 4.1: JSON object body; stored)',
  storing((written) => shallowBelow(written, 5)),
)

first.rule(
  'afresh-wide-integers-as-doubles',
  ['KV-V1-15'],
  'integers of twenty digits and more come back as doubles, those of 64 bits do not (readings: whole numbers of any length)',
  storing((written) => mapNumbers(written, (text) => (/^-?\d{20,300}$/.test(text) ? String(Number(text)) : text))),
)

second.rule(
  'afresh-negative-integers-rounded',
  ['KV-V2-29'],
  'negative integers below -2^53 come back rounded, positive ones exact (readings: numbers verbatim)',
  storing((written) => mapNumbers(written, (text) => (/^-\d{16,300}$/.test(text) ? String(BigInt(Number(text))) : text))),
)

first.rule(
  'afresh-falsy-members-dropped',
  ['KV-V1-06'],
  'members that are false or an empty text are not stored (000 4.1: JSON object body; stored)',
  storing((written) => withMembers(written, (entries) => entries.filter(([, member]) => Boolean(member) || member === null))),
)

second.rule(
  'afresh-empty-list-as-null',
  ['KV-V2-06'],
  'an empty list comes back as null (000 4.1: body has data object; readings: round trip required)',
  storing((written) => deep(written, (part) => (Array.isArray(part) && part.length === 0 ? null : part))),
)

second.route(
  'afresh-delete-skips-last-of-several',
  ['KV-V2-08'],
  'of several versions named the last one is not deleted (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  (original) => (call) =>
    original(choosing(call, (named, present) => call.rules.chosen(named.length > 1 ? named.slice(0, -1) : named, present))),
)
