/** The older path makes what the path for each type makes; defaults are asked for by leaving the field out, and by their effect. */
import { type Answer, type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newTemplate, newTweak, newValue, type TemplateKind, using, WRITES } from '../fixtures.ts'

const OLDER = 'transform.writeTransformation'

interface Written {
  template: string
  role: string
  name: string
  answer: Answer
  read: Answer
}

/** Writes a transformation with these fields beside its template, and a role for it. */
const write = async (bench: Bench, operation: string, fields: JsonObject): Promise<Written> => {
  const [role, name] = [bench.mixedName('role'), bench.mixedName('typed')]
  const template = await newTemplate(bench)
  const allowed = fields.allowed_roles === undefined ? { allowed_roles: [role] } : {}
  const { allowed_roles: own, ...rest } = fields
  const body = { template, ...allowed, ...rest, ...(own === undefined || own === null ? {} : { allowed_roles: own }) }
  const answer = await bench.call(operation, { path: { name }, body })
  if (answer.ok) await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
  return { template, role, name, answer, read: await bench.call('transform.readTransformation', { path: { name } }) }
}

/** By either path, with the clauses of each. */
const waysTo = (kind: TemplateKind, clause: string): [operation: string, type: JsonObject, clause: string][] => [
  [WRITES[kind], {}, clause],
  [OLDER, { type: kind }, kind === 'fpe' ? 'TRANSFORM-TYPED-01' : 'TRANSFORM-TYPED-02'],
]

/** Encrypts and decrypts with a tweak, refuses without one. */
const needsTweak = async (bench: Bench, expect: Expect, { role, name }: Written): Promise<void> => {
  const tweak = newTweak(bench)
  const use = using(bench, role, name, tweak)
  const value = newValue(bench, DIGITS, 16)
  expect(await use.encode(value, { tweak: undefined }), 'encoding without a tweak').toBeRefused()
  const encoded = await use.encode(value)
  expect(encoded, 'encoding with a tweak').toSucceed()
  const decoded = await use.decode(String(encoded.data.encoded_value))
  expect(decoded.data.decoded_value, 'the value again').toBe(value)
}

const SOURCES = ['supplied', 'generated', 'internal']

for (const [operation, type, clause] of waysTo('fpe', 'TRANSFORM-FPE-01')) {
  const id = `transform/${operation.split('.')[1]}-fpe`
  check(id, clause, 'a transformation of type fpe is made, with every source of tweaks', async ({ bench, expect }) => {
    for (const source of SOURCES) {
      const made = await write(bench, operation, { ...type, tweak_source: source })
      expect(made.answer).toSucceed()
      const value = newValue(bench, DIGITS, 16)
      const answer = await using(bench, made.role, made.name, newTweak(bench)).encode(
        value,
        source === 'supplied' ? {} : { tweak: undefined },
      )
      expect(answer, `encoding with source ${source}`).toSucceed()
      expect(answer.data.encoded_value, 'the encoded value').not.toBe(value)
    }
  })

  check(
    `${id}-read`,
    ['TRANSFORM-READ-01', 'TRANSFORM-READ-02', 'TRANSFORM-READ-04'],
    'a transformation of type fpe is read, with every source of tweaks',
    async ({ bench, expect }) => {
      for (const source of SOURCES) {
        const { read, role } = await write(bench, operation, { ...type, tweak_source: source })
        await bench.decide('TRANSFORM-READ-01', () => {
          expect(read).toHaveStatus(200)
          expect(read.data.type).toBe('fpe')
        })
        await bench.decide('TRANSFORM-READ-02', () => expect(read.data.allowed_roles).toEqual([role]))
        await bench.decide('TRANSFORM-READ-04', () => expect(read.data.tweak_source).toBe(source))
      }
    },
  )
}

