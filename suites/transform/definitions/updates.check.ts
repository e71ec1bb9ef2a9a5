/** Updates: one that is refused changes nothing, field by field; the older path updates what either path made; a default that is given counts. */
import { type Bench, type CheckOptions, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newAlphabet, newTemplate, newTweak, newValue, using } from '../fixtures.ts'
import { type Kind, kinds, needs, placeFor } from '../stores/place.ts'
import { newText, newTokens } from '../tokens/fixtures.ts'

interface Update {
  word: string
  options?: CheckOptions
  clause: string
  write: string
  read: string
  good(bench: Bench): Promise<JsonObject>
  /** Another body, which differs in every field. */
  other(bench: Bench): Promise<JsonObject>
  /** Values that are refused. */
  bad: JsonObject
}

const transformation = (word: string, clause: string, write: string, fields: [JsonObject, JsonObject], bad: JsonObject): Update => ({
  word,
  clause,
  write,
  read: 'transform.readTransformation',
  good: async (bench) => ({ ...(word === 'tokenization' ? {} : { template: await newTemplate(bench) }), ...fields[0] }),
  other: async (bench) => ({ ...(word === 'tokenization' ? {} : { template: await newTemplate(bench) }), ...fields[1] }),
  bad,
})

/** Two stores, each in a database of its own. */
const placesOf = (bench: Bench, kind: Kind) =>
  bench.memo(`stores of ${kind.id}`, async () => ({ one: (await placeFor(bench, kind)).body, two: (await placeFor(bench, kind)).body }))

const UPDATES: Update[] = [
  {
    word: 'template',
    clause: 'TRANSFORM-TEMPLATE-02',
    write: 'transform.writeTemplate',
    read: 'transform.readTemplate',
    good: async (bench) => ({ type: 'regex', pattern: '([0-9]{16})', alphabet: await newAlphabet(bench, DIGITS) }),
    other: async (bench) => ({ type: 'regex', pattern: '([0-9]{8,})', alphabet: await newAlphabet(bench, '9876543210') }),
    bad: { type: 'glob', pattern: { a: {} }, alphabet: { a: {} } },
  },
  transformation(
    'fpe',
    'TRANSFORM-FPE-09',
    'transform.writeFpe',
    [
      { tweak_source: 'internal', allowed_roles: ['one'] },
      { tweak_source: 'supplied', allowed_roles: ['two'] },
    ],
    { template: { a: {} }, tweak_source: 'elsewhere', allowed_roles: [{ a: {} }] },
  ),
  transformation(
    'masking',
    'TRANSFORM-MASKING-08',
    'transform.writeMasking',
    [
      { masking_character: '#', allowed_roles: ['one'] },
      { masking_character: 'x', allowed_roles: ['two'] },
    ],
    { template: { a: {} }, masking_character: { a: {} }, allowed_roles: [{ a: {} }] },
  ),
  transformation(
    'tokenization',
    'TRANSFORM-TOKENIZATION-03',
    'transform.writeTokenization',
    [{ allowed_roles: ['one'] }, { allowed_roles: ['two'] }],
    {
      max_ttl: { a: {} },
      allowed_roles: [{ a: {} }],
    },
  ),
]

for (const kind of kinds)
  UPDATES.push({
    word: `${kind.id}-store`,
    options: needs(kind),
    clause: 'TRANSFORM-STORE-02',
    write: 'transform.writeStore',
    read: 'transform.readStore',
    good: async (bench) => (await placesOf(bench, kind)).one,
    other: async (bench) => (await placesOf(bench, kind)).two,
    bad: { type: 'memory', username: { a: {} }, password: { a: {} }, max_open_connections: { a: {} }, max_connection_lifetime: { a: {} } },
  })

for (const { word, options = {}, clause, write, read, good, other, bad } of UPDATES)
  check(`transform/${word}-update-refused`, clause, `a refused update of ${word} changes no field`, options, async ({ bench }) => {
    for (const [field, value] of Object.entries(bad)) {
      const path = { name: bench.fresh(word) }
      await bench.given(write, { path, body: await good(bench) })
      const body = await other(bench)
      await bench.refuses(write, {
        label: field,
        bad: { path, body: { ...body, [field]: value }, invalid: true },
        // What is there may not be replaced: then another one is made.
        control: { path: { name: bench.fresh(word) }, body },
        unchanged: { operation: read, input: { path } },
      })
    }
  })

check(
  'transform/older-path-keeps-values',
  'TRANSFORM-FPE-09',
  'what was encoded before is read after an update by the older path',
  async ({ bench, expect }) => {
    for (const operation of ['transform.writeTransformation', 'transform.writeFpe']) {
      const [name, role, template] = [bench.mixedName('fpe'), bench.mixedName('role'), await newTemplate(bench)]
      await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
      const body = { template, allowed_roles: [role] }
      await bench.given(operation, { path: { name }, body: { ...body, ...(operation.endsWith('Fpe') ? {} : { type: 'fpe' }) } })
      const use = using(bench, role, name, newTweak(bench))
      const value = newValue(bench, DIGITS, 16)
      const encoded = await use.encoded(value)
      for (const again of ['transform.writeTransformation', 'transform.writeFpe'] as const) {
        // Whether an update is taken is another clause's matter.
        await bench.call(again, { path: { name }, body: { ...body, ...(again.endsWith('Fpe') ? {} : { type: 'fpe' }) } })
        expect((await use.decode(encoded)).data.decoded_value === value, `the value of before, after ${again}`).toBe(true)
      }
    }
  },
)

check(
  'transform/max-ttl-taken-back',
  'TRANSFORM-TOKENIZATION-03',
  'a maximum that is written as 0 is none from then on',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench, { max_ttl: '1h' })
    const path = { name: tokens.name }
    await tokens.token(newText(bench))
    await bench.given('transform.writeTokenization', { path, body: { allowed_roles: [tokens.role], max_ttl: 0 } })
    const before = Date.now()
    const answer = await tokens.encode(newText(bench), { ttl: '5h' })
    expect(answer, 'a ttl above the maximum of before').toSucceed()
    const shown = (await tokens.metadata(String(answer.data.encoded_value))).data.expiration_time
    const end = Date.parse(String(shown)) - bench.clockSkew * 1_000
    expect(end, 'the end of a token of five hours').toBeGreaterThanOrEqual(before + 5 * 3_600_000 - bench.grace)
  },
)
