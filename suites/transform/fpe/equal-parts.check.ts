/** The group is found by its place: text outside it that is equal to it stays. */
import { check } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, WORDS } from '../fixtures.ts'

/** How often the group's text stands before it and after it. */
const PLACES = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 1],
] as const

for (const [kind, clause] of [
  ['fpe', 'TRANSFORM-FORMAT-03'],
  ['masking', 'TRANSFORM-MASK-04'],
] as const)
  check(
    `transform/${kind}-equal-parts`,
    clause,
    'text outside the group that is equal to it stays as it was',
    async ({ bench, expect }) => {
      for (const letters of bench.few([DIGITS, WORDS], 1)) {
        const part = letters === DIGITS ? '[0-9]{12}' : '[0-9a-z]{12}'
        for (const [before, after] of PLACES) {
          const scheme = await newScheme(bench, kind, {
            letters,
            pattern: `${`${part}-`.repeat(before)}(${part})${`-${part}`.repeat(after)}`,
          })
          const text = newValue(bench, letters, 12)
          const value = Array.from({ length: before + 1 + after }, () => text).join('-')
          const parts = (await scheme.encoded(value)).split('-')
          const outside = [...parts.slice(0, before), ...parts.slice(before + 1)]
          expect(outside.length === before + after && outside.every((one) => one === text), 'what stands around the group').toBe(true)
          expect(parts[before] === text, 'the group as it was').toBe(false)
        }
      }
    },
  )