for (const [operation, type, clause] of waysTo('masking', 'TRANSFORM-MASKING-01'))
  check(
    `transform/${operation.split('.')[1]}-masking`,
    [clause, 'TRANSFORM-READ-01', 'TRANSFORM-READ-03'],
    'a transformation of type masking is made',
    async ({ bench, expect }) => {
      for (const character of ['#', 'x']) {
        const made = await write(bench, operation, { ...type, masking_character: character })
        const value = newValue(bench, DIGITS, 16)
        const answer = await using(bench, made.role, made.name).encode(value)
        await bench.decide(clause, () => {
          expect(made.answer).toSucceed()
          expect(answer.data.encoded_value).toBe(character.repeat(16))
        })
        await bench.decide('TRANSFORM-READ-01', () => expect(made.read.data.type).toBe('masking'))
        await bench.decide('TRANSFORM-READ-03', () => expect(made.read.data.templates).toEqual([made.template]))
      }
    },
  )

for (const [operation, type, clause] of [
  [WRITES.fpe, {}, 'TRANSFORM-FPE-04'],
  [OLDER, { type: 'fpe' }, 'TRANSFORM-TYPED-08'],
] as const)
  check(
    `transform/${operation.split('.')[1]}-source-default`,
    clause,
    'without tweak_source the caller gives the tweak',
    async ({ bench, expect }) => {
      for (const fields of [{}, { tweak_source: 'supplied' }] as JsonObject[]) {
        const made = await write(bench, operation, { ...type, ...fields })
        expect(made.answer).toSucceed()
        expect(made.read.data.tweak_source).toBe('supplied')
        await needsTweak(bench, expect, made)
      }
    },
  )

for (const [operation, type, clause] of [
  [WRITES.masking, {}, 'TRANSFORM-MASKING-04'],
  [OLDER, { type: 'masking' }, 'TRANSFORM-TYPED-10'],
] as const)
  check(
    `transform/${operation.split('.')[1]}-character-default`,
    clause,
    'without masking_character a star masks',
    async ({ bench, expect }) => {
      for (const fields of [{}, { masking_character: '*' }] as JsonObject[]) {
        const made = await write(bench, operation, { ...type, ...fields })
        const answer = await using(bench, made.role, made.name).encode(newValue(bench, DIGITS, 12))
        expect(answer.data.encoded_value).toBe('*'.repeat(12))
      }
    },
  )

for (const [operation, type, clause] of [
  [WRITES.fpe, {}, 'TRANSFORM-FPE-07'],
  [WRITES.masking, {}, 'TRANSFORM-MASKING-06'],
  [OLDER, { type: 'fpe' }, 'TRANSFORM-TYPED-11'],
  [OLDER, { type: 'masking' }, 'TRANSFORM-TYPED-11'],
] as const)
  check(
    `transform/${operation.split('.')[1]}-${Object.values(type)[0] ?? 'typed'}-nobody-by-default`,
    clause,
    'without allowed_roles no role may use a transformation',
    async ({ bench, expect }) => {
      for (const fields of [{ allowed_roles: null }, { allowed_roles: [] }]) {
        const made = await write(bench, operation, { ...type, ...fields })
        expect(made.answer).toSucceed()
        expect(made.read.data.allowed_roles).toEqual([])
        const value = newValue(bench, DIGITS, 16)
        const use = using(bench, made.role, made.name, made.read.data.type === 'fpe' ? newTweak(bench) : undefined)
        expect(await use.encode(value), 'a role that no list allows').toBeRefused()
        const template = made.template
        const body = { template, ...type, allowed_roles: [made.role] }
        await bench.given(operation, { path: { name: made.name }, body })
        expect(await use.encode(value), 'the same role once it is allowed').toSucceed()
      }
    },
  )

const KINDS = ['fpe', 'masking', 'tokenization'] as const
const pathOf = (kind: (typeof KINDS)[number]): string => (kind === 'tokenization' ? 'transform.writeTokenization' : WRITES[kind])

/** What a role makes of a value: whether it masks, whether it gives characters of the alphabet as an encryption does, or a token. */
const kindOfCode = (value: string, code: unknown): (typeof KINDS)[number] =>
  code === '*'.repeat(value.length) ? 'masking' : /^\d{16}$/.test(String(code)) ? 'fpe' : 'tokenization'

