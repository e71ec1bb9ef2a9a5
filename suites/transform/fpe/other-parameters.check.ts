/** Parameters of a request that are for another type of transformation. */
import { check } from '../../../harness/checks/index.ts'
import { words } from '../batches/fixtures.ts'
import { type Item, newScheme, newTweak, type TemplateKind, WORDS } from '../fixtures.ts'
import { newText, newTokens } from '../tokens/fixtures.ts'

const OTHERS: Item[] = [{ ttl: '1h' }, { ttl: 1 }, { metadata: 'a=1,b=2' }, { ttl: '1h', metadata: 'a=1' }]

check(
  'transform/parameters-of-tokens',
  'TRANSFORM-ENCODE-07',
  'what is for tokens changes nothing of what is encrypted or masked',
  async ({ bench, expect }) => {
    for (const [kind, source] of [
      ['fpe', 'supplied'],
      ['fpe', 'internal'],
      ['masking', ''],
    ] as [TemplateKind, string][]) {
      const scheme = await newScheme(bench, kind, { letters: WORDS, fields: kind === 'fpe' ? { tweak_source: source } : {} })
      const value = words(bench)
      const plain = await scheme.encoded(value)
      for (const more of bench.few(kind === 'masking' ? [...OTHERS, { tweak: newTweak(bench) }] : OTHERS, 2)) {
        const answer = await scheme.encode(value, more)
        expect(answer.status, `status with ${Object.keys(more)}`).toBeLessThan(500)
        if (answer.ok) expect(answer.data.encoded_value, `${kind} with ${Object.keys(more)}`).toBe(plain)
        if (kind === 'masking') continue
        const decoded = await scheme.decode(plain, more)
        if (decoded.ok) expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
      }
      expect(await scheme.encoded(value), `${kind} afterwards`).toBe(plain)
    }
  },
)

check('transform/tweaks-of-tokens', 'TRANSFORM-TOKENIZATION-07', 'a tweak has no effect on tokens', async ({ bench, expect }) => {
  const tokens = await newTokens(bench)
  for (const tweak of [newTweak(bench), newTweak(bench)]) {
    const value = newText(bench)
    const answer = await tokens.encode(value, { tweak })
    expect(answer.status, 'status with a tweak').toBeLessThan(500)
    const token = answer.ok ? String(answer.data.encoded_value) : await tokens.token(value)
    expect((await tokens.decode(token)).data.decoded_value === value, 'the value came back without it').toBe(true)
    const other = await tokens.decode(token, { tweak: newTweak(bench) })
    if (other.ok) expect(other.data.decoded_value === value, 'the value came back with another').toBe(true)
    expect((await tokens.tokenized(value)).data.tokenized, 'tokenized').toBe(true)
  }
})
