/** The search for secrets takes steps in proportion to the text, whatever a server put into both: counted, since clocks differ. */
import { expect, test } from 'vitest'
import { SearchWork } from './search-work.ts'
import { SecretIndex } from './secret-index.ts'
import { base64Views, hexViews } from './secret-views.ts'
import { SecretRegistry } from './secrets.ts'

const TAIL = 'x7f9k2q'

const HOSTILE: Record<string, { value: string; text: (length: number) => string }> = {
  'a row of one character': { value: 'A'.repeat(3_000) + TAIL, text: (length) => 'A'.repeat(length) },
  'a rhythm of two characters': { value: 'AB'.repeat(1_500) + TAIL, text: (length) => 'AB'.repeat(length / 2) },
  'the beginning of a value, again and again': {
    value: `${'abcdefgh'.repeat(400)}${TAIL}`,
    text: (length) => 'abcdefg '.repeat(length / 8),
  },
  'a value again and again': { value: `abcdefgh${TAIL}`, text: (length) => `abcdefgh${TAIL} `.repeat(length / 16) },
}

const stepsFor = (value: string, text: string, isTelling: boolean): number => {
  const index = new SecretIndex()
  for (let number = 0; number < 50; number += 1) index.add(`${value}${number}`)
  const work = new SearchWork(text.length)
  index.find(text, 12, () => isTelling, work)
  return work.steps
}

test.each(Object.entries(HOSTILE))('%s', (_, { value, text }) => {
  for (const isTelling of [true, false]) {
    const [few, many] = [4_096, 65_536].map((length) => stepsFor(value, text(length), isTelling))
    expect(many).toBeLessThan(20 * few!)
    expect(many).toBeLessThan(64 * 65_536)
  }
})

test('a text whose search takes too much is hidden whole, and counted', () => {
  const secrets = new SecretRegistry()
  const words = `${Array.from({ length: 40 }, (_, at) => `assay-abc${String(at).padStart(3, '0')}-`).join('')}`
  for (let number = 0; number < 40; number += 1) secrets.add(`${words.slice(14 * number)}${TAIL}${number}`)
  for (let number = 0; number < 40; number += 1) secrets.add(`${'assay-abc000-'.repeat(400 + number)}${TAIL}${number}`)
  expect(secrets.redact('assay-abc000-'.repeat(20_000))).toBe('[redacted]')
  expect(secrets.hiddenWhole).toBe(1)
  expect(secrets.redact('a short text')).toBe('a short text')
})

test.each([
  ['base64', base64Views, 'A'],
  ['hexadecimal', hexViews, 'a1'],
])('a stretch of sixteen million characters of %s is one', (_, views, unit) => {
  const text = unit.repeat(16_000_000 / unit.length)
  const [first] = views(text)
  expect(first?.origin({ start: 0, end: first.text.length })).toEqual({ start: 0, end: text.length })
})

test('a text in which a pattern takes more of the stack than there is loses no report: it is hidden whole', () => {
  const secrets = new SecretRegistry()
  secrets.add(`abcdefgh${TAIL}`)
  const text = `AbC9AbC9AbC9\n${'AbC9\n'.repeat(1_000_000)}`
  expect(secrets.redact(text)).toBe('[redacted]')
  expect(secrets.appearsIn(text)).toBe(true)
  expect(secrets.hiddenWhole).toBe(1)
})
