/** Values that cannot be read as a field's type are refused. */
import { type Bench, certificateRequest, check, type JsonObject } from '../../../harness/checks/index.ts'
import { caAsServed, denied, newRole, openRole, ownAuthority, ownMount, quickKey, WAYS, withoutRoot, withRoot } from '../fixtures.ts'
import { type RoleField, roleBodies, roleFields } from './role-fields.ts'

const wrong = { not: 'a value of this type' }

const [values] = roleBodies() as [JsonObject, ...JsonObject[]]
/** A change of every field: what is refused for one of them changes none. Whether the duration is taken is asked apart. */
const { not_before_duration: _, ...everyOther } = values

/** Every field of a kind: an object in its place is refused, a value of its type is not. */
const refusesObjects = async (bench: Bench, fields: RoleField[]): Promise<void> => {
  for (const field of bench.few(fields)) {
    const name = await newRole(bench, {})
    const good: JsonObject = { ...everyOther, [field.name]: values[field.name]! }
    await bench.refuses('pki.writeRole', {
      label: field.name,
      bad: { path: { name }, body: { ...good, [field.name]: wrong } },
      control: { path: { name }, body: good },
      unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    })
  }
}

const ofKind = (kind: RoleField['kind']): RoleField[] => roleFields.filter((field) => field.kind === kind && field.name !== 'key_type')

check('pki/type-role-booleans', 'PKI-BOOL-01', 'an object for a boolean of a role is refused', { needs: ownMount }, ({ bench }) =>
  refusesObjects(bench, ofKind('boolean')),
)
check('pki/type-role-lists', 'PKI-LISTS-01', 'an object for a list of a role is refused', { needs: ownMount }, ({ bench }) =>
  refusesObjects(bench, ofKind('list')),
)
check('pki/type-role-strings', 'PKI-STRINGS-01', 'an object for a string of a role is refused', { needs: ownMount }, ({ bench }) =>
  refusesObjects(bench, ofKind('string')),
)
check('pki/type-key-bits', 'PKI-KEYBITS-04', 'an object for key_bits is refused', { needs: ownMount }, ({ bench }) =>
  refusesObjects(bench, ofKind('integer')),
)

const malformedDuration = async (bench: Bench, field: string): Promise<void> => {
  for (const value of ['soon', '1 fortnight']) {
    const name = await newRole(bench, {})
    await bench.refuses('pki.writeRole', {
      bad: { path: { name }, body: { ...everyOther, [field]: value } },
      control: { path: { name }, body: everyOther },
      unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    })
  }
}

for (const [field, clause] of [
  ['ttl', 'PKI-TTL-04'],
  ['max_ttl', 'PKI-MAXTTL-04'],
  ['not_before_duration', 'PKI-NOTBEFORE-03'],
] as const) {
  check(
    `pki/type-${field.replaceAll('_', '-')}`,
    clause,
    `a ${field} that is not a duration is refused`,
    { needs: ownMount },
    ({ bench }) => malformedDuration(bench, field),
  )
}

const good = { common_name: 'www.example.com' }

check('pki/type-common-name', 'PKI-CN-04', 'an object for common_name is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  await denied(bench, await openRole(bench), { common_name: wrong }, good)
})
check('pki/type-alt-names', 'PKI-ALT-05', 'an object for alt_names is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  await denied(bench, await openRole(bench), { ...good, alt_names: wrong }, { ...good, alt_names: 'a.example.com' })
})
check(
  'pki/type-request-ttl',
  'PKI-REQTTL-03',
  'a requested ttl that is not a duration is refused',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const role = await openRole(bench)
    for (const way of WAYS) for (const ttl of ['soon', wrong]) await denied(bench, role, { ttl }, { ttl: '10m' }, way)
  },
)
check(
  'pki/type-request-strings',
  'PKI-REQTYPE-01',
  'an object for a string parameter is refused',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const role = await openRole(bench, { allowed_uri_sans: 'spiffe://a/*', allowed_other_sans: '*' })
    const values = { ip_sans: '10.1.2.3', uri_sans: 'spiffe://a/b', other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:a' }
    for (const [field, value] of Object.entries(values)) await denied(bench, role, { ...good, [field]: wrong }, { ...good, [field]: value })
  },
)
check(
  'pki/type-request-booleans',
  'PKI-REQTYPE-02',
  'an object for a boolean parameter is refused',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    await denied(bench, await openRole(bench), { ...good, exclude_cn_from_sans: wrong }, { ...good, exclude_cn_from_sans: true })
    const csr = await certificateRequest({ commonName: 'a' })
    const body = { csr, common_name: bench.fresh('below'), ttl: '24h' }
    await bench.refuses('pki.signIntermediate', {
      bad: { body: { ...body, use_csr_values: wrong } },
      control: { body: { ...body, use_csr_values: true } },
      unchanged: caAsServed(bench),
    })
  },
)
check(
  'pki/type-request-integers',
  'PKI-REQTYPE-03',
  'an object for an integer parameter is refused',
  { needs: ownAuthority },
  async ({ bench }) => {
    const body = { common_name: bench.fresh('root'), ...quickKey }
    for (const field of ['max_path_length', 'key_bits']) {
      // Each refusal starts without a root, so that a second one never stands in the way of what is judged.
      await withoutRoot(bench)
      await bench.refuses('pki.generateRoot', {
        bad: { path: { type: 'internal' }, body: { ...body, [field]: wrong } },
        control: { path: { type: 'internal' }, body: { ...body, [field]: field === 'key_bits' ? 384 : 2 } },
        unchanged: caAsServed(bench),
      })
    }
  },
)
