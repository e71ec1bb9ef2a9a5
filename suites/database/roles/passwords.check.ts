/** Generated passwords. */
import { check } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

/** What each password holds by the default policy. */
const HOLDS: [clause: string, pattern: RegExp][] = [
  ['DATABASE-POLICY-02', /[A-Z]/],
  ['DATABASE-POLICY-03', /[a-z]/],
  ['DATABASE-POLICY-04', /\d/],
  ['DATABASE-POLICY-05', /-/],
]

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('creds-password'),
    ['DATABASE-POLICY-01', ...HOLDS.map(([clause]) => clause)],
    'passwords are made by the default policy',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role()
      const made = [await place.credential(role), await place.credential(role)]
      // An empty name of a policy stands for none.
      const body = { ...place.body, password_policy: '' }
      const written = await bench.call('database.writeConnection', { path: { name: place.connection }, body })
      made.push(await place.credential(role))
      for (const [clause, pattern] of HOLDS)
        await bench.decide(clause, () => {
          for (const { password } of made) expect(pattern.test(password), `the password holds ${pattern}`).toBe(true)
        })
      await bench.decide('DATABASE-POLICY-01', () => {
        expect(written, 'a connection with an empty name of a policy').toSucceed()
        for (const { password } of made) expect(password.length).toBe(20)
      })
    },
  )
}
