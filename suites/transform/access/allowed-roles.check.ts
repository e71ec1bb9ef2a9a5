/** What roles may changes with the list of a transformation, which names them to the letter. */
import { isDeepStrictEqual } from 'node:util'
import { type CheckContext, check, textsIn } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, type Scheme, using } from '../fixtures.ts'

/** A role whose name differs by case alone from one that is allowed may do nothing, where the server keeps the two apart. */
const upperCaseNotAllowed = async ({ bench, expect }: Pick<CheckContext, 'bench' | 'expect'>): Promise<void> => {
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

check(
  'transform/allowed-roles-change',
  ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-04', 'TRANSFORM-ACCESS-10', 'TRANSFORM-READ-02', 'TRANSFORM-FPE-09'],
  'what roles may changes with the transformation',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const schemes = [await newScheme(bench), await newScheme(bench, 'fpe', { fields: { tweak_source: 'internal' } })]
    const value = newValue(bench, DIGITS, 16)
    const before = new Map<Scheme, string>()
    for (const scheme of schemes) before.set(scheme, await scheme.encoded(value))
    const lists = ({ role }: Scheme) => [[], [bench.mixedName('x')], [role], [bench.mixedName('y'), role], [`${role}-2`]]
    for (const [scheme, roles] of schemes.flatMap((one) => lists(one).map((list) => [one, list] as const))) {
      const path = { name: scheme.name }
      const encoded = before.get(scheme)!
      const body = { template: scheme.template, tweak_source: scheme.tweak === undefined ? 'internal' : 'supplied', allowed_roles: roles }
      await bench.given('transform.writeFpe', { path, body })
      const allowed = roles.includes(scheme.role)
      const answers = [await scheme.encode(value), await scheme.decode(encoded)]
      await bench.decide('TRANSFORM-ACCESS-10', () => {
        for (const answer of answers) {
          if (allowed) expect(answer, 'a role that is allowed now').toSucceed()
          else expect(answer, 'a role that is not allowed now').toBeRefused()
        }
      })
      if (allowed)
        await bench.decide('TRANSFORM-FPE-09', () => {
          expect(answers[0]!.data.encoded_value, 'encoded after the update').toBe(encoded)
          expect(answers[1]!.data.decoded_value, 'decoded after the update').toBe(value)
        })
      const read = await bench.given('transform.readTransformation', { path })
      await bench.decide('TRANSFORM-READ-02', () => expect(textsIn(read.data.allowed_roles).sort()).toEqual([...roles].sort()))
    }
    await upperCaseNotAllowed({ bench, expect })
  },
)
