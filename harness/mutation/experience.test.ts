import { expect, it } from 'vitest'
import { Experience } from './experience.ts'

it('the quicker check is the cheaper one as long as nothing is known', () => {
  const experience = new Experience()
  expect(experience.costOf('quick', 10)).toBeLessThan(experience.costOf('slow', 100))
})

it('a check that notices faults is worth more time than one that never did', () => {
  const experience = new Experience()
  for (let fault = 0; fault < 10; fault += 1) experience.add(['quick', 'slow'], ['slow'])
  expect(experience.costOf('slow', 100)).toBeLessThan(experience.costOf('quick', 10))
  // But not any.
  expect(experience.costOf('slow', 1000)).toBeGreaterThan(experience.costOf('quick', 10))
})
