/** Types and sizes of keys. */
import { type Answer, type Bench, certificateRequest, check } from '../../../harness/checks/index.ts'
import { issue, newRole, openRole, ownMount, sign, withRoot } from '../fixtures.ts'
import { roleBodies } from '../roles/role-fields.ts'

const cn = { common_name: 'www.example.com' }

check(
  'pki/key-types',
  ['PKI-KEYTYPE-02', 'PKI-KEYBITS-02', 'PKI-ISSUE-05'],
  'issued keys have the type and size of the role',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const rsa = await issue(context, await openRole(bench, { key_type: 'rsa', key_bits: 2048 }))
    const ec = await issue(context, await openRole(bench, { key_type: 'ec', key_bits: 256 }))
    const larger = await issue(context, await openRole(bench, { key_type: 'ec', key_bits: 384 }))
    const largest = await issue(context, await openRole(bench, { key_type: 'ec', key_bits: 521 }))
    const longer = await issue(context, await openRole(bench, { key_type: 'rsa', key_bits: 3072 }))
    const name = bench.mixedName('role')
    await bench.given('pki.writeRole', { path: { name }, body: { allow_any_name: true, ttl: '1h' } })
    const byDefault = await issue(context, name)
    await bench.decide('PKI-KEYTYPE-02', () =>
      expect([rsa, ec, byDefault].map(({ facts }) => facts.key.type)).toEqual(['rsa', 'ec', 'rsa']),
    )
    await bench.decide('PKI-KEYBITS-02', () => {
      expect([rsa, longer, ec, larger, largest, byDefault].map(({ facts }) => facts.key.bits)).toEqual([2048, 3072, 256, 384, 521, 2048])
    })
    await bench.decide('PKI-ISSUE-05', () => {
      expect(String(rsa.answer.data.private_key_type)).toMatch(/^rsa([-_ ]?\d+)?$/i)
      expect(String(ec.answer.data.private_key_type)).toMatch(/^ec(dsa)?([-_ ]?p?-?\d+)?$/i)
    })
  },
)

check('pki/key-type-any', 'PKI-KEYTYPE-03', 'type any signs requests of either type', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = bench.mixedName('role')
  const written = await bench.call('pki.writeRole', {
    path: { name: role },
    body: { ttl: '1h', allow_any_name: true, key_type: 'any', key_bits: 2048 },
  })
  expect(written, 'a role of type any').toSucceed()
  expect((await sign(context, role, { commonName: 'www.example.com', key: 'ec256' })).facts.key.type).toBe('ec')
  expect((await sign(context, role, { commonName: 'www.example.com', key: 'rsa2048' })).facts.key.type).toBe('rsa')
})

check(
  'pki/key-type-mismatch',
  'PKI-KEYTYPE-04',
  'a request with a key of another type is refused',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const requests = {
      ec: await certificateRequest({ commonName: 'www.example.com', key: 'ec256' }),
      rsa: await certificateRequest({ commonName: 'www.example.com', key: 'rsa2048' }),
    }
    for (const [type, bits, good, bad] of [
      ['ec', 256, requests.ec, requests.rsa],
      ['rsa', 2048, requests.rsa, requests.ec],
    ] as const) {
      const name = await openRole(bench, { key_type: type, key_bits: bits })
      await bench.refuses('pki.sign', {
        bad: { path: { name }, body: { csr: bad } },
        control: { path: { name }, body: { csr: good } },
        unchanged: { operation: 'pki.readRole', input: { path: { name } } },
      })
    }
  },
)

check('pki/key-type-unknown', 'PKI-KEYTYPE-05', 'a key type outside the stated ones is refused', { needs: ownMount }, async ({ bench }) => {
  const [everyOther] = roleBodies()
  for (const type of ['dsa', 'x448', 'ed25519']) {
    const name = await newRole(bench, {})
    await bench.refuses('pki.writeRole', {
      bad: { path: { name }, body: { ...everyOther, key_type: type, key_bits: 2048 } },
      control: { path: { name }, body: { ...everyOther, key_type: 'rsa', key_bits: 2048 } },
      unchanged: { operation: 'pki.readRole', input: { path: { name } } },
    })
  }
})

check('pki/key-type-any-issue', 'PKI-KEYTYPE-06', 'issuing by a role of type any', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const name = await openRole(bench, { key_type: 'any', key_bits: 2048 })
  bench.observe('PKI-KEYTYPE-06', { status: (await bench.call('pki.issue', { path: { name }, body: cn, observing: true })).status })
})

for (const [type, clause] of [
  ['any', 'PKI-KEYTYPE-07'],
  ['rsa', 'PKI-KEYTYPE-08'],
] as const) {
  check(
    `pki/short-rsa-${type}`,
    clause,
    `RSA keys of 1024 bits are refused by roles of type ${type}`,
    { needs: ownMount },
    async ({ bench }) => {
      await withRoot(bench)
      const name = await openRole(bench, { key_type: type, key_bits: 2048 })
      await bench.refuses('pki.sign', {
        bad: { path: { name }, body: { csr: await certificateRequest({ commonName: 'www.example.com', key: 'rsa1024' }) } },
        control: { path: { name }, body: { csr: await certificateRequest({ commonName: 'www.example.com', key: 'rsa2048' }) } },
        unchanged: { operation: 'pki.readRole', input: { path: { name } } },
      })
    },
  )
}

/** Writes an EC role of this size and issues by it; the answer that refuses, else the certificate's. */
const attempt = async (bench: Bench, bits: number, observing = false): Promise<Answer> => {
  const name = bench.mixedName('role')
  const body = { allow_any_name: true, ttl: '1h', key_type: 'ec', key_bits: bits }
  const written = await bench.call('pki.writeRole', { path: { name }, body, observing })
  return written.ok ? bench.call('pki.issue', { path: { name }, body: cn, observing }) : written
}

check('pki/key-bits-invalid', 'PKI-KEYBITS-03', 'a size that no EC key has is refused', { needs: ownMount }, async ({ bench, expect }) => {
  await withRoot(bench)
  expect(await attempt(bench, 123)).toBeRefused()
  expect(await attempt(bench, 384)).toSucceed()
})
check('pki/key-bits-default', 'PKI-KEYBITS-05', 'an EC role of the default size', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const { operation, status } = await attempt(bench, 2048, true)
  bench.observe('PKI-KEYBITS-05', { operation, status })
})
