/** A role uses a transformation where both allow it: the role's list and the transformation's. */
import { isDeepStrictEqual } from 'node:util'
import { type Bench, type CallInput, check, type JsonObject } from '../../../harness/checks/index.ts'
import {
  DIGITS,
  type Item,
  nearNames,
  newRole,
  newScheme,
  newValue,
  type Scheme,
  tweakIn,
  using,
  withTransformations,
} from '../fixtures.ts'

const OPERATIONS = { encode: 'transform.encode', decode: 'transform.decode' } as const
type Action = keyof typeof OPERATIONS

interface Combination {
  about: string
  clause: Record<Action, string>
  /** What the role lists, and whom the transformation allows. */
  listed(name: string): string[]
  allowed(role: string): string[]
}

const COMBINATIONS: Combination[] = [
  {
    about: 'role-without',
    clause: { encode: 'TRANSFORM-ACCESS-01', decode: 'TRANSFORM-ACCESS-03' },
    listed: () => [],
    allowed: (role) => [role],
  },
  {
    about: 'role-with-others',
    clause: { encode: 'TRANSFORM-ACCESS-01', decode: 'TRANSFORM-ACCESS-03' },
    listed: nearNames,
    allowed: (role) => [role],
  },
  {
    about: 'transformation-without',
    clause: { encode: 'TRANSFORM-ACCESS-02', decode: 'TRANSFORM-ACCESS-04' },
    listed: (name) => [name],
    allowed: () => [],
  },
  {
    about: 'transformation-with-others',
    clause: { encode: 'TRANSFORM-ACCESS-02', decode: 'TRANSFORM-ACCESS-04' },
    listed: (name) => [name],
    allowed: nearNames,
  },
  { about: 'neither', clause: { encode: 'TRANSFORM-ACCESS-01', decode: 'TRANSFORM-ACCESS-04' }, listed: () => [], allowed: () => [] },
]

interface Placed {
  scheme: Scheme
  role: string
}

/** A transformation that its owner may use, and a role of which one side or both say nothing. */
const placed = async (bench: Bench, combination: Combination, kind: 'fpe' | 'masking', source: string): Promise<Placed> => {
  const role = bench.mixedName('role')
  const fields: JsonObject = kind === 'fpe' ? { tweak_source: source } : {}
  const scheme = await newScheme(bench, kind, { fields, alsoAllowed: combination.allowed(role) })
  const listed = combination.listed(scheme.name)
  const transformations = listed.includes(scheme.name) ? listed : await withTransformations(bench, listed)
  await bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
  return { scheme, role }
}

const request = (role: string, scheme: Scheme, value: string, more: Item = {}): CallInput => ({
  path: { role_name: role },
  body: scheme.item(value, more),
})

for (const combination of COMBINATIONS)
  for (const action of ['encode', 'decode'] as const)
    check(
      `transform/${action}-${combination.about}`,
      combination.clause[action],
      `${action} uses no transformation that either side does not allow`,
      { kind: 'security' },
      async ({ bench }) => {
        const kinds = action === 'encode' ? (['fpe', 'masking'] as const) : (['fpe'] as const)
        for (const kind of kinds)
          for (const source of kind === 'fpe' ? ['supplied', 'internal'] : ['']) {
            const { scheme, role } = await placed(bench, combination, kind, source)
            const plain = newValue(bench, DIGITS, 16)
            const value = action === 'encode' ? plain : await scheme.encoded(plain)
            const refuse = (label: string, bad: CallInput, control: CallInput) =>
              bench.refuses(OPERATIONS[action], { label, bad, control, unchanged: null, because: 'coding a value changes nothing' })
            // What is the only one of a role counts as named where it is not.
            for (const more of combination.listed(scheme.name).length === 1 ? [{}, { transformation: undefined }] : [{}])
              await refuse(
                `${kind} ${source}${'transformation' in more ? ', unnamed' : ''}`,
                request(role, scheme, value, more),
                request(scheme.role, scheme, value, more),
              )
            // The path says which role it is, not the body.
            const named = { role_name: scheme.role, name: scheme.role, role: scheme.role }
            await refuse(
              `${kind} ${source}, the other role in the body`,
              { ...request(role, scheme, value, named), invalid: true },
              request(scheme.role, scheme, value),
            )
          }
      },
    )

