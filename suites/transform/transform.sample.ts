import { type Bench, type CallInput, type JsonObject, sample } from '../../harness/checks/index.ts'
import { DIGITS, newAlphabet, newRole, newScheme, newTemplate, newTransformation, newValue, withTransformations } from './fixtures.ts'
import { kinds, newStore, placeFor, schemaCall } from './stores/place.ts'
import { newText, newTokens, QUESTIONS } from './tokens/fixtures.ts'

const named =
  (operation: string) =>
  async (bench: Bench, input: CallInput): Promise<unknown> => {
    const { status, data } = await bench.call(operation, { path: input.path ?? {} })
    return status === 200 ? data : status
  }

interface Resource {
  word: string
  plural: string
  write: string[]
  make(bench: Bench): Promise<string>
  body(bench: Bench, operation: string): Promise<JsonObject>
}

const transformationBody = async (bench: Bench, operation: string): Promise<JsonObject> => {
  if (operation === 'writeTokenization')
    return { mapping_mode: 'default', max_ttl: '1h', allowed_roles: ['sample'], stores: ['builtin/internal'] }
  const template = await newTemplate(bench)
  if (operation === 'writeMasking') return { template, masking_character: '#', allowed_roles: ['sample'] }
  const body = { template, tweak_source: 'supplied', allowed_roles: ['sample'] }
  return operation === 'writeFpe' ? body : { ...body, type: 'fpe' }
}

const resources: Resource[] = [
  {
    word: 'Alphabet',
    plural: 'Alphabets',
    write: ['writeAlphabet'],
    make: (bench) => newAlphabet(bench, DIGITS),
    body: async () => ({ alphabet: DIGITS }),
  },
  {
    word: 'Template',
    plural: 'Templates',
    write: ['writeTemplate'],
    make: (bench) => newTemplate(bench),
    body: async (bench) => ({ type: 'regex', pattern: '([0-9]+)', alphabet: await newAlphabet(bench, DIGITS) }),
  },
  {
    word: 'Transformation',
    plural: 'Transformations',
    write: ['writeTransformation', 'writeFpe', 'writeMasking', 'writeTokenization'],
    make: async (bench) => newTransformation(bench, 'fpe', { template: await newTemplate(bench) }),
    body: transformationBody,
  },
  {
    word: 'Role',
    plural: 'Roles',
    write: ['writeRole'],
    make: async (bench) => newRole(bench, await withTransformations(bench, [bench.fresh('sample')])),
    body: async (bench) => ({ transformations: await withTransformations(bench, [bench.fresh('sample')]) }),
  },
]

for (const { word, plural, write, make, body } of resources) {
  const state = named(`transform.read${word}`)
  for (const operation of write)
    sample({
      operation: `transform.${operation}`,
      input: async (bench) => ({ path: { name: bench.mixedName('sample') }, body: await body(bench, operation) }),
      state,
    })
  sample({ operation: `transform.read${word}`, input: async (bench) => ({ path: { name: await make(bench) } }) })
  sample({ operation: `transform.delete${word}`, input: async (bench) => ({ path: { name: await make(bench) } }), state })
  sample({
    operation: `transform.list${plural}`,
    async input(bench) {
      await make(bench)
      return {}
    },
  })
}

sample({
  operation: 'transform.encode',
  async input(bench) {
    const scheme = await newScheme(bench)
    return { path: { role_name: scheme.role }, body: scheme.item(newValue(bench, DIGITS, 16)) }
  },
})
sample({
  operation: 'transform.decode',
  async input(bench) {
    const scheme = await newScheme(bench)
    return { path: { role_name: scheme.role }, body: scheme.item(await scheme.encoded(newValue(bench, DIGITS, 16))) }
  },
})

for (const question of QUESTIONS)
  sample({
    operation: `transform.${question}`,
    async input(bench) {
      const tokens = await newTokens(bench)
      const value = newText(bench)
      const token = await tokens.token(value)
      return { path: { role_name: tokens.role }, body: { value: question === 'tokenized' ? value : token, transformation: tokens.name } }
    },
  })

const kind = kinds[0]!
const needs = { backends: [kind.id] }
const storeState = named('transform.readStore')
const stored = async (bench: Bench): Promise<CallInput> => ({ path: { name: await newStore(bench, await placeFor(bench, kind)) } })

sample({
  operation: 'transform.writeStore',
  needs,
  async input(bench) {
    const path = { name: bench.mixedName('sample') }
    bench.defer(() => bench.call('transform.deleteStore', { path }))
    return { path, body: (await placeFor(bench, kind)).body }
  },
  state: storeState,
  excluded: { generated: 'what is generated for a store names no database that exists' },
})
sample({ operation: 'transform.readStore', needs, input: stored })
sample({
  operation: 'transform.listStores',
  needs,
  async input(bench) {
    await stored(bench)
    return {}
  },
})
sample({ operation: 'transform.deleteStore', needs, input: stored, state: storeState })
sample({
  operation: 'transform.makeSchema',
  needs,
  async input(bench) {
    const place = await placeFor(bench, kind)
    return schemaCall(place, await newStore(bench, place))
  },
  excluded: { generated: 'what is generated for a schema names no user that exists' },
})
