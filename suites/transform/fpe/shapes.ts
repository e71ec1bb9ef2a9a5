/** Alphabets, templates and values that every known algorithm of format-preserving encryption takes. */
import { type Arbitraries, fc } from '../../../harness/checks/index.ts'
import { classOf } from '../fixtures.ts'

/** A value cut into what stands before the group, in it and after it. */
export interface Shape {
  letters: string
  before: string
  group: string
  after: string
}

const ASCII = Array.from({ length: 94 }, (_, code) => String.fromCharCode(33 + code)).join('')

const ALPHABETS = [
  '01',
  'acgt',
  '0123456789',
  '9876543210',
  '0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  ASCII,
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  '😀😁😂🤣😃😄😅😆😉😊😋😎',
  // More letters than a byte counts.
  Array.from({ length: 300 }, (_, code) => String.fromCharCode(0x4e00 + code)).join(''),
]

/** Lengths whose domain holds a million values and no more than FF3-1 takes; the documents name no algorithm and no limit. */
const lengthsOf = (letters: string): { minimum: number; maximum: number } => {
  const radix = [...letters].length
  return { minimum: Math.ceil(6 / Math.log10(radix) - 1e-9), maximum: 2 * Math.floor(96 / Math.log2(radix) + 1e-9) }
}

/** What may stand around a group: literal in the pattern, and with no character of the alphabet at its edge. */
const AROUND = ['', 'id: ', '<', '№ ', '🔑=', 'a:b-']
const BEHIND = ['', ' end', '>', ' №', '=🔑', '-x:y']

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A pattern that matches the shape as a whole, with one group over a run of the alphabet. */
export const patternOf = ({ letters, before, after }: Shape): string => `${literal(before)}(${classOf(letters)}+)${literal(after)}`

const apart = (letters: string, around: string[]): string[] => around.filter((text) => ![...text].some((one) => letters.includes(one)))

export const shapes = ({ texts }: Arbitraries) =>
  fc.constantFrom(...ALPHABETS).chain((letters) =>
    fc.record({
      letters: fc.constant(letters),
      before: fc.constantFrom(...apart(letters, AROUND)),
      group: texts(letters, lengthsOf(letters)),
      after: fc.constantFrom(...apart(letters, BEHIND)),
    }),
  )

/** Shapes that are always tried: each alphabet with text around it, at its shortest and longest. */
export const corners = ALPHABETS.flatMap((letters): Shape[] => {
  const all = [...letters]
  const { minimum, maximum } = lengthsOf(letters)
  const text = (length: number): string => Array.from({ length }, (_, place) => all[(place * 7 + 3) % all.length]).join('')
  return [
    { letters, before: apart(letters, AROUND).at(-1)!, group: text(minimum), after: apart(letters, BEHIND).at(-1)! },
    { letters, before: '', group: text(maximum), after: '' },
  ]
})
