/** Who may do what with tokens. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, nearNames, newScheme, newValue, resultsOf, withTransformations } from '../fixtures.ts'
import { asking, newText, newTokens, type Tokens } from './fixtures.ts'

interface Side {
  about: string
  clauses: Record<'encode' | 'decode' | 'validate' | 'tokenized' | 'metadata', string>
  listed(name: string): string[]
  allowed(role: string): string[]
}

/** Members of which one is in every item that was answered. */
const ANSWERS = ['encoded_value', 'decoded_value', 'valid', 'tokenized', 'metadata', 'expiration_time']

const ROLE = {
  encode: 'TRANSFORM-ACCESS-01',
  decode: 'TRANSFORM-ACCESS-03',
  validate: 'TRANSFORM-ACCESS-14',
  tokenized: 'TRANSFORM-ACCESS-16',
  metadata: 'TRANSFORM-ACCESS-18',
}
const TRANSFORMATION = {
  encode: 'TRANSFORM-ACCESS-02',
  decode: 'TRANSFORM-ACCESS-04',
  validate: 'TRANSFORM-ACCESS-15',
  tokenized: 'TRANSFORM-ACCESS-17',
  metadata: 'TRANSFORM-ACCESS-19',
}
const SIDES: Side[] = [
  { about: 'role', clauses: ROLE, listed: () => [], allowed: (role) => [role] },
  { about: 'role-with-others', clauses: ROLE, listed: nearNames, allowed: (role) => [role] },
  { about: 'transformation', clauses: TRANSFORMATION, listed: (name) => [name], allowed: () => [] },
  { about: 'transformation-with-others', clauses: TRANSFORMATION, listed: (name) => [name], allowed: nearNames },
]

for (const side of SIDES)
  for (const [operation, clause] of Object.entries(side.clauses))
    check(
      `transform/tokens-${operation}-denied-by-${side.about}`,
      clause,
      `${operation} does nothing with tokens of a transformation that either side does not allow`,
      { kind: 'security' },
      async ({ bench, expect }) => {
        const role = bench.mixedName('role')
        const tokens = await newTokens(bench, {}, side.allowed(role))
        const listed = side.listed(tokens.name)
        const transformations = listed.includes(tokens.name) ? listed : await withTransformations(bench, listed)
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
        const value = newText(bench)
        const token = await tokens.token(value, { metadata: 'a=1' })
        const body = { value: operation === 'encode' || operation === 'tokenized' ? value : token, transformation: tokens.name }
        // The path says which role it is, not the body.
        for (const named of [{} as JsonObject, { role_name: tokens.role, name: tokens.role, role: tokens.role }])
          await bench.refuses(`transform.${operation}`, {
            bad: { path: { role_name: role }, body: { ...body, ...named }, invalid: true },
            control: { path: { role_name: tokens.role }, body },
            unchanged: async () => (await tokens.validate(token)).data.valid,
          })
        // In a batch each item is refused in its place, or the batch as a whole.
        const inBatch = async (name: string) =>
          resultsOf(await bench.call(`transform.${operation}`, { path: { role_name: name }, body: { batch_input: [body, body] } }))
        const told = (results: JsonObject[]) => results.filter((result) => ANSWERS.some((member) => result[member] ?? false)).length
        const own = await inBatch(tokens.role)
        // No shape is stated of batches of questions: where the role that may gets no answers there, nothing is asked of the other.
        if (told(own) === 2) expect(told(await inBatch(role)), 'items of a batch that were answered').toBe(0)
      },
    )

check(
  'transform/role-with-one-tokenization',
  'TRANSFORM-ACCESS-06',
  'a role with one tokenization need not name it',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const use = asking(bench, tokens.role, tokens.name)
    const value = newText(bench)
    const none = { transformation: undefined }
    const token = await use.token(value, none)
    expect((await use.decode(token, none)).data.decoded_value === value, 'the value came back').toBe(true)
    expect((await use.validate(token, none)).data.valid).toBe(true)
    expect((await use.tokenized(value, none)).data.tokenized).toBe(true)
    expect(await use.metadata(token, none)).toSucceed()
  },
)

