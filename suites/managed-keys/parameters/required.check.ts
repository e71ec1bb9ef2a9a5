/** What each kind cannot do without. */
import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { accepts, goodBody, type Kind, placesOf, refusesBody, removeLater, writeOf } from '../fixtures.ts'

const without = (body: JsonObject, ...fields: string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)))

const REQUIRED: [Kind, string, string][] = [
  ['pkcs11', 'library', 'MANAGED-KEYS-PKCS-01'],
  ['pkcs11', 'mechanism', 'MANAGED-KEYS-PKCS-02'],
  ['pkcs11', 'pin', 'MANAGED-KEYS-PKCS-03'],
  ['cloudakms', 'key_type', 'MANAGED-KEYS-AKMS-01'],
  ['cloudakms', 'kms_key', 'MANAGED-KEYS-AKMS-02'],
  ['cloudbkeyvault', 'tenant_id', 'MANAGED-KEYS-BVAULT-01'],
  ['cloudbkeyvault', 'vault_name', 'MANAGED-KEYS-BVAULT-02'],
  ['cloudbkeyvault', 'key_name', 'MANAGED-KEYS-BVAULT-03'],
  ['cloudbkeyvault', 'key_type', 'MANAGED-KEYS-BVAULT-04'],
  ['cloudckms', 'crypto_key', 'MANAGED-KEYS-CKMS-01'],
  ['cloudckms', 'key_ring', 'MANAGED-KEYS-CKMS-02'],
  ['cloudckms', 'algorithm', 'MANAGED-KEYS-CKMS-03'],
]

for (const [kind, field, clause] of REQUIRED)
  check(`managed-keys/${kind}-needs-${field.replaceAll('_', '-')}`, clause, `a key of kind ${kind} needs ${field}`, async ({ bench }) => {
    const good = goodBody(bench, kind)
    // Whether an update may leave it out is open.
    for (const where of placesOf(bench))
      await refusesBody(bench, kind, without(good, field), good, `${field} left out`, { update: false, where })
  })

const oneOf = async ({ bench, expect }: CheckContext, fields: Record<string, string>): Promise<void> => {
  const rest = without(goodBody(bench, 'pkcs11'), ...Object.keys(fields))
  for (const [field, value] of Object.entries(fields))
    await accepts({ bench, expect }, 'pkcs11', { ...rest, [field]: value }, `${field} alone`)
  for (const [field, value] of Object.entries(fields))
    await refusesBody(bench, 'pkcs11', rest, { ...rest, [field]: value }, `neither, against ${field} alone`, { update: false })
}

check('managed-keys/pkcs11-label-or-id', 'MANAGED-KEYS-PKCS-04', 'a key has a label or an id', (context) =>
  oneOf(context, { key_label: 'label', key_id: '01' }),
)

check('managed-keys/pkcs11-slot-or-token', 'MANAGED-KEYS-PKCS-05', 'a key has a slot or a token', (context) =>
  oneOf(context, { slot: '0', token_label: 'token' }),
)

/** What is required where a key may be generated, or for its type: what is left out, in a body to which it belongs. */
const CONDITIONAL: [string, Kind, string, string, JsonObject][] = [
  ['curve', 'pkcs11', 'MANAGED-KEYS-PKCS-21', 'P256', { allow_generate_key: 'true', mechanism: '0x1041' }],
  ['curve', 'pkcs11', 'MANAGED-KEYS-PKCS-21', 'P256', { allow_generate_key: 'true', mechanism: '0x00001041' }],
  ['curve', 'pkcs11', 'MANAGED-KEYS-PKCS-21', 'P384', { allow_generate_key: 'true', mechanism: '0x1041', slot: '3', token_label: '' }],
  // The fields of other mechanisms do not replace it.
  ['curve', 'pkcs11', 'MANAGED-KEYS-PKCS-21', 'P256', { allow_generate_key: 'true', mechanism: '0x1041', key_bits: 2048 }],
  ['key_bits', 'pkcs11', 'MANAGED-KEYS-PKCS-22', '2048', { allow_generate_key: 'true', mechanism: '0x1', curve: 'P256' }],
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '2048', { key_type: 'RSA', curve: 'P256' }],
  ['curve', 'cloudakms', 'MANAGED-KEYS-AKMS-04', 'P256', { key_type: 'ECDSA', allow_generate_key: 'true', key_bits: '2048' }],
  ...['0x1', '0x9', '0xd', '0xD', '0x00000001'].map((mechanism): [string, Kind, string, string, JsonObject] => [
    'key_bits',
    'pkcs11',
    'MANAGED-KEYS-PKCS-22',
    '2048',
    { allow_generate_key: 'true', mechanism },
  ]),
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '2048', { key_type: 'RSA' }],
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '4096', { key_type: 'Rsa', allow_generate_key: 'false' }],
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '2048', { key_type: 'rsa', allow_generate_key: 'true' }],
  ['curve', 'cloudakms', 'MANAGED-KEYS-AKMS-04', 'P256', { key_type: 'ECDSA', allow_generate_key: 'true' }],
  ['curve', 'cloudakms', 'MANAGED-KEYS-AKMS-04', 'P521', { key_type: 'ecdsa', allow_generate_key: 'true' }],
  ['key_bits', 'cloudbkeyvault', 'MANAGED-KEYS-BVAULT-05', '2048', { allow_generate_key: 'true' }],
  // No size at all: whether it counts as one that was not given or as one outside the stated, it is none that a key could have.
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '2048', { key_bits: '0' }],
  ['key_bits', 'cloudakms', 'MANAGED-KEYS-AKMS-03', '2048', { key_bits: '0', allow_generate_key: 'true' }],
  ['key_bits', 'cloudbkeyvault', 'MANAGED-KEYS-BVAULT-05', '2048', { key_bits: '0', allow_generate_key: 'true' }],
]

