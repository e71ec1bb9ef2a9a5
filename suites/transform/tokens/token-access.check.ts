/** Who may do what with tokens. */
import { check } from '../../../harness/checks/index.ts'
import { asking, newText, newTokens } from './fixtures.ts'

interface Side {
  about: string
  clauses: Record<'encode' | 'decode' | 'validate' | 'tokenized' | 'metadata', string>
  listed(name: string): string[]
  allowed(role: string): string[]
}

const near = (name: string): string[] => [`${name}-2`, name.slice(0, -1), `a-${name}`]
const ROLE = {
  encode: 'TF-ACCESS-01',
  decode: 'TF-ACCESS-03',
  validate: 'TF-ACCESS-14',
  tokenized: 'TF-ACCESS-16',
  metadata: 'TF-ACCESS-18',
}
const TRANSFORMATION = {
  encode: 'TF-ACCESS-02',
  decode: 'TF-ACCESS-04',
  validate: 'TF-ACCESS-15',
  tokenized: 'TF-ACCESS-17',
  metadata: 'TF-ACCESS-19',
}
const SIDES: Side[] = [
  { about: 'role', clauses: ROLE, listed: () => [], allowed: (role) => [role] },
  { about: 'role-with-others', clauses: ROLE, listed: near, allowed: (role) => [role] },
  { about: 'transformation', clauses: TRANSFORMATION, listed: (name) => [name], allowed: () => [] },
  { about: 'transformation-with-others', clauses: TRANSFORMATION, listed: (name) => [name], allowed: near },
]

for (const side of SIDES)
  for (const [operation, clause] of Object.entries(side.clauses))
    check(
      `transform/tokens-${operation}-denied-by-${side.about}`,
      clause,
      'a role does nothing with tokens of a transformation that either side does not allow',
      { kind: 'security' },
      async ({ bench }) => {
        const role = bench.fresh('role')
        const tokens = await newTokens(bench, {}, side.allowed(role))
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: side.listed(tokens.name) } })
        const value = newText(bench)
        const token = await tokens.token(value)
        const body = { value: operation === 'encode' || operation === 'tokenized' ? value : token, transformation: tokens.name }
        await bench.refuses(`transform.${operation}`, {
          bad: { path: { role_name: role }, body },
          control: { path: { role_name: tokens.role }, body },
          unchanged: async () => (await tokens.validate(token)).data.valid,
        })
      },
    )

check(
  'transform/role-with-one-tokenization',
  'TF-ACCESS-06',
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
