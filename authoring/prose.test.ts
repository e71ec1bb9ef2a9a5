import { expect, test } from 'vitest'
import { givenUp } from './prose-rule.ts'

const found = (text: string): string[] => givenUp(text).map((one) => one.found)

test('words are found in names and in all their forms', () => {
  expect(found('foreignFields')).toEqual(['foreign'])
  expect(found('HOUSE_RULES, loans')).toEqual(['HOUSE', 'loans'])
  expect(found('borrowedChecks are lent; cured, curing, spoilt, undressed, twinned, groundwork')).toEqual(
    'borrowed lent cured curing spoilt undressed twinned groundwork'.split(' '),
  )
  expect(found('an address in the background, secured; a thousand, indeed, silent')).toEqual([])
})

test('phrases are found across lines', () => {
  expect(found('a mistake\n * of ours')).toHaveLength(1)
  expect(found('An object is no text; whoever writes, writes anew.')).toEqual(['is no', 'whoever', 'anew'])
  expect(found('Nothing is no longer there; there is no other; the id core/anew-is-create stays')).toEqual([])
})
