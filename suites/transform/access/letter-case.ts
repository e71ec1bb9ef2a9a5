/** Roles whose names differ by letter case alone. */
import { isDeepStrictEqual } from 'node:util'
import type { CheckContext } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, using } from '../fixtures.ts'

/** A role whose name differs by case alone from one that is allowed may do nothing, where the server keeps the two apart. */
export const upperCaseNotAllowed = async ({ bench, expect }: Pick<CheckContext, 'bench' | 'expect'>): Promise<void> => {
  const scheme = await newScheme(bench)
  const upper = scheme.role.toUpperCase()
  const read = async () => (await bench.call('transform.readRole', { path: { name: scheme.role } })).data
  const before = await read()
  const other = await newScheme(bench)
  const body = { transformations: [scheme.name, other.name] }
  // Names that differ by case alone may mean one role: a write of the second name then changes the first.
  const written = await bench.call('transform.writeRole', { path: { name: upper }, body })
  if (!written.ok || !isDeepStrictEqual(await read(), before)) return
  const use = using(bench, upper, scheme.name, scheme.tweak)
  const value = newValue(bench, DIGITS, 16)
  const encoded = await scheme.encoded(value)
  const answers = { 'TRANSFORM-ACCESS-02': await use.encode(value), 'TRANSFORM-ACCESS-04': await use.decode(encoded) }
  for (const [clause, answer] of Object.entries(answers))
    await bench.decide(clause, () => expect(answer, 'a role that is allowed under another case of its name').toBeRefused())
}
