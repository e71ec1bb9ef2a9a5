import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { defaults, TEXT_LISTS } from './role.ts'
import { coercing } from './wrappers.ts'

const { route } = faultsOf(pkiEngine)

const kindOf =
  (kind: (value: unknown) => boolean) =>
  (field: string): boolean =>
    kind(Object.entries(defaults()).find(([name]) => name === field)?.[1])

const TEXTS = new Set([...TEXT_LISTS, 'serial_number'])

const big = (body: JsonObject): boolean => String(body.alt_names ?? '').length > 500_000

route(
  'type-booleans',
  'PKI-BOOL-01',
  'an object is a true boolean of a role',
  'pki.writeRole',
  coercing(
    kindOf((value) => typeof value === 'boolean'),
    true,
  ),
)
route(
  'type-lists',
  'PKI-LISTS-01',
  'an object is an empty list of a role',
  'pki.writeRole',
  coercing((field) => !TEXTS.has(field) && kindOf(Array.isArray)(field), []),
)
route(
  'type-strings',
  'PKI-STRINGS-01',
  'an object is an empty string of a role',
  'pki.writeRole',
  coercing((field) => TEXTS.has(field), ''),
)
route(
  'type-key-bits',
  'PKI-KEYBITS-04',
  'an object for key_bits is ignored',
  'pki.writeRole',
  coercing((field) => field === 'key_bits', 384),
)
route(
  'type-common-name',
  'PKI-CN-04',
  'an object for common_name is written out',
  'pki.issue',
  coercing((field) => field === 'common_name', 'object.example.com'),
)
route(
  'type-alt-names',
  'PKI-ALT-05',
  'an object for alt_names is ignored',
  'pki.issue',
  coercing((field) => field === 'alt_names', ''),
)
route(
  'type-strings-of-requests',
  'PKI-REQTYPE-01',
  'objects for names of a request are ignored',
  'pki.issue',
  coercing((field) => ['ip_sans', 'uri_sans', 'other_sans'].includes(field), ''),
)
route(
  'type-booleans-of-requests',
  'PKI-REQTYPE-02',
  'an object for exclude_cn_from_sans is ignored',
  'pki.issue',
  coercing((field) => field === 'exclude_cn_from_sans', false),
)
route(
  'type-integers-of-requests',
  'PKI-REQTYPE-03',
  'an object for max_path_length is ignored',
  'pki.generateRoot',
  coercing((field) => field === 'max_path_length', -1),
)
route('many-names-fail', 'PKI-ALT-04', 'a megabyte of names is an internal error', 'pki.issue', (original) => (call) => {
  if (big(call.body)) throw new ApiError(500, 'internal error')
  return original(call)
})
