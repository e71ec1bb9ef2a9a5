/** Sets of values that the document states: each of them, and one outside. */
import { check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { accepts, givenKey, goodBody, type Kind, refusesBody } from '../fixtures.ts'

interface Stated {
  kind: Kind
  field: string
  taken?: string
  refused: string
  good: Json[]
  bad: Json[]
  beside?: JsonObject
}

const RSA = (padding: string) => ['2048_SHA256', '3072_SHA256', '4096_SHA256', '4096_SHA512'].map((rest) => `RSA_SIGN_${padding}_${rest}`)

const SETS: Stated[] = [
  {
    kind: 'pkcs11',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-PKCS-19',
    refused: 'MANAGED-KEYS-PKCS-20',
    good: [2048, 3072, 4096],
    bad: [1024, 2047, 8192, -2048],
  },
  {
    kind: 'cloudakms',
    field: 'key_type',
    taken: 'MANAGED-KEYS-AKMS-05',
    refused: 'MANAGED-KEYS-AKMS-06',
    good: ['RSA', 'rsa', 'Rsa'],
    bad: ['DSA', 'RSA-HSM', 'ED25519'],
  },
  {
    kind: 'cloudakms',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-AKMS-07',
    refused: 'MANAGED-KEYS-AKMS-08',
    good: ['2048', '3072', '4096'],
    bad: ['1024', '2047', '8192'],
  },
  {
    kind: 'cloudakms',
    field: 'curve',
    taken: 'MANAGED-KEYS-AKMS-09',
    refused: 'MANAGED-KEYS-AKMS-10',
    good: ['P256', 'P384', 'P521'],
    bad: ['P224', 'P255', 'secp256r1'],
    beside: { key_type: 'ECDSA', allow_generate_key: 'true' },
  },
  {
    kind: 'cloudbkeyvault',
    field: 'key_type',
    refused: 'MANAGED-KEYS-BVAULT-06',
    good: ['RSA-HSM'],
    bad: ['RSA', 'EC', 'EC-HSM', 'oct-HSM'],
  },
  {
    kind: 'cloudbkeyvault',
    field: 'key_bits',
    taken: 'MANAGED-KEYS-BVAULT-07',
    refused: 'MANAGED-KEYS-BVAULT-08',
    good: ['2048', '3072', '4096'],
    bad: ['1024', '2047', '8192'],
  },
  {
    kind: 'cloudckms',
    field: 'algorithm',
    taken: 'MANAGED-KEYS-CKMS-04',
    refused: 'MANAGED-KEYS-CKMS-05',
    good: ['EC_SIGN_P256_SHA256', 'EC_SIGN_P384_SHA384', ...RSA('PSS'), ...RSA('PKCS1')],
    bad: ['EC_SIGN_P521_SHA512', 'RSA_SIGN_PSS_1024_SHA256', 'RSA_SIGN_PKCS1_2048_SHA512', 'RSA_DECRYPT_OAEP_2048_SHA256'],
  },
]

for (const { kind, field, taken, refused, good, bad, beside = {} } of SETS) {
  const name = `${kind}-${field.replaceAll('_', '-')}`
  if (taken !== undefined)
    check(`managed-keys/${name}-values`, taken, `${field} of kind ${kind} takes each stated value`, async ({ bench, expect }) => {
      if (field === 'key_type')
        await accepts({ bench, expect }, kind, { ...goodBody(bench, kind), key_type: 'ecdsa', curve: 'P256' }, 'key_type ecdsa')
      for (const value of good) {
        await accepts({ bench, expect }, kind, { ...goodBody(bench, kind), ...beside, [field]: value }, `${field} ${value}`)
      }
    })
  check(`managed-keys/${name}-outside`, refused, `${field} of kind ${kind} takes no other value`, async ({ bench }) => {
    const body = { ...goodBody(bench, kind), ...beside }
    for (const value of bad)
      await refusesBody(bench, kind, { ...body, [field]: value }, { ...body, [field]: good[0]! }, `${field} ${value}`)
  })
}

check(
  'managed-keys/mechanism-outside',
  'MANAGED-KEYS-PKCS-17',
  'a mechanism is a hexadecimal number of at most 64 bits',
  async ({ bench }) => {
    const good = goodBody(bench, 'pkcs11')
    for (const mechanism of ['1', '4161', '0x', '0xzz', 'CKM_ECDSA', `0x1${'0'.repeat(16)}`, '0x1 0x1', '-0x1'])
      await refusesBody(bench, 'pkcs11', { ...good, mechanism }, good, `mechanism ${mechanism}`)
  },
)

check('managed-keys/slot-outside', 'MANAGED-KEYS-PKCS-18', 'a slot is a decimal number', async ({ bench }) => {
  const good = { ...goodBody(bench, 'pkcs11'), token_label: '', slot: '7' }
  for (const slot of ['abc', '-1', '0x1', '1.5', '9'.repeat(30)])
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
      await refusesBody(bench, 'pkcs11', { ...body, max_parallel: 'many' }, { ...body, max_parallel: 2 }, 'max_parallel as a word')
    })
    const seen: JsonObject = {}
    for (const max_parallel of [0, -1]) {
      const name = bench.fresh('key')
      seen[max_parallel] = (await bench.call('managedKeys.writePkcs11', { path: { name }, body: { ...body, max_parallel } })).status
      bench.defer(() => bench.call('managedKeys.delete', { path: { type: 'pkcs11', name } }))
    }
    bench.observe('MANAGED-KEYS-PKCS-25', seen)
  },
)

