import { describe, expect, it } from 'vitest'
import { type Handler, runOnToy } from '../../tests/support/toy-target.ts'
import { Blocked } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isObject } from '../base/json.ts'
import { errorsOf } from '../contract/generate/judge.ts'
import type { Schema } from '../contract/generate/schema.ts'
import type { Answer } from '../target/exchange.ts'
import { generatedChecks } from './generated.ts'
import { goneAfterwards, neverShown, notSeenBy } from './invariants.ts'
import type { OperationFacts } from './sweep.ts'
import type { RunnableCheck, Sample } from './vocabulary.ts'

const schema: Schema = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['a', 'b'], 'x-clause': 'TOY-KIND' },
    port: { type: 'integer', minimum: 0, maximum: 65_535, 'x-clause': 'TOY-PORT' },
    mode: { type: 'string', enum: ['x', 'y'], 'x-clause': 'TOY-MODE' },
    note: { type: 'string' },
    flag: { type: 'boolean' },
  },
}

const facts: OperationFacts = {
  id: 'toy.write',
  engine: 'toy',
  method: 'POST',
  isList: false,
  unauthenticated: false,
  sudo: false,
  capability: 'create',
  mount: undefined,
  hasBody: true,
  requestSchema: schema as OperationFacts['requestSchema'],
  parameters: [],
  isFirstOfMount: true,
  undescribed: () => [],
  badInput: { refused: 'TOY-REFUSED', failed: 'TOY-FAILED' },
  beside: [],
  pathMethods: ['POST'],
  listing: undefined,
}

const sample: Sample = {
  operation: 'toy.write',
  input: async (bench) => ({ path: { key: bench.fresh() }, body: { kind: 'a', note: 'n' } }),
  state: async (bench, input) => (await bench.call('toy.read', { path: input.path ?? {} })).text,
}

const [check] = generatedChecks([sample], () => facts) as [RunnableCheck]

/** A strict server; `bug` may change what it thinks of a body. */
const server = (bug: (body: JsonObject, verdict: number) => number = (_body, verdict) => verdict, storesRefused = false): Handler => {
  const store = new Map<string, JsonObject>()
  return async (operation, input) => {
    const key = input.path?.key ?? ''
    if (operation === 'toy.read') return { status: store.has(key) ? 200 : 404, body: store.get(key) ?? {} }
    if (input.rawBody !== undefined || !isObject(input.body)) return { status: 400, body: { errors: [] } }
    const { body } = input
    const status = bug(body, errorsOf(schema, body).length > 0 ? 400 : 204)
    if (status < 300 || storesRefused) store.set(key, body)
    return { status, body: { errors: [] } }
  }
}

const outcomes = async (handler: Handler) =>
  Object.fromEntries((await runOnToy(check, handler)).decisions.map(({ clause, outcome }) => [clause, outcome]))

describe('generated checks', () => {
  it('name the clauses of the schema and those of the API', () => {
    expect(check.id).toBe('toy/generated/toy.write')
    expect(new Set(check.clauses)).toEqual(new Set(['TOY-KIND', 'TOY-PORT', 'TOY-MODE', 'TOY-REFUSED', 'TOY-FAILED']))
  })

  it('pass a strict server', async () => {
    expect(await outcomes(server())).toEqual({
      'TOY-KIND': 'verified',
      'TOY-PORT': 'verified',
      'TOY-MODE': 'verified',
      'TOY-REFUSED': 'verified',
      'TOY-FAILED': 'verified',
    })
  })

  it('leave coercion to the server, and sets of fields that the sample does not use', async () => {
    const coercible = (body: JsonObject) =>
      ['a', 'b'].includes(String(body.kind)) &&
      [body.port, body.flag, body.note].every((value) => typeof value !== 'object' || value === null)
    const lenient = server((body, verdict) => (coercible(body) && typeof body.mode !== 'object' ? 204 : verdict))
    expect(Object.values(await outcomes(lenient))).not.toContain('violated')
  })

  it('find an object that is taken for a scalar, under the clause of its field', async () => {
    const found = await outcomes(server((body, verdict) => (typeof body.port === 'object' ? 204 : verdict)))
    expect(found).toMatchObject({ 'TOY-PORT': 'violated', 'TOY-KIND': 'verified' })
  })

  it('find a required member that is not required, a set that is open, and a field without a clause of its own', async () => {
    expect(await outcomes(server((body, verdict) => ('kind' in body ? verdict : 204)))).toMatchObject({ 'TOY-KIND': 'violated' })
    expect(await outcomes(server((body, verdict) => (String(body.kind).startsWith('assay') ? 204 : verdict)))).toMatchObject({
      'TOY-KIND': 'violated',
    })
    expect(await outcomes(server((body, verdict) => (typeof body.flag === 'object' ? 204 : verdict)))).toMatchObject({
      'TOY-REFUSED': 'violated',
    })
  })

  it('find a refusal that stores, and a server that breaks', async () => {
    expect(await outcomes(server(undefined, true))).toMatchObject({ 'TOY-KIND': 'violated', 'TOY-PORT': 'violated' })
    expect(await outcomes(server((_body, verdict) => (verdict === 400 ? 500 : verdict)))).toMatchObject({
      'TOY-FAILED': 'violated',
      'TOY-KIND': 'violated',
    })
  })

  it('prove nothing where the plain request is refused', async () => {
    expect(
      (
        await runOnToy(
          check,
          server(() => 400),
        )
      ).error,
    ).toBeInstanceOf(Blocked)
  })

  it('leave out what a sample excludes', () => {
    expect(generatedChecks([{ ...sample, excluded: { generated: 'reason' } }], () => facts)).toEqual([])
    expect(generatedChecks([{ ...sample, needs: { allow: 'seal' } }], () => facts)).toEqual([])
  })
})

describe('invariants', () => {
  const run = (body: RunnableCheck['body'], answer: { status: number; body?: JsonObject }) =>
    runOnToy({ ...check, body }, async () => answer)
  const reads = [{ operation: 'toy.read', input: { path: { key: 'k' } } }]

  it('notice what is left after it is gone', async () => {
    expect((await run((context) => goneAfterwards(context, reads), { status: 404 })).error).toBeUndefined()
    expect((await run((context) => goneAfterwards(context, reads), { status: 200 })).error).toBeDefined()
    const listing = [{ operation: 'toy.list', input: {}, name: 'k' }]
    expect(
      (await run((context) => goneAfterwards(context, [], listing), { status: 200, body: { data: { keys: ['k'] } } })).error,
    ).toBeDefined()
  })

  it('notice what somebody else sees', async () => {
    const secret = 'canary-0123456789'
    const seen = (text: string, status = 403) =>
      run((context) => notSeenBy(context, { as: 'none' }, reads, [secret]), { status, body: { errors: [text] } })
    expect((await seen('denied')).error).toBeUndefined()
    expect((await seen('denied', 200)).error).toBeDefined()
    for (const text of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
      expect((await seen(text)).error).toBeDefined()
  })

  it('look for secrets in headers too', async () => {
    const answer = { operation: 'x', text: '', headers: { location: '/?t=canary-0123456789' } } as unknown as Answer
    const result = await run(async ({ expect: assert }) => neverShown({ expect: assert }, [answer], ['canary-0123456789']), { status: 200 })
    expect(result.error).toBeDefined()
  })
})
