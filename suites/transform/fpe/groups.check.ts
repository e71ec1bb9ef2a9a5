/** Patterns with several groups, with groups that take no part, and with groups that mark nothing. */
import { type Bench, check, type Expect } from '../../../harness/checks/index.ts'
import { DIGITS, newAlphabet, newScheme, newValue, type Scheme, type TemplateKind } from '../fixtures.ts'

/** A text, or so many letters in a group. */
type Part = string | number

interface Form {
  /** The pattern, `C` for a letter of the alphabet. */
  pattern: string
  values: Part[][]
}

/** Each group is long enough to be encrypted alone, and all of them together not too long. */
const FORMS: Form[] = [
  { pattern: '(C{16})', values: [[16]] },
  { pattern: '^(C{16})$', values: [[16]] },
  { pattern: '(C{8})-(C{8})', values: [[8, '-', 8]] },
  { pattern: '(C{8})(C{9})', values: [[8, 9]] },
  { pattern: '№(C{8})🔑(C{9})–(C{10})№', values: [['№', 8, '🔑', 9, '–', 10, '№']] },
  { pattern: '(?:id-)?(C{8})(?:/x)?', values: [['id-', 8, '/x'], ['id-', 8], [8, '/x'], [8]] },
  { pattern: '(C{8})(?:-(C{8}))?', values: [[8, '-', 8], [8]] },
  { pattern: '(?:(C{8})-)?(C{9})', values: [[8, '-', 9], [9]] },
  {
    pattern: '(?:v-(C{10})|w-(C{9}))',
    values: [
      ['v-', 10],
      ['w-', 9],
    ],
  },
]

/** ASCII, characters of two code units, and both. */
const ALPHABETS = [DIGITS, '😀😁😂🤣😃😄😅😆😉😊😋😎', 'αβγδ0123😀😁😂🤣']

const partsOf = (bench: Bench, letters: string, parts: Part[]): string[] =>
  parts.map((part) => (typeof part === 'string' ? part : newValue(bench, letters, part)))

/** An encoded value cut as the value was: a group has as many characters as before. */
const cut = (encoded: string, value: string[]): string[] => {
  const rest = [...encoded]
  return [...value.map((part) => rest.splice(0, [...part].length).join('')), rest.join('')]
}

const judge = async (bench: Bench, expect: Expect, kind: TemplateKind, scheme: Scheme, parts: Part[], value: string[], encoded: string) => {
  const seen = cut(encoded, value)
  await bench.decide('TRANSFORM-TEMPLATE-19', () => {
    expect(seen.at(-1), 'what is beyond the length of the value').toBe('')
    for (const [place, part] of parts.entries()) {
      if (typeof part === 'string') expect(seen[place], 'what stands outside the groups').toBe(part)
      else if (kind === 'masking') expect(seen[place], 'a group').toBe('*'.repeat(part))
      else
        expect(
          [...seen[place]!].filter((letter) => !scheme.letters.includes(letter)),
          'characters outside the alphabet',
        ).toEqual([])
    }
  })
  if (kind === 'masking') return
  const decoded = await scheme.decode(encoded)
  await bench.decide('TRANSFORM-TEMPLATE-19', () => {
    expect(decoded.data.decoded_value === value.join(''), 'the value came back').toBe(true)
    // Of a short group a correct cipher may leave all as it was, once in very many values.
    if (parts.filter((part) => typeof part === 'number').length > 1) expect(encoded === value.join(''), 'left as it was').toBe(false)
  })
}

for (const kind of ['fpe', 'masking'] as const)
  check(
    `transform/${kind}-groups`,
    ['TRANSFORM-TEMPLATE-19', 'TRANSFORM-TEMPLATE-16'],
    'what is in a group is transformed, and nothing else',
    async ({ bench, expect }) => {
      const taken: Record<string, boolean> = {}
      for (const letters of bench.few(ALPHABETS, 2))
        for (const { pattern, values } of [FORMS[0]!, ...bench.few(FORMS.slice(1))]) {
          const own = pattern.replaceAll('C', `[${letters}]`)
          const body = { type: 'regex', pattern: own, alphabet: await newAlphabet(bench, letters) }
          const template = await bench.call('transform.writeTemplate', { path: { name: bench.mixedName('template') }, body })
          if (!template.ok && pattern !== FORMS[0]!.pattern) {
            taken[pattern] = false
            continue
          }
          const scheme = await newScheme(bench, kind, { letters, pattern: own })
          const answers: { parts: Part[]; value: string[]; encoded: string | undefined }[] = []
          for (const parts of values) {
            const value = partsOf(bench, letters, parts)
            const answer = await scheme.encode(value.join(''))
            expect(answer.status, `status of encoding by ${pattern}`).toBeLessThan(500)
            answers.push({ parts, value, encoded: answer.ok ? String(answer.data.encoded_value) : undefined })
          }
          // Not every server takes every such pattern, or every value of one with a group that may be absent.
          taken[pattern] = answers.some(({ encoded }) => encoded !== undefined)
          if (!taken[pattern] && pattern !== FORMS[0]!.pattern) continue
          for (const { parts, value, encoded } of answers) {
            if (encoded === undefined && pattern !== FORMS[0]!.pattern) continue
            await bench.decide('TRANSFORM-TEMPLATE-19', () => expect(encoded !== undefined, `a value of ${pattern} is encoded`).toBe(true))
            await judge(bench, expect, kind, scheme, parts, value, encoded!)
          }
        }
      bench.observe('TRANSFORM-TEMPLATE-16', taken)
    },
  )

/** Values in which nothing matches the pattern, whether it has to match the whole or a part. */
const UNMATCHED: [pattern: string, values: string[]][] = [
  ['id:([0-9]{8,})', ['ID:1234567890', 'Id:1234567890', 'id;1234567890', 'id: 1234567890', 'id:１２３４５６７８９０', '1234567890']],
  ['([0-9]{16})', ['123456789012345', '1234-5678-9012-3456', '12345678 12345678', '٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥']],
  ['[0-9]{4}\\.([0-9]{8})', ['1234-12345678', '1234x12345678', '1234.1234567']],
  ['([a-f]{12})', ['ABCDEFABCDEF', 'abcdefabcde', 'abcdef-abcdef']],
]

check(
  'transform/nothing-matches',
  'TRANSFORM-ENCODE-06',
  'of a value in which nothing matches nothing is transformed',
  async ({ bench, expect }) => {
    for (const kind of ['masking', 'fpe'] as const)
      for (const [pattern, values] of bench.few(UNMATCHED, 2)) {
        const scheme = await newScheme(bench, kind, { letters: '0123456789abcdef', pattern })
        for (const value of values) {
          const answer = await scheme.encode(value)
          expect(answer.status, `status of ${value} by ${pattern}`).toBeLessThan(500)
          if (answer.ok) expect(answer.data.encoded_value, `${value} by ${pattern}, ${kind}`).toBe(value)
        }
      }
  },
)