const USAGES = ['encrypt', 'decrypt', 'sign', 'verify', 'wrap', 'unwrap', 'mac', 'random']
const CLOUDS = ['cloudakms', 'cloudbkeyvault', 'cloudckms'] as const

check('managed-keys/usages-values', 'MANAGED-KEYS-USAGE-01', 'usages take each stated value, and several', async ({ bench, expect }) => {
  for (const usages of [...USAGES, USAGES.join(','), 'sign,verify', 'verify,sign'])
    await accepts({ bench, expect }, 'pkcs11', { ...goodBody(bench, 'pkcs11'), usages }, `usages ${usages}`)
  for (const kind of CLOUDS) await accepts({ bench, expect }, kind, { ...goodBody(bench, kind), usages: 'sign' }, `usages of kind ${kind}`)
})

check('managed-keys/usages-outside', 'MANAGED-KEYS-USAGE-02', 'usages take no other value', async ({ bench }) => {
  const body = goodBody(bench, 'pkcs11')
  for (const usages of ['dance', 'sign,dance', 'dance,sign', 'signing', 'sign verify'])
    await refusesBody(bench, 'pkcs11', { ...body, usages }, { ...body, usages: 'sign' }, `usages ${usages}`)
  for (const kind of CLOUDS) {
    const cloud = goodBody(bench, kind)
    await refusesBody(bench, kind, { ...cloud, usages: 'sign,dance' }, { ...cloud, usages: 'sign' }, `usages of kind ${kind}`)
  }
})

check('managed-keys/usages-object', 'MANAGED-KEYS-USAGE-03', 'usages are a text', async ({ bench }) => {
  const body = goodBody(bench, 'pkcs11')
  await refusesBody(bench, 'pkcs11', { ...body, usages: { sign: true } }, body, 'usages as an object')
})

check('managed-keys/usages-read', 'MANAGED-KEYS-USAGE-04', 'whether a read shows usages', async ({ bench }) => {
  const name = await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), usages: 'sign' })
  const read = await bench.given('managedKeys.read', { path: { type: 'pkcs11', name } })
  bench.observe('MANAGED-KEYS-USAGE-04', read.text.includes('usages') ? 'shown' : 'not shown')
})