check(
  'transform/only-transformation-changes',
  'TRANSFORM-ACCESS-06',
  'what is not named is the one that the role has now, whichever it had and used before',
  async ({ bench, expect }) => {
    const role = bench.mixedName('role')
    const path = { role_name: role }
    const tokens = [await newTokens(bench, {}, [role]), await newTokens(bench, {}, [role])]
    const fields = { tweak_source: 'internal' }
    const schemes = [
      await newScheme(bench, 'fpe', { fields, alsoAllowed: [role] }),
      await newScheme(bench, 'fpe', { fields, alsoAllowed: [role] }),
    ]
    const encode = async (value: string) => String((await bench.call('transform.encode', { path, body: { value } })).data.encoded_value)
    const only = (name: string) => bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    for (const index of [0, 1, 0]) {
      await only(tokens[index]!.name)
      const token = await encode(newText(bench))
      const valid = await tokens[index]!.validate(token)
      expect(valid.data.valid ?? false, `valid for transformation ${index + 1} of two`).toBe(true)
      await only(schemes[index]!.name)
      const digits = newValue(bench, DIGITS, 16)
      expect((await encode(digits)) === (await schemes[index]!.encoded(digits)), 'encoded as by the transformation that it has').toBe(true)
    }
  },
)

/** Changes of one side, the other allowing all the while. */
const CHANGES: [about: string, clause: string, write: (bench: Bench, tokens: Tokens, may: boolean) => Promise<unknown>][] = [
  [
    'transformation',
    'TRANSFORM-ACCESS-10',
    (bench, { name, role }, may) =>
      bench.given('transform.writeTokenization', { path: { name }, body: { allowed_roles: may ? [role] : [bench.mixedName('other')] } }),
  ],
  [
    'role',
    'TRANSFORM-ACCESS-09',
    async (bench, { name, role }, may) => {
      const transformations = may ? [name] : await withTransformations(bench, [bench.mixedName('other')])
      return bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
    },
  ],
]

for (const [about, clause, write] of CHANGES)
  check(
    `transform/tokens-${about}-changes`,
    clause,
    'what a role may do with tokens changes with either side',
    { kind: 'security' },
    async ({ bench, expect }) => {
      const tokens = await newTokens(bench)
      const value = newText(bench)
      const token = await tokens.token(value, { metadata: 'a=1' })
      for (const may of [true, false, true, false]) {
        await write(bench, tokens, may)
        for (const answer of [
          await tokens.encode(value),
          await tokens.decode(token),
          await tokens.validate(token),
          await tokens.tokenized(value),
          await tokens.metadata(token),
        ]) {
          if (may) expect(answer, 'where both sides allow it now').toSucceed()
          else expect(answer, 'where a side allows it no longer').toBeRefused()
        }
      }
    },
  )

for (const [operation, clause] of Object.entries({ ...ROLE, encode: 'TRANSFORM-ACCESS-05', decode: 'TRANSFORM-ACCESS-05' }))
  check(
    `transform/tokens-${operation}-by-unknown-role`,
    clause,
    `${operation} by an unknown role does nothing with tokens`,
    { kind: 'security' },
    async ({ bench }) => {
      const gone = bench.mixedName('gone')
      const tokens = await newTokens(bench, {}, [gone])
      await bench.given('transform.writeRole', { path: { name: gone }, body: { transformations: [tokens.name] } })
      const value = newText(bench)
      const token = await tokens.token(value, { metadata: 'a=1' })
      const text = operation === 'encode' || operation === 'tokenized' ? value : token
      // What it did right before it went is nothing that it may do afterwards.
      await bench.given(`transform.${operation}`, { path: { role_name: gone }, body: { value: text, transformation: tokens.name } })
      await bench.given('transform.deleteRole', { path: { name: gone } })
      for (const role of [bench.fresh('nobody'), gone, `${tokens.role}-2`, tokens.role.slice(0, -1)])
        for (const body of [{ value: text, transformation: tokens.name }, { value: text }] as JsonObject[])
          await bench.refuses(`transform.${operation}`, {
            label: role === gone ? 'deleted' : 'unknown',
            bad: { path: { role_name: role }, body },
            control: { path: { role_name: tokens.role }, body },
            unchanged: async () => (await tokens.validate(token)).data.valid,
            status: [400, 404],
          })
    },
  )