/** Names of a curve: which of them a module takes is not shown. */
const CURVES = ['P256', 'P384', 'P-256', 'secp256r1', 'prime256v1']

/** A curve that the target takes for a key of kind pkcs11 with these parameters. */
const curveTaken = async (bench: Bench, body: JsonObject): Promise<string> => {
  for (const curve of CURVES) {
    const name = bench.fresh('key')
    removeLater(bench, 'pkcs11', name)
    if ((await bench.call(writeOf('pkcs11'), { path: { name }, body: { ...body, curve } })).ok) return curve
  }
  return bench.blocked('none of these curves is taken for a key of kind pkcs11', 'add to the check a curve that the target takes')
}

const conditions = new Map<string, typeof CONDITIONAL>()
for (const one of CONDITIONAL) conditions.set(one[2], [...(conditions.get(one[2]) ?? []), one])

for (const [clause, cases] of conditions) {
  const [field, kind] = cases[0]!
  check(
    `managed-keys/${kind}-${field.replaceAll('_', '-')}-where-needed`,
    clause,
    `${field} is required where a key of kind ${kind} may be made, or for its type`,
    async ({ bench }) => {
      for (const [, , , value, condition] of bench.few(cases)) {
        const body = { ...without(goodBody(bench, kind), 'key_bits', 'curve'), ...condition }
        // Whether the field of another mechanism or type may stand beside is open.
        const alone = without(body, 'key_bits', 'curve')
        const stated = field === 'key_bits' && kind === 'pkcs11' ? Number(value) : value
        const good = { ...alone, [field]: field === 'curve' && kind === 'pkcs11' ? await curveTaken(bench, alone) : stated }
        for (const where of bench.few(placesOf(bench), 1))
          await refusesBody(bench, kind, body, good, JSON.stringify(condition), { update: false, where })
      }
    },
  )
}

/** What a key of each kind may do without where it is not to be made. */
const LEAST: [Kind, string, string[], JsonObject][] = [
  ['pkcs11', 'MANAGED-KEYS-WRITE-01', ['curve', 'key_bits'], {}],
  ['pkcs11', 'MANAGED-KEYS-WRITE-01', ['curve', 'key_bits'], { mechanism: '0x1041', allow_generate_key: 'false' }],
  ['cloudakms', 'MANAGED-KEYS-WRITE-02', ['curve', 'key_bits'], { key_type: 'ECDSA' }],
  ['cloudakms', 'MANAGED-KEYS-WRITE-02', ['curve', 'key_bits'], { key_type: 'ecdsa', allow_generate_key: 'false' }],
  ['cloudbkeyvault', 'MANAGED-KEYS-WRITE-03', ['key_bits'], {}],
  ['cloudbkeyvault', 'MANAGED-KEYS-WRITE-03', ['key_bits'], { allow_generate_key: 'false' }],
  ['cloudckms', 'MANAGED-KEYS-WRITE-04', ['crypto_key_version'], {}],
  ['cloudckms', 'MANAGED-KEYS-WRITE-04', [], { allow_generate_key: 'true', crypto_key_version: '2' }],
  ['cloudckms', 'MANAGED-KEYS-WRITE-04', [], { allow_replace_key: 'true', allow_store_key: 'false', any_mount: 'true' }],
]

check(
  'managed-keys/least',
  [...new Set(LEAST.map(([, clause]) => clause))],
  'a key that is not to be made needs no more than what is required',
  async ({ bench, expect }) => {
    for (const [kind, clause, fields, more] of LEAST)
      await bench.decide(clause, async () => {
        const body = { ...without(goodBody(bench, kind), ...fields), ...more }
        await accepts({ bench, expect }, kind, body, `${kind} without ${fields.join(' and ')}, ${JSON.stringify(more)}`)
      })
  },
)
