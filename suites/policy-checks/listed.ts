/** That a run lists a check, and says of it what showing it says, in every form that a list has. */
import type { CheckContext } from '../../harness/checks/index.ts'
import { documented, show } from './fixtures.ts'
import { inEach, listings, mapped } from './readings.ts'

/** Decides that the list of a run holds a check once in every form, and says the same of it as its own route. */
export const listedAsShown = async ({ bench, expect }: CheckContext, id: string, run: string): Promise<void> => {
  // Nothing says that the run has no other checks; a fixture of one check is of a small run.
  const own = async () => mapped(await listings(bench, run, 1), (items) => items.filter((item) => item.id === id))
  const seen = await own()
  const whole = Object.fromEntries(Object.entries(seen).filter(([form]) => form.startsWith('whole')))
  await bench.decide('POLICY-CHECKS-LIST-03', () =>
    expect(
      mapped(whole, (items) => items.map((item) => item.id)),
      'the check in the list of its run',
    ).toEqual(inEach(whole, [id])),
  )
  // A check may go on between two reads.
  await bench.decide('POLICY-CHECKS-LIST-09', () =>
    bench.eventually(async () => {
      const listed = mapped(await own(), (items) => items.map(documented))
      const shown = documented((await show(bench, id)).data)
      for (const [form, items] of Object.entries(listed)) {
        for (const item of items) expect(item, `the check in the list, ${form}`).toEqual(shown)
      }
    }),
  )
}
