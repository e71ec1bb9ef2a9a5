/** What holds of the pages of every listing that has them. */
import type { Answer } from '../target/exchange.ts'
import type { CheckContext } from './vocabulary.ts'

/** Number and size of pages that make no sense. */
const ODD: readonly [number: string, size: string][] = [
  ['99', '2'],
  ['0', '2'],
  ['-1', '2'],
  ['x', '2'],
  ['1', '0'],
  ['1', '-3'],
  ['1', 'many'],
  ['1', '1000'],
  ['1', '1.5'],
  ['9'.repeat(30), '2'],
]

/**
 * Asks for pages that make no sense. None may make the server fail, which decides `failed`; what it answers is observed for `answered`.
 *
 * @param ask lists with the number and the size of a page.
 * @param itemsOf how many items an answer holds.
 */
export const oddPages = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  clauses: { failed: string; answered: string },
  ask: (number: string, size: string) => Promise<Answer>,
  itemsOf: (answer: Answer) => number,
): Promise<void> => {
  const seen: Record<string, string> = {}
  for (const [number, size] of ODD) {
    const answer = await ask(number, size)
    seen[`${number} of ${size}`] = answer.ok ? `${answer.status} with ${itemsOf(answer)} items` : String(answer.status)
    await bench.decide(clauses.failed, () => expect(answer.status, `page ${number} of size ${size}`).toBeLessThan(500))
  }
  bench.observe(clauses.answered, seen)
}