check(
  'transform/unknown-role',
  'TRANSFORM-ACCESS-05',
  'an unknown role encodes and decodes nothing',
  { kind: 'security' },
  async ({ bench }) => {
    const scheme = await newScheme(bench)
    const value = newValue(bench, DIGITS, 16)
    const encoded = await scheme.encoded(value)
    for (const role of [bench.fresh('nobody'), `${scheme.role}-2`, scheme.role.slice(0, -1)])
      for (const action of ['encode', 'decode'] as const) {
        const body = action === 'encode' ? value : encoded
        await bench.refuses(OPERATIONS[action], {
          bad: request(role, scheme, body),
          control: request(scheme.role, scheme, body),
          unchanged: null,
          because: 'coding a value changes nothing',
          status: [400, 404],
        })
      }
  },
)

check(
  'transform/one-transformation',
  'TRANSFORM-ACCESS-06',
  'a role with one transformation need not name it',
  async ({ bench, expect }) => {
    for (const source of ['supplied', 'internal', 'generated']) {
      const scheme = await newScheme(bench, 'fpe', { fields: { tweak_source: source } })
      const value = newValue(bench, DIGITS, 16)
      for (const transformation of [undefined, scheme.name]) {
        const encoded = await scheme.encode(value, { transformation })
        expect(encoded, 'encoding').toSucceed()
        const tweak = source === 'supplied' ? scheme.tweak : source === 'generated' ? tweakIn(encoded.data) : undefined
        // How a value is decoded whose generated tweak is not returned is not said.
        if (source === 'generated' && tweak === undefined) continue
        const decoded = await scheme.decode(String(encoded.data.encoded_value), { transformation, tweak })
        expect(decoded.data.decoded_value, 'the value again').toBe(value)
      }
    }
  },
)

interface Several {
  role: string
  schemes: Scheme[]
}

const several = async (bench: Bench): Promise<Several> => {
  const role = bench.mixedName('role')
  const schemes = [
    await newScheme(bench, 'fpe', { alsoAllowed: [role] }),
    await newScheme(bench, 'fpe', { alsoAllowed: [bench.mixedName('x'), role] }),
    await newScheme(bench, 'fpe', { alsoAllowed: [role, bench.mixedName('y')] }),
  ]
  await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: schemes.map(({ name }) => name) } })
  return { role, schemes }
}

check(
  'transform/several-unnamed',
  ['TRANSFORM-ACCESS-07', 'TRANSFORM-ACCESS-12'],
  'a role with several transformations has to name one',
  async ({ bench, expect }) => {
    const { role, schemes } = await several(bench)
    const [scheme] = schemes as [Scheme]
    const value = newValue(bench, DIGITS, 16)
    const use = using(bench, role, scheme.name, scheme.tweak)
    await bench.decide('TRANSFORM-ACCESS-07', async () => {
      for (const transformation of [undefined, '']) expect(await use.encode(value, { transformation }), 'without a name').toBeRefused()
      expect(await use.encode(value), 'with a name').toSucceed()
    })
    const encoded = await scheme.encoded(value)
    await bench.decide('TRANSFORM-ACCESS-12', async () => expect(await use.decode(encoded, { transformation: undefined })).toBeRefused())
    // A role that keeps two names has several, whether or not both are there.
    const path = { name: scheme.role }
    const named = [scheme.name, bench.fresh('missing')]
    if (!(await bench.call('transform.writeRole', { path, body: { transformations: named } })).ok) return
    if (!isDeepStrictEqual((await bench.call('transform.readRole', { path })).data.transformations, named)) return
    const unnamed = await scheme.encode(value, { transformation: undefined })
    await bench.decide('TRANSFORM-ACCESS-07', () => expect(unnamed, 'without a name, where one of two is not there').toBeRefused())
  },
)

