/** How a tokenization is defined: by either path, with its defaults. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { newTemplate } from '../fixtures.ts'
import { asking, newText, newTokens, type Tokens } from './fixtures.ts'

const TYPED = 'transform.writeTokenization'
const OLDER = 'transform.writeTransformation'

interface Written {
  tokens: Tokens
  ok: boolean
  read: JsonObject
}

const write = async (bench: Bench, operation: string, fields: JsonObject): Promise<Written> => {
  const [role, name] = [bench.mixedName('role'), bench.mixedName('typed')]
  const answer = await bench.call(operation, { path: { name }, body: { allowed_roles: [role], ...fields } })
  if (answer.ok) await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
  const read = await bench.call('transform.readTransformation', { path: { name } })
  return { tokens: asking(bench, role, name), ok: answer.ok, read: read.data }
}

const works = async (bench: Bench, tokens: Tokens): Promise<boolean> => {
  const value = newText(bench)
  const answer = await tokens.encode(value)
  const token = String(answer.data.encoded_value)
  return (
    answer.ok &&
    token !== value &&
    (await tokens.decode(token)).data.decoded_value === value &&
    (await tokens.validate(token)).data.valid === true
  )
}

check(
  'transform/tokenization-written',
  ['TRANSFORM-TOKENIZATION-01', 'TRANSFORM-READ-01', 'TRANSFORM-READ-02'],
  'a transformation of type tokenization is made',
  async ({ bench, expect }) => {
    for (const fields of [{}, { stores: ['builtin/internal'] }] as JsonObject[]) {
      const { tokens, ok, read } = await write(bench, TYPED, fields)
      await bench.decide('TRANSFORM-TOKENIZATION-01', () => {
        expect(ok, 'the write').toBe(true)
        expect(read.type, 'the type that is read').toBe('tokenization')
      })
      await bench.decide('TRANSFORM-READ-01', () => expect(read.type).toBe('tokenization'))
      await bench.decide('TRANSFORM-READ-02', () => expect(read.allowed_roles).toEqual([tokens.role]))
    }
  },
)

check(
  'transform/tokenization-store',
  'TRANSFORM-TOKENIZATION-06',
  'the internal store is there, named or not',
  async ({ bench, expect }) => {
    for (const fields of [{}, { stores: ['builtin/internal'] }] as JsonObject[])
      expect(await works(bench, (await write(bench, TYPED, fields)).tokens), 'tokens work').toBe(true)
  },
)

check(
  'transform/older-tokenization',
  'TRANSFORM-TYPED-03',
  'the older path makes a tokenization, and ignores its template',
  async ({ bench, expect }) => {
    for (const template of [await newTemplate(bench), bench.fresh('none')]) {
      const { tokens, ok, read } = await write(bench, OLDER, { type: 'tokenization', template })
      expect(ok, 'the write').toBe(true)
      expect(read.type).toBe('tokenization')
      expect(await works(bench, tokens), 'tokens work').toBe(true)
    }
  },
)

check(
  'transform/tokenization-other-fields',
  'TRANSFORM-TOKENIZATION-07',
  'fields of other types have no effect',
  async ({ bench, expect }) => {
    const template = await newTemplate(bench)
    for (const fields of [{ template }, { tweak_source: 'generated' }, { masking_character: '#' }] as JsonObject[]) {
      const { tokens, ok } = await write(bench, TYPED, fields)
      if (!ok) {
        expect((await write(bench, TYPED, {})).ok, 'the same without the field').toBe(true)
        continue
      }
      expect(await works(bench, tokens), 'tokens work').toBe(true)
      const answer = await tokens.encode(newText(bench))
      expect(answer.data.tweak || null, 'a tweak of a token').toBe(null)
    }
  },
)

check(
  'transform/tokenization-nobody-by-default',
  'TRANSFORM-TOKENIZATION-02',
  'without allowed_roles no role may use a tokenization',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const [role, name] = [bench.mixedName('role'), bench.mixedName('typed')]
    await bench.given(TYPED, { path: { name }, body: {} })
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    const tokens = asking(bench, role, name)
    for (const body of [{}, { allowed_roles: [] }] as JsonObject[]) {
      expect(await bench.call(TYPED, { path: { name }, body })).toSucceed()
      expect((await bench.given('transform.readTransformation', { path: { name } })).data.allowed_roles).toEqual([])
      for (const answer of [await tokens.encode(newText(bench)), await tokens.tokenized(newText(bench))])
        expect(answer, 'a role that no list allows').toBeRefused()
      await bench.given('transform.deleteTransformation', { path: { name } })
    }
    await bench.given(TYPED, { path: { name }, body: { allowed_roles: [role] } })
    expect(await works(bench, tokens), 'the same role once it is allowed').toBe(true)
  },
)

check(
  'transform/tokenization-again',
  ['TRANSFORM-TOKENIZATION-03', 'TRANSFORM-ACCESS-10'],
  'tokens stay when their transformation is written again',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const value = newText(bench)
    const token = await tokens.token(value, { metadata: 'a=1' })
    for (const fields of [{}, { max_ttl: '1h' }, { mapping_mode: 'default' }, { max_ttl: 0 }] as JsonObject[]) {
      const path = { name: tokens.name }
      await bench.call(TYPED, { path, body: { allowed_roles: [tokens.role], ...fields } })
      await bench.decide('TRANSFORM-TOKENIZATION-03', async () => {
        expect((await tokens.decode(token)).data.decoded_value === value, 'a token of before').toBe(true)
        expect((await tokens.tokenized(value)).data.tokenized).toBe(true)
        expect((await tokens.metadata(token)).data.metadata).toBe('a=1')
      })
    }
    const path = { name: tokens.name }
    const closed = await bench.call(TYPED, { path, body: { allowed_roles: [] } })
    if (!closed.ok) return
    await bench.decide('TRANSFORM-ACCESS-10', async () => {
      for (const answer of [
        await tokens.decode(token),
        await tokens.validate(token),
        await tokens.metadata(token),
        await tokens.tokenized(value),
      ])
        expect(answer, 'a role that is not allowed now').toBeRefused()
    })
  },
)

check(
  'transform/mapping-mode',
  ['TRANSFORM-MAPPING-01', 'TRANSFORM-MAPPING-03'],
  'both mapping modes give tokens, others are refused',
  async ({ bench, expect }) => {
    for (const mode of ['default', 'exportable']) {
      const { tokens, ok } = await write(bench, TYPED, { mapping_mode: mode })
      await bench.decide('TRANSFORM-MAPPING-01', async () => {
        expect(ok, `the write with ${mode}`).toBe(true)
        expect(await works(bench, tokens), 'tokens work').toBe(true)
      })
    }
    for (const mode of bench.few(['export', 'exportable,default', 'none'], 1)) {
      const path = { name: bench.mixedName('typed') }
      await bench.decide('TRANSFORM-MAPPING-03', async () => {
        await bench.refuses(TYPED, {
          label: mode,
          bad: { path, body: { mapping_mode: mode }, invalid: true },
          control: { path, body: { mapping_mode: 'exportable' } },
          unchanged: { operation: 'transform.readTransformation', input: { path } },
        })
      })
    }
  },
)

check('transform/unknown-store', 'TRANSFORM-TOKENIZATION-08', 'an unknown store keeps no tokens', async ({ bench, expect }) => {
  const { tokens, ok } = await write(bench, TYPED, { stores: [bench.fresh('none')] })
  if (ok) expect(await tokens.encode(newText(bench))).toBeRefused()
  else expect((await write(bench, TYPED, { stores: ['builtin/internal'] })).ok, 'the same with a store that is there').toBe(true)
})
