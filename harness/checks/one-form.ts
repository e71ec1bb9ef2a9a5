/** Values that the contract lets be written in several forms, one of which has to work. */
import { AssertionFailure, Refused } from '../base/errors.ts'

/**
 * Tries every form of a value, whatever came of the one before, and asserts that one of them works.
 *
 * @param forms by name, what a form that works has to hold; a refused set-up is a form that is not taken.
 * @throws AssertionFailure where none works, with what became of each.
 */
export const oneFormWorks = async (forms: Readonly<Record<string, () => Promise<void>>>): Promise<void> => {
  const failures: [form: string, failure: AssertionFailure | Refused][] = []
  for (const [form, works] of Object.entries(forms))
    try {
      await works()
    } catch (error) {
      if (!(error instanceof AssertionFailure || error instanceof Refused)) throw error
      failures.push([form, error])
    }
  if (failures.length < Object.keys(forms).length) return
  const what = failures.map(([form, { message }]) => `${form}: ${message}`).join('; ')
  const shown = failures.flatMap(([, failure]) => (failure instanceof AssertionFailure ? (failure.exchange ?? []) : []))
  throw new AssertionFailure(`none of these forms works: ${what}`, 'one of them', 'none', shown[0], shown.slice(1))
}
