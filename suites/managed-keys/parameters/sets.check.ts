/** Sets of values that the document states: each of them, and one outside. */
import { type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { accepts, givenKey, goodBody, inSlot, type Kind, kindsOf, placesOf, refusesBody, removeLater, writeOf } from '../fixtures.ts'

interface Stated {
  kind: Kind
  field: string
  taken?: string
  refused: string
  good: Json[]
  bad: Json[]
  /** What stands beside the field where it has a meaning; each value is tried with the first, and some with the others. */
  beside?: JsonObject[]
  /** What a value needs beside it, and what has no meaning with it: undefined. */
  fitting?: (value: Json) => Record<string, Json | undefined>
}

/** Parameters with a value of the field, and all that fits it. */
const bodyWith = (bench: Bench, { kind, field, fitting = () => ({}) }: Stated, more: JsonObject, value: Json): JsonObject => {
  const body = { ...goodBody(bench, kind), ...more, ...fitting(value), [field]: value }
  return Object.fromEntries(Object.entries(body).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

const RSA = (padding: string) => ['2048_SHA256', '3072_SHA256', '4096_SHA256', '4096_SHA512'].map((rest) => `RSA_SIGN_${padding}_${rest}`)

/** Sizes that are none of the three: between them, beside them, and other usual ones. */
const OTHER_SIZES = [2560, 3073, 4095, 1, 512, 1024, 2047, 2049, 3071, 4097, 8192, 16384]
const SOME = 3

const SETS: Stated[] = [
  {
    kind: 'pkcs11',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-PKCS-19',
    refused: 'MANAGED-KEYS-PKCS-20',
    good: [2048, 3072, 4096],
    bad: [...OTHER_SIZES, -2048],
    beside: [{}, { allow_generate_key: 'true' }, { mechanism: '0x9' }, { mechanism: '0xd' }],
  },
  {
    kind: 'cloudakms',
    field: 'key_type',
    taken: 'MANAGED-KEYS-AKMS-05',
    refused: 'MANAGED-KEYS-AKMS-06',
    good: ['RSA', 'rsa', 'Rsa', 'ECDSA', 'ecdsa', 'EcDsa'],
    beside: [{}, { allow_generate_key: 'true' }],
    // Whether a parameter of the other type may stand beside is open.
    fitting: (value) => (/^ecdsa$/i.test(String(value)) ? { key_bits: undefined, curve: 'P256' } : {}),
    bad: ['DSA', 'RSA-HSM', 'ED25519', 'EC', 'RSA_2048', 'ECDSA256', 'RSAECDSA', 'HMAC'],
  },
  {
    kind: 'cloudakms',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-AKMS-07',
    refused: 'MANAGED-KEYS-AKMS-08',
    good: ['2048', '3072', '4096'],
    bad: OTHER_SIZES.map(String),
    beside: [{}, { allow_generate_key: 'true' }, { key_type: 'rsa' }],
  },
  {
    kind: 'cloudakms',
    field: 'curve',
    taken: 'MANAGED-KEYS-AKMS-09',
    refused: 'MANAGED-KEYS-AKMS-10',
    good: ['P256', 'P384', 'P521'],
    bad: ['P224', 'P255', 'secp256r1', 'P512', 'P25', 'P2560', '256', 'P192', 'P-256', 'nistp256'],
    beside: [{ key_type: 'ECDSA', allow_generate_key: 'true' }, { key_type: 'ECDSA' }, { key_type: 'ecdsa', allow_generate_key: 'false' }],
    fitting: () => ({ key_bits: undefined }),
  },
  {
    kind: 'cloudbkeyvault',
    field: 'key_type',
    refused: 'MANAGED-KEYS-BVAULT-06',
    good: ['RSA-HSM'],
    bad: ['RSA', 'EC', 'EC-HSM', 'oct-HSM', 'RSA-HSM2', 'HSM', 'RSA_HSM', 'ECDSA', 'RSAHSM'],
  },
  {
    kind: 'cloudbkeyvault',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-BVAULT-07',
    refused: 'MANAGED-KEYS-BVAULT-08',
    good: ['2048', '3072', '4096'],
    bad: OTHER_SIZES.map(String),
    beside: [{}, { allow_generate_key: 'true' }],
  },
  {
    kind: 'cloudckms',
    field: 'algorithm',
    taken: 'MANAGED-KEYS-CKMS-04',
    refused: 'MANAGED-KEYS-CKMS-05',
    good: ['EC_SIGN_P256_SHA256', 'EC_SIGN_P384_SHA384', ...RSA('PSS'), ...RSA('PKCS1')],
    bad: [
      'EC_SIGN_P521_SHA512',
      'EC_SIGN_P256_SHA384',
      'EC_SIGN_P384_SHA256',
      'EC_SIGN_SECP256K1_SHA256',
      'EC_SIGN_ED25519',
      'RSA_SIGN_PSS_1024_SHA256',
      'RSA_SIGN_PSS_2048_SHA512',
      'RSA_SIGN_PSS_3072_SHA512',
      'RSA_SIGN_PSS_4096_SHA384',
      'RSA_SIGN_PSS_8192_SHA256',
      'RSA_SIGN_PKCS1_2048_SHA512',
      'RSA_SIGN_PKCS1_3072_SHA512',
      'RSA_SIGN_PKCS1_4096_SHA1',
      'RSA_SIGN_RAW_PKCS1_2048',
      'RSA_SIGN_PSS_4096',
      'RSA_DECRYPT_OAEP_2048_SHA256',
      'HMAC_SHA256',
      'EC-SIGN-P256-SHA256',
      'RSA_SIGN_PSS_2048_SHA-256',
    ],
    beside: [{}, { allow_generate_key: 'true' }],
  },
]

for (const stated of SETS) {
  const { kind, field, taken, refused, good, bad, beside = [{}] } = stated
  const name = `${kind}-${field.replaceAll('_', '-')}`
  if (taken !== undefined)
    check(`managed-keys/${name}-values`, taken, `${field} of kind ${kind} takes each stated value`, async ({ bench, expect }) => {
      for (const more of bench.few(beside, 1))
        for (const value of bench.few(good)) {
          const body = bodyWith(bench, stated, more, value)
          const key = await accepts({ bench, expect }, kind, body, `${field} ${value}, ${JSON.stringify(more)}`)
          expect(await bench.call(writeOf(kind), { path: { name: key }, body }), `${field} ${value}, written again`).toSucceed()
        }
    })
  check(`managed-keys/${name}-outside`, refused, `${field} of kind ${kind} takes no other value`, async ({ bench }) => {
    for (const [index, more] of bench.few([...beside.entries()], 2))
      for (const value of bench.few(index === 0 ? bad : bad.slice(0, SOME), 2)) {
        const control = bodyWith(bench, stated, more, good[0]!)
        await refusesBody(bench, kind, { ...control, [field]: value }, control, `${field} ${value}, ${JSON.stringify(more)}`)
      }
    const control = bodyWith(bench, stated, beside[0]!, good[0]!)
    for (const where of placesOf(bench).slice(1))
      await refusesBody(bench, kind, { ...control, [field]: bad[0]! }, control, `${field} ${bad[0]}`, { where })
  })
}

check(
  'managed-keys/mechanism-outside',
  ['MANAGED-KEYS-PKCS-17', 'MANAGED-KEYS-PKCS-27'],
  'a mechanism is a hexadecimal number',
  async ({ bench }) => {
    const good = goodBody(bench, 'pkcs11')
    for (const mechanism of bench.few(['1', '4161', '0x', '0xzz', '0x1g', 'CKM_ECDSA', '0x1 0x1', '-0x1', '0x-1', '0x1.0', '1x1', '0o1']))
      await bench.decide('MANAGED-KEYS-PKCS-17', () => refusesBody(bench, 'pkcs11', { ...good, mechanism }, good, `mechanism ${mechanism}`))
    const seen: Record<string, number> = {}
    const changes: JsonObject[] = [{ mechanism: `0x1${'0'.repeat(16)}` }, { slot: '9'.repeat(30) }]
    for (const change of changes) {
      const name = bench.fresh('key')
      removeLater(bench, 'pkcs11', name)
      const { status } = await bench.call(writeOf('pkcs11'), { path: { name }, body: { ...good, ...change }, observing: true })
      seen[Object.keys(change).at(-1)!] = status
    }
    bench.observe('MANAGED-KEYS-PKCS-27', seen)
  },
)

check('managed-keys/slot-outside', 'MANAGED-KEYS-PKCS-18', 'a slot is a decimal number', async ({ bench }) => {
  const good = inSlot(bench, '7')
  for (const slot of bench.few(['abc', '-1', '0x1', '1.5', '7a', 'a7', '7 7', '1e1', '7,8']))
    await refusesBody(bench, 'pkcs11', { ...good, slot }, good, `slot ${slot}`)
})

check(
  'managed-keys/max-parallel',
  ['MANAGED-KEYS-PKCS-24', 'MANAGED-KEYS-PKCS-25'],
  'max_parallel is a whole number',
  async ({ bench, expect }) => {
    const body = goodBody(bench, 'pkcs11')
    await bench.decide('MANAGED-KEYS-PKCS-24', async () => {
      for (const max_parallel of [1, 2, 1000])
        await accepts({ bench, expect }, 'pkcs11', { ...body, max_parallel }, `max_parallel ${max_parallel}`)
      await refusesBody(bench, 'pkcs11', { ...body, max_parallel: { a: 1 } }, { ...body, max_parallel: 2 }, 'max_parallel as an object')
      await refusesBody(bench, 'pkcs11', { ...body, max_parallel: [[2]] }, { ...body, max_parallel: 2 }, 'max_parallel as a list of lists')
      await refusesBody(bench, 'pkcs11', { ...body, max_parallel: 'many' }, { ...body, max_parallel: 2 }, 'max_parallel as a word')
    })
    const seen: JsonObject = {}
    for (const max_parallel of [0, -1]) {
      const name = bench.fresh('key')
      seen[max_parallel] = (
        await bench.call('managedKeys.writePkcs11', { path: { name }, body: { ...body, max_parallel }, observing: true })
      ).status
      bench.defer(() => bench.call('managedKeys.delete', { path: { type: 'pkcs11', name } }))
    }
    bench.observe('MANAGED-KEYS-PKCS-25', seen)
  },
)

const USAGES = ['encrypt', 'decrypt', 'sign', 'verify', 'wrap', 'unwrap', 'mac', 'random']

check('managed-keys/usages-values', 'MANAGED-KEYS-USAGE-01', 'usages take each stated value, and several', async ({ bench, expect }) => {
  const several = [USAGES.join(','), USAGES.toReversed().join(','), 'sign,verify', 'verify,sign', 'mac,random', 'wrap,unwrap,sign']
  for (const kind of kindsOf(bench))
    for (const usages of bench.few([...USAGES, ...several]))
      await accepts({ bench, expect }, kind, { ...goodBody(bench, kind), usages }, `usages ${usages} of kind ${kind}`)
})

/** One that is none alone, first, last and between stated ones; ones that begin or end like stated ones; another sign between them. */
const NO_USAGES = [
  'dance',
  'sign,dance',
  'dance,sign',
  'sign,dance,verify',
  'signing',
  'sig',
  'rewrap',
  'verify,rand',
  'sign verify',
  'sign;mac',
  'all',
]

check('managed-keys/usages-outside', 'MANAGED-KEYS-USAGE-02', 'usages take no other value', async ({ bench }) => {
  for (const kind of bench.few(kindsOf(bench), 2)) {
    const body = goodBody(bench, kind)
    for (const usages of bench.few(NO_USAGES, 2))
      for (const where of placesOf(bench).slice(0, usages === 'sign,dance' ? 2 : 1))
        await refusesBody(bench, kind, { ...body, usages }, { ...body, usages: 'sign' }, `usages ${usages} of kind ${kind}`, { where })
  }
})

check('managed-keys/usages-object', 'MANAGED-KEYS-USAGE-03', 'usages are a text', async ({ bench }) => {
  for (const kind of kindsOf(bench)) {
    const body = goodBody(bench, kind)
    await refusesBody(bench, kind, { ...body, usages: { sign: true } }, body, `usages of kind ${kind} as an object`)
  }
})

check('managed-keys/usages-read', 'MANAGED-KEYS-USAGE-04', 'whether a read shows usages', async ({ bench }) => {
  const name = await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), usages: 'sign' })
  const read = await bench.given('managedKeys.read', { path: { type: 'pkcs11', name } })
  bench.observe('MANAGED-KEYS-USAGE-04', read.text.includes('usages') ? 'shown' : 'not shown')
})
