/** A request changes what it names and nothing else: what has its name in common, or is used beside it, stays as it was. */
import { type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { classOf, newValue, resultsOf, using, WORDS } from '../fixtures.ts'
import { asking } from '../tokens/fixtures.ts'

const WORD = ['alphabet', 'template', 'fpe', 'masking', 'tokenization', 'role'] as const
type Word = (typeof WORD)[number]

const OPERATIONS: Record<Word, { write: string; read: string; remove: string }> = {
  alphabet: { write: 'transform.writeAlphabet', read: 'transform.readAlphabet', remove: 'transform.deleteAlphabet' },
  template: { write: 'transform.writeTemplate', read: 'transform.readTemplate', remove: 'transform.deleteTemplate' },
  fpe: { write: 'transform.writeFpe', read: 'transform.readTransformation', remove: 'transform.deleteTransformation' },
  masking: { write: 'transform.writeMasking', read: 'transform.readTransformation', remove: 'transform.deleteTransformation' },
  tokenization: { write: 'transform.writeTokenization', read: 'transform.readTransformation', remove: 'transform.deleteTransformation' },
  role: { write: 'transform.writeRole', read: 'transform.readRole', remove: 'transform.deleteRole' },
}

/** What differs in the bodies of those that are beside what is watched; `alphabet` is one that nothing watched uses. */
const othersBeside = (alphabet: string): Record<Word, JsonObject[]> => ({
  alphabet: [{ alphabet: '0123456789' }],
  template: [{ pattern: '([0-9]+)' }, { alphabet }],
  fpe: [{ tweak_source: 'supplied', allowed_roles: [] }],
  masking: [{ masking_character: '#', allowed_roles: [] }],
  tokenization: [{ allowed_roles: [] }],
  role: [{ transformations: [] }],
})

interface World {
  /** Names that begin the watched names, the watched ones, and names that continue them. */
  names: Record<Word, [short: string, watched: string, long: string]>
  bodies: Record<Word, JsonObject>
  /** A role that lists the other transformations too. */
  crowd: string
  /** Those of the watched that are there, as they read now. */
  reads(): Promise<Partial<Record<Word, JsonObject>>>
  /** Everything that is watched, as it is seen now. */
  seen(): Promise<Json>
}

/** One of each, using each other, with a value that each of its transformations has coded. */
const worldOf = async (bench: Bench): Promise<World> => {
  const names = Object.fromEntries(
    WORD.map((word) => {
      const prefix = bench.fresh(word)
      return [word, [prefix, `${prefix}-2`, `${prefix}-2-b`]]
    }),
  ) as World['names']
  const [crowd, role] = [bench.fresh('crowd'), names.role[1]]
  const kinds = [names.fpe, names.masking, names.tokenization]
  const allowed_roles = [role, crowd]
  const bodies: World['bodies'] = {
    alphabet: { alphabet: WORDS },
    template: { type: 'regex', pattern: `(${classOf(WORDS)}+)`, alphabet: names.alphabet[1] },
    fpe: { template: names.template[1], tweak_source: 'internal', allowed_roles },
    masking: { template: names.template[1], allowed_roles },
    tokenization: { allowed_roles },
    role: { transformations: kinds.map(([, watched]) => watched) },
  }
  for (const word of WORD) await bench.given(OPERATIONS[word].write, { path: { name: names[word][1] }, body: bodies[word] })
  // Whether a role may name transformations that are not there is not said.
  const all = await bench.call('transform.writeRole', { path: { name: crowd }, body: { transformations: kinds.flat() } })
  if (!all.ok) await bench.given('transform.writeRole', { path: { name: crowd }, body: bodies.role })
  const value = newValue(bench, WORDS, 32)
  const [fpe, masking, tokens] = [using(bench, role, kinds[0]![1]), using(bench, role, kinds[1]![1]), asking(bench, role, kinds[2]![1])]
  const [encoded, masked, token] = [await fpe.encoded(value), await masking.encoded(value), await tokens.token(value)]
  const inCrowd = ['fpe', 'masking'].map((word) => ({ value, transformation: names[word as Word][1] }))
  const reads: World['reads'] = async () => {
    const all: Partial<Record<Word, JsonObject>> = {}
    for (const word of WORD) {
      const answer = await bench.call(OPERATIONS[word].read, { path: { name: names[word][1] } })
      if (answer.ok) all[word] = answer.data
    }
    return all
  }
  return {
    names,
    bodies,
    crowd,
    reads,
    async seen() {
      const among = resultsOf(await bench.call('transform.encode', { path: { role_name: crowd }, body: { batch_input: inCrowd } }))
      return {
        reads: await reads(),
        crowd: among.map((result) => result.encoded_value === encoded || result.encoded_value === masked),
        encoded: (await fpe.encode(value)).data.encoded_value === encoded,
        decoded: (await fpe.decode(encoded)).data.decoded_value === value,
        masked: (await masking.encode(value)).data.encoded_value === masked,
        token: (await tokens.decode(token)).data.decoded_value === value,
        valid: (await tokens.validate(token)).data.valid ?? null,
        tokenized: (await tokens.tokenized(value)).data.tokenized ?? null,
      }
    },
  }
}

for (const word of WORD)
  check(
    `transform/${word}-apart`,
    'TRANSFORM-APART-01',
    `making, changing and deleting one ${word} leaves everything beside it`,
    async ({ bench, expect }) => {
      const { names, bodies, seen } = await worldOf(bench)
      const before = await seen()
      expect(before, 'what was coded, before').toMatchObject({ crowd: [true, true], decoded: true, token: true, tokenized: true })
      const { write, remove } = OPERATIONS[word]
      const unused = bench.fresh('unused')
      await bench.given('transform.writeAlphabet', { path: { name: unused }, body: { alphabet: '0123456789' } })
      const others = othersBeside(unused)[word]
      const [short, watched, long] = names[word]
      const body = bodies[word]
      // One begins as another and ends as what is watched, one the other way round.
      for (const [name, bodiesOfName] of [
        [short, [body, ...others]],
        [long, [...others, body]],
        [watched, [body]],
      ] as const)
        for (const one of bodiesOfName) {
          await bench.call(write, { path: { name }, body: { ...body, ...one } })
          expect(await seen(), 'after a write beside it, or of the same').toEqual(before)
        }
      for (const name of [short, long]) {
        await bench.call(remove, { path: { name } })
        expect(await seen(), 'after one beside it was deleted').toEqual(before)
      }
    },
  )

for (const word of WORD)
  check(
    `transform/${word}-deleted-in-use`,
    'TRANSFORM-APART-01',
    `deleting one ${word} neither deletes nor changes what names it`,
    async ({ bench, expect }) => {
      const { names, reads } = await worldOf(bench)
      const before = await reads()
      const answer = await bench.call(OPERATIONS[word].remove, { path: { name: names[word][1] } })
      // Whether what is used can be deleted is not said. Nothing else goes with it, and all of that stays as it was written.
      const after = await reads()
      for (const other of WORD) if (other !== word || !answer.ok) expect(after[other], `${other} after the deletion`).toEqual(before[other])
    },
  )
