import { type Answer, type CheckContext, check, comesToHold, isBackendFailure } from '../../../harness/checks/index.ts'
import { decodedFile, factsOf, needs, placeFor } from '../fixtures.ts'

/** The data of a key are base64 of a credentials file, whatever was sent with the request. */
const isEncoded = ({ bench, expect }: CheckContext, answer: Answer, what: string): Promise<void> =>
  bench.decide('CLOUDC-KEY-03', () => {
    const data = String(answer.data.private_key_data)
    expect(/^[A-Za-z0-9+/]+={0,2}$/.test(data) && data.length % 4 === 0, `${what}: private_key_data is base64, filled up`).toBe(true)
    expect(factsOf(decodedFile(answer)) !== undefined, `${what}: it holds a credentials file`).toBe(true)
  })

for (const [id, operation, clause] of [
  ['get', 'cloudc.readKey', 'CLOUDC-KEY-01'],
  ['post', 'cloudc.createKey', 'CLOUDC-KEY-02'],
] as const)
  check(
    `cloudc/key-${id}`,
    [clause, 'CLOUDC-KEY-03', 'CLOUDC-KEY-04', 'CLOUDC-KEY-05', 'CLOUDC-KEY-08', 'CLOUDC-KEY-12', 'CLOUDC-LEASE-01'],
    'a key logs in as the account of its roleset',
    needs(),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench)
      const roleset = await place.keyRoleset()
      const email = await place.email(roleset)
      const [first, second] = [await bench.call(operation, { path: { roleset } }), await bench.call(operation, { path: { roleset } })]
      await bench.decide(clause, () => expect(first).toHaveStatus(200))
      for (const [answer, what] of [
        [first, 'one'],
        [second, 'another'],
      ] as const)
        await isEncoded(context, answer, what)
      const [one, two] = [place.keyIn(first), place.keyIn(second)]
      await bench.decide('CLOUDC-KEY-03', () => {
        expect([one.facts.email, one.facts.project]).toEqual([email, place.cloud.id])
      })
      await bench.decide('CLOUDC-KEY-04', async () => {
        for (const key of [one, two]) {
          await place.logsIn(key, 'a key')
          expect((await place.judge.tokenInfo(String(await place.judge.login(key.file))))?.email).toBe(email)
        }
      })
      await bench.decide('CLOUDC-KEY-05', async () => {
        expect(first.data.key_algorithm).toBe('KEY_ALG_RSA_2048')
        expect(one.facts.bits, 'bits of the key').toBe(2048)
      })
      await bench.decide('CLOUDC-KEY-08', () => expect(first.data.key_type).toBe('TYPE_CLOUDC_CREDENTIALS_FILE'))
      await bench.decide('CLOUDC-KEY-12', async () => {
        expect(one.facts.keyId === two.facts.keyId, 'both have the same id').toBe(false)
        expect(one.file === two.file, 'both are the same').toBe(false)
        const ids = [one.facts.keyId, two.facts.keyId].sort()
        await bench.eventually(async () => expect((await place.keyIds(email))?.sort()).toEqual(ids))
      })
      await bench.decide('CLOUDC-LEASE-01', () => {
        const { renewable } = first.body as { renewable?: unknown }
        expect(renewable).toBe(true)
        expect(one.lease).not.toBe('')
        expect(one.lease).not.toBe(two.lease)
        expect(one.duration).toBeGreaterThan(0)
      })
    },
  )

check(
  'cloudc/key-defaults',
  ['CLOUDC-KEY-02', 'CLOUDC-KEY-03', 'CLOUDC-KEY-04', 'CLOUDC-KEY-05', 'CLOUDC-KEY-08'],
  'a default that is given equals one that is left out, each by itself and with the others',
  needs(),
  async (context) => {
    const { bench, expect } = context
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    const defaults = { key_algorithm: 'KEY_ALG_RSA_2048', key_type: 'TYPE_CLOUDC_CREDENTIALS_FILE', ttl: '' }
    const { key_algorithm, key_type, ttl } = defaults
    for (const [clause, body] of [
      ['CLOUDC-KEY-05', { key_algorithm }],
      ['CLOUDC-KEY-08', { key_type }],
      ['CLOUDC-KEY-02', { ttl: '90s' }],
      ['CLOUDC-KEY-05', { key_algorithm, ttl }],
      ['CLOUDC-KEY-08', { key_type, ttl }],
      ['CLOUDC-KEY-08', { key_algorithm, key_type }],
      ['CLOUDC-KEY-05', defaults],
    ] as const) {
      const what = JSON.stringify(body)
      const answer = await bench.call('cloudc.createKey', { path: { roleset }, body })
      await bench.decide(clause, () => expect(answer, what).toHaveStatus(200))
      await isEncoded(context, answer, what)
      const key = place.keyIn(answer)
      await bench.decide('CLOUDC-KEY-05', () =>
        expect([answer.data.key_algorithm, key.facts.bits], `algorithm and bits of ${what}`).toEqual([key_algorithm, 2048]),
      )
      await bench.decide('CLOUDC-KEY-08', () => expect(answer.data.key_type, what).toBe(key_type))
      await bench.decide('CLOUDC-KEY-04', () => place.logsIn(key, `the key of ${what}`))
    }
  },
)

