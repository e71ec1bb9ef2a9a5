/** Of two callers who may use a role each decodes, asks and changes what the other made: a role and a transformation say who may, and nothing else. */
import { anotherCaller, type Bench, type CallInput, type Capability, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newTweak, newValue, plaintextOf, resultsOf, tweakIn } from '../fixtures.ts'
import { newText, newTokens, pairsOf } from '../tokens/fixtures.ts'

const options = { needs: { features: ['identities' as const] } }

const EVERYTHING: Capability[] = ['create', 'read', 'update', 'delete', 'list', 'sudo']
const CODING = ['transform.encode', 'transform.decode', 'transform.validate', 'transform.tokenized', 'transform.metadata']

/** Who makes something and who uses it then: root and another caller, the other way round, and two others by both headers. */
const turns = async (bench: Bench): Promise<[maker: CallInput, user: CallInput][]> => {
  const as = await anotherCaller(bench, CODING)
  if (as === undefined) return bench.blocked('the target makes no tokens', 'use another provisioner (sys, command)')
  return [
    [{}, { as }],
    [{ as }, {}],
    [{ as }, { as: await anotherCaller(bench, CODING), carrier: 'bearer' } as CallInput],
  ]
}

check(
  'transform/tokens-of-other-callers',
  ['TRANSFORM-TOKEN-01', 'TRANSFORM-VALIDATE-01', 'TRANSFORM-TOKENIZED-01', 'TRANSFORM-METADATA-01'],
  'a token that one caller made is decoded and asked about by another, alone and in a batch',
  options,
  async ({ bench, expect }) => {
    for (const [maker, user] of await turns(bench)) {
      const tokens = await newTokens(bench)
      const path = { role_name: tokens.role }
      const value = newText(bench)
      const made = await bench.given('transform.encode', { path, body: { value, metadata: 'a=1' }, ...maker })
      const token = String(made.data.encoded_value)
      bench.secret(token)
      const ask = (operation: string, text: string) => bench.call(`transform.${operation}`, { path, body: { value: text }, ...user })
      const alone = await ask('decode', token)
      const batch = await bench.call('transform.decode', { path, body: { batch_input: [{ value: token }] }, ...user })
      const [valid, tokenized, metadata] = [await ask('validate', token), await ask('tokenized', value), await ask('metadata', token)]
      await bench.decide('TRANSFORM-TOKEN-01', () => {
        expect(alone.data.decoded_value === value, 'another caller has the value').toBe(true)
        expect(plaintextOf(resultsOf(batch)[0]) === value, 'another caller has the value from a batch').toBe(true)
      })
      await bench.decide('TRANSFORM-VALIDATE-01', () => expect(valid.data.valid).toBe(true))
      await bench.decide('TRANSFORM-TOKENIZED-01', () => expect(tokenized.data.tokenized).toBe(true))
      await bench.decide('TRANSFORM-METADATA-01', () =>
        expect(pairsOf(metadata.data.metadata), 'the metadata, for another caller').toEqual(['a=1']),
      )
    }
  },
)

check(
  'transform/fpe-of-other-callers',
  ['TRANSFORM-DECODE-01', 'TRANSFORM-FPE-05'],
  'what one caller encoded another decodes, with every source of tweaks, and each encodes alike',
  options,
  async ({ bench, expect }) => {
    for (const [maker, user] of await turns(bench))
      for (const tweak_source of bench.few(['supplied', 'internal', 'generated'], 2)) {
        const scheme = await newScheme(bench, 'fpe', { fields: { tweak_source } })
        const path = { role_name: scheme.role }
        const own: JsonObject = tweak_source === 'supplied' ? { tweak: newTweak(bench) } : {}
        const value = newValue(bench, DIGITS, 16)
        const encode = (caller: CallInput) => bench.given('transform.encode', { path, body: { value, ...own }, ...caller })
        const { data } = await encode(maker)
        const returned = tweakIn(data)
        // How a value is decoded whose generated tweak is not returned is not said.
        if (tweak_source === 'generated' && returned === undefined) continue
        const tweak: JsonObject = returned === undefined ? own : { tweak: returned }
        const decoded = await bench.call('transform.decode', { path, body: { value: data.encoded_value ?? '', ...tweak }, ...user })
        await bench.decide('TRANSFORM-DECODE-01', () =>
          expect(decoded.data.decoded_value, `the value for another caller, with source ${tweak_source}`).toBe(value),
        )
        if (tweak_source === 'generated') continue
        const again = await encode(user)
        await bench.decide('TRANSFORM-FPE-05', () =>
          expect(again.data.encoded_value, `the same by another caller, with source ${tweak_source}`).toBe(data.encoded_value),
        )
      }
  },
)

check(
  'transform/batches-of-strangers',
  ['CORE-CAP-04', 'CORE-AUTH-01', 'CORE-AUTH-03'],
  'who may not code or ask may do neither in a batch',
  { kind: 'security', ...options },
  async ({ bench, expect }) => {
    const [tokens, scheme] = [await newTokens(bench), await newScheme(bench, 'fpe', { fields: { tweak_source: 'internal' } })]
    const value = newText(bench)
    const token = await tokens.token(value, { metadata: 'a=1' })
    const digits = newValue(bench, DIGITS, 16)
    const inputs: [operation: string, role_name: string, value: string][] = [
      ['encode', tokens.role, value],
      ['decode', tokens.role, token],
      ['validate', tokens.role, token],
      ['tokenized', tokens.role, value],
      ['metadata', tokens.role, token],
      ['encode', scheme.role, digits],
      ['decode', scheme.role, await scheme.encoded(digits)],
    ]
    for (const [name, role_name, text] of inputs) {
      const operation = `transform.${name}`
      const input = { path: { role_name }, body: { batch_input: [{ value: text }, { value: text }] } }
      const callers: [who: string, clause: string, caller: CallInput][] = [
        ['nobody', 'CORE-AUTH-01', { as: 'none' }],
        ['a wrong token', 'CORE-AUTH-03', { as: 'wrong' }],
      ]
      const denied: [who: string, role: string, capabilities: Capability[]][] = [
        ['one of another role', bench.fresh('other'), EVERYTHING],
        ['one who is denied it', role_name, [...EVERYTHING, 'deny']],
        ['one who may only read', role_name, ['read', 'list']],
      ]
      for (const [who, role, capabilities] of denied) {
        const as = await bench.identity([{ operation, path: { role_name: role }, capabilities }])
        callers.push([who, 'CORE-CAP-04', { as }])
      }
      for (const [who, clause, caller] of callers)
        for (const method of ['POST', 'PUT']) {
          const answer = await bench.call(operation, { ...input, ...caller, method })
          await bench.decide(clause, () => {
            const what = `a batch to ${name} by ${who}, by ${method}`
            if (clause === 'CORE-AUTH-01') expect(answer, what).toBeRefused()
            else expect(answer, what).toHaveStatus(...(clause === 'CORE-CAP-04' ? [403, 404] : [403]))
            expect(resultsOf(answer), `results for ${who}`).toEqual([])
          })
        }
    }
  },
)