for (const [used, about] of [
  [true, 'that is used'],
  [false, 'that no role may use'],
] as const)
  check(
    `transform/type-immutable${used ? '' : '-unused'}`,
    'TRANSFORM-TYPED-12',
    `the type of a transformation ${about} cannot be changed`,
    async ({ bench, expect }) => {
      for (const kind of bench.few(KINDS, 1))
        for (const other of KINDS.filter((one) => one !== kind))
          for (const [operation, type] of [
            [pathOf(other), {}],
            [OLDER, { type: other }],
          ] as const) {
            const made = await write(bench, pathOf(kind), used ? {} : { allowed_roles: null })
            const path = { name: made.name }
            const roles: JsonObject = used ? { allowed_roles: [made.role] } : {}
            await bench.call(operation, { path, body: { template: made.template, ...type, ...roles } })
            const read = await bench.given('transform.readTransformation', { path })
            expect(read.data.type, `the type after a write as ${other}`).toBe(kind)
            if (!used) await bench.given(pathOf(kind), { path, body: { template: made.template, allowed_roles: [made.role] } })
            const value = newValue(bench, DIGITS, 16)
            const answer = await using(bench, made.role, made.name, newTweak(bench)).encode(value)
            expect(answer, `encoding after a write as ${other}`).toSucceed()
            expect(kindOfCode(value, answer.data.encoded_value), `what it does after a write as ${other}`).toBe(kind)
          }
    },
  )

check(
  'transform/another-type-anew',
  'TRANSFORM-READ-09',
  'a deleted name is free for a transformation of another type',
  async ({ bench, expect }) => {
    for (const kind of ['fpe', 'masking'] as const) {
      const other = kind === 'fpe' ? 'masking' : 'fpe'
      const made = await write(bench, WRITES[kind], {})
      const path = { name: made.name }
      await bench.given('transform.deleteTransformation', { path })
      const template = await newTemplate(bench)
      expect(await bench.call(WRITES[other], { path, body: { template, allowed_roles: [made.role] } })).toSucceed()
      const answer = await using(bench, made.role, made.name, other === 'fpe' ? newTweak(bench) : undefined).encode(
        newValue(bench, DIGITS, 16),
      )
      expect(answer.data.encoded_value === '*'.repeat(16), 'whether it masks').toBe(other === 'masking')
    }
  },
)

check('transform/fields-of-another-type', 'TRANSFORM-TYPED-15', 'fields of another type have no effect', async ({ bench, expect }) => {
  for (const [operation, type] of [
    [WRITES.fpe, {}],
    [OLDER, { type: 'fpe' }],
  ] as const) {
    const made = await write(bench, operation, { ...type, masking_character: '#' })
    if (made.answer.ok) await needsTweak(bench, expect, made)
    else expect((await write(bench, operation, { ...type })).answer, 'the same without the field').toSucceed()
  }
  for (const [operation, type] of [
    [WRITES.masking, {}],
    [OLDER, { type: 'masking' }],
  ] as const)
    for (const source of bench.few(['generated', 'internal', 'supplied'], 1)) {
      const made = await write(bench, operation, { ...type, tweak_source: source })
      if (!made.answer.ok) {
        expect((await write(bench, operation, { ...type })).answer, 'the same without the field').toSucceed()
        continue
      }
      const answer = await using(bench, made.role, made.name).encode(newValue(bench, DIGITS, 16))
      expect(answer.data.encoded_value).toBe('*'.repeat(16))
      expect(answer.data.tweak || null, 'a tweak of what is masked').toBe(null)
    }
})

check('transform/other-fields-read', 'TRANSFORM-READ-10', 'what reads show of fields of other types', async ({ bench }) => {
  const [encryption, mask] = [await write(bench, WRITES.fpe, {}), await write(bench, WRITES.masking, { masking_character: '#' })]
  bench.observe('TRANSFORM-READ-10', { fpe: Object.keys(encryption.read.data), masking: mask.read.data })
})

check('transform/older-character-object', 'TRANSFORM-TYPED-14', 'an object masks nothing', async ({ bench }) => {
  const template = await newTemplate(bench)
  for (const odd of [{ a: '#' }, ['#', ['x']]]) {
    const path = { name: bench.mixedName('typed') }
    const body = { type: 'masking', template, allowed_roles: [] }
    await bench.refuses(OLDER, {
      bad: { path, body: { ...body, masking_character: odd }, invalid: true },
      control: { path, body: { ...body, masking_character: '#' } },
      unchanged: { operation: 'transform.readTransformation', input: { path } },
    })
  }
})