check(
  'transform/several-named',
  ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'],
  'each of several transformations is used by its name',
  async ({ bench, expect }) => {
    const { role, schemes } = await several(bench)
    const value = newValue(bench, DIGITS, 16)
    for (const scheme of schemes) {
      const answer = await using(bench, role, scheme.name, scheme.tweak).encode(value)
      await bench.decide('TRANSFORM-ACCESS-13', () => expect(answer, 'one of several').toSucceed())
      const encoded = String(answer.data.encoded_value)
      await bench.decide('TRANSFORM-ACCESS-08', async () => {
        expect(encoded, 'what the transformation of this name gives its own role').toBe(await scheme.encoded(value))
        const decoded = await using(bench, role, scheme.name, scheme.tweak).decode(encoded)
        expect(decoded.data.decoded_value, 'the value again').toBe(value)
      })
    }
  },
)

check(
  'transform/role-changes',
  ['TRANSFORM-ACCESS-09', 'TRANSFORM-ROLE-06', 'TRANSFORM-ROLE-09'],
  'what a role may changes with its list',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const role = await newRole(bench, [])
    const scheme = await newScheme(bench, 'fpe', { alsoAllowed: [role] })
    const other = await newScheme(bench, 'fpe', { alsoAllowed: [role] })
    const use = using(bench, role, scheme.name, scheme.tweak)
    const value = newValue(bench, DIGITS, 16)
    const encoded = await scheme.encoded(value)
    const both = async () => [await use.encode(value), await use.decode(encoded)]
    const write = (body: { transformations?: string[] }) => bench.given('transform.writeRole', { path: { name: role }, body })
    const may = async (allowed: boolean, when: string): Promise<void> => {
      for (const answer of await both()) {
        if (allowed) expect(answer, when).toSucceed()
        else expect(answer, when).toBeRefused()
      }
    }
    await bench.decide('TRANSFORM-ROLE-06', () => may(false, 'a role with an empty list'))
    for (const list of bench.few([[scheme.name], [other.name, scheme.name]], 1)) {
      await write({ transformations: list })
      await bench.decide('TRANSFORM-ACCESS-09', () => may(true, 'the role names it now'))
      await write({ transformations: [other.name] })
      await bench.decide('TRANSFORM-ACCESS-09', () => may(false, 'the role names it no longer'))
    }
    await write({ transformations: [scheme.name] })
    await bench.decide('TRANSFORM-ACCESS-09', () => may(true, 'the role names it, right before it is deleted'))
    await bench.given('transform.deleteRole', { path: { name: role } })
    await bench.decide('TRANSFORM-ROLE-09', () => may(false, 'the role is deleted'))
    await write({})
    await bench.decide('TRANSFORM-ROLE-09', () => may(false, 'the role is created again, without a list'))
    await bench.decide('TRANSFORM-ROLE-06', async () => {
      const read = await bench.given('transform.readRole', { path: { name: role } })
      expect(read.data.transformations).toEqual([])
    })
    await write({ transformations: [scheme.name] })
    await bench.decide('TRANSFORM-ACCESS-09', () => may(true, 'the role names it again'))
  },
)

check(
  'transform/deleted-transformation',
  'TRANSFORM-READ-07',
  'a deleted transformation codes nothing more, and its neighbour goes on',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const [scheme, neighbour] = [await newScheme(bench), await newScheme(bench)]
    const value = newValue(bench, DIGITS, 16)
    const [encoded, beside] = [await scheme.encoded(value), await neighbour.encoded(value)]
    expect((await scheme.decode(encoded)).data.decoded_value, 'the value, before the deletion').toBe(value)
    await bench.given('transform.deleteTransformation', { path: { name: scheme.name } })
    expect(await scheme.encode(value), 'encoding with what is deleted').toBeRefused()
    expect(await scheme.decode(encoded), 'decoding with what is deleted').toBeRefused()
    expect((await neighbour.decode(beside)).data.decoded_value, 'the neighbour').toBe(value)
  },
)