check(
  'cloudc/key-chosen',
  ['CLOUDC-KEY-03', 'CLOUDC-KEY-06', 'CLOUDC-KEY-05', 'CLOUDC-KEY-15'],
  'the algorithm may be chosen for one key, which is written as any other, and those after it have the default',
  needs(),
  async (context) => {
    const { bench, expect } = context
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    for (const [key_algorithm, bits] of [
      ['KEY_ALG_RSA_2048', 2048],
      ['KEY_ALG_RSA_1024', 1024],
    ] as const) {
      const answer = await bench.call('cloudc.createKey', { path: { roleset }, body: { key_algorithm } })
      // Which algorithms there are besides the default is the provider's affair: what was not given is not encoded.
      if (answer.ok) {
        await isEncoded(context, answer, key_algorithm)
        await bench.decide('CLOUDC-KEY-15', () =>
          expect(answer.data.key_algorithm, 'the algorithm that the answer names').toBe(key_algorithm),
        )
      }
      await bench.decide('CLOUDC-KEY-06', () => {
        expect(answer).toHaveStatus(200)
        expect([answer.data.key_algorithm, place.keyIn(answer).facts.bits]).toEqual([key_algorithm, bits])
      })
    }
    for (const operation of ['cloudc.readKey', 'cloudc.createKey']) {
      const answer = await bench.call(operation, { path: { roleset } })
      await bench.decide('CLOUDC-KEY-05', () => {
        expect(answer, `${operation} after a chosen algorithm`).toHaveStatus(200)
        expect([answer.data.key_algorithm, place.keyIn(answer).facts.bits], operation).toEqual(['KEY_ALG_RSA_2048', 2048])
      })
    }
  },
)

const refused = (id: string, clause: string, title: string, bads: Record<string, string | Record<string, never>>[]): void =>
  check(`cloudc/key-${id}`, clause, title, needs(), async ({ bench }) => {
    const place = await placeFor(bench)
    for (const bad of bads) {
      // The good request makes a key, which the provider may show later: none is left of the one before.
      const roleset = await place.keyRoleset()
      const email = await place.email(roleset)
      await bench.refuses('cloudc.createKey', {
        bad: { path: { roleset }, body: bad },
        control: { path: { roleset }, body: {} },
        unchanged: () => place.keyIds(email),
        label: JSON.stringify(bad),
      })
    }
  })

/** Refused by the provider, whose values the document does not show: the server may pass the refusal on with a status of its own. */
const refusedByProvider = (id: string, clause: string, title: string, bads: Record<string, string>[]): void =>
  check(`cloudc/key-${id}`, clause, title, needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const bad of bads) {
      const path = { roleset: await place.keyRoleset() }
      const email = await place.email(path.roleset)
      const before = await place.keyIds(email)
      const label = JSON.stringify(bad)
      const { status } = await bench.call('cloudc.createKey', { path, body: bad })
      expect(isBackendFailure(status), `${label}: 4xx, 500 or 502; it was ${status}`).toBe(true)
      expect(await place.keyIds(email), `keys of the account after ${label}`).toEqual(before)
      expect(await bench.call('cloudc.createKey', { path, body: {} }), `a key after ${label}`).toSucceed()
    }
  })

refusedByProvider('unknown-algorithm', 'CLOUDC-KEY-07', 'an unknown algorithm is refused', [
  { key_algorithm: 'KEY_ALG_RSA_2049' },
  { key_algorithm: 'KEY_ALG_NONE', ttl: '60s' },
])
refusedByProvider('unknown-type', 'CLOUDC-KEY-09', 'an unknown type is refused', [{ key_type: 'TYPE_OF_NOTHING' }])
refused('objects', 'CLOUDC-KEY-13', 'an object is not text', [{ key_algorithm: {} }, { key_type: {} }])
refused('bad-ttl', 'CLOUDC-KEY-14', 'a ttl has to be a duration', [{ ttl: 'soon' }, { ttl: {} }, { ttl: '1x' }])

check('cloudc/key-type', 'CLOUDC-KEY-10', 'a roleset for tokens gives no key', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  const [tokens, keys] = [await place.roleset(), await place.keyRoleset()]
  const email = await place.email(tokens)
  await comesToHold(bench, async () => (await place.keyIds(email))?.length === 1)
  for (const operation of ['cloudc.readKey', 'cloudc.createKey'])
    await bench.refuses(operation, {
      bad: { path: { roleset: tokens } },
      control: { path: { roleset: keys } },
      unchanged: () => place.keyIds(email),
    })
})

check('cloudc/key-unknown', 'CLOUDC-KEY-11', 'an unknown roleset gives no key', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await place.keyRoleset()
  for (const operation of ['cloudc.readKey', 'cloudc.createKey'])
    expect(await bench.call(operation, { path: { roleset: bench.fresh('unknown') } })).toHaveStatus(400, 404)
})
