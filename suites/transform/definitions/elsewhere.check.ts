/** Definitions of one name in several places. */
import { type Bench, elsewhere, type JsonObject } from '../../../harness/checks/index.ts'
import { withTransformations } from '../fixtures.ts'

const alphabetIn = async (bench: Bench, mount: string, alphabet: string): Promise<string> => {
  const name = bench.mixedName('alphabet')
  await bench.given('transform.writeAlphabet', { path: { name }, mount, body: { alphabet } })
  return name
}

const templateIn = async (bench: Bench, mount: string): Promise<string> => {
  const name = bench.mixedName('template')
  const alphabet = await alphabetIn(bench, mount, '0123456789')
  await bench.given('transform.writeTemplate', { path: { name }, mount, body: { type: 'regex', pattern: '([0-9]{16})', alphabet } })
  return name
}

elsewhere('transform/alphabets-elsewhere', 'alphabets of one name', {
  type: 'transform',
  clause: 'TRANSFORM-APART-01',
  operations: {
    write: 'transform.writeAlphabet',
    read: 'transform.readAlphabet',
    remove: 'transform.deleteAlphabet',
    list: 'transform.listAlphabets',
  },
  bodies: async () => [{ alphabet: '0123456789' }, { alphabet: 'aAbBcC' }, { alphabet: 'абвгд' }],
})

elsewhere('transform/templates-elsewhere', 'templates of one name', {
  type: 'transform',
  clause: 'TRANSFORM-APART-01',
  operations: {
    write: 'transform.writeTemplate',
    read: 'transform.readTemplate',
    remove: 'transform.deleteTemplate',
    list: 'transform.listTemplates',
  },
  bodies: async (bench, mount): Promise<JsonObject[]> => {
    const alphabet = await alphabetIn(bench, mount, '0123456789')
    return ['([0-9]{16})', 'id:([0-9]+);', '\\+([0-9]{6,15})'].map((pattern) => ({ type: 'regex', pattern, alphabet }))
  },
})

elsewhere('transform/roles-elsewhere', 'roles of one name', {
  type: 'transform',
  clause: 'TRANSFORM-APART-01',
  operations: { write: 'transform.writeRole', read: 'transform.readRole', remove: 'transform.deleteRole', list: 'transform.listRoles' },
  bodies: async (bench, mount): Promise<JsonObject[]> => {
    await withTransformations(bench, ['one', 'two', 'three'], mount)
    return [{ transformations: ['one'] }, { transformations: ['two', 'three'] }, { transformations: [] }]
  },
})

elsewhere('transform/transformations-elsewhere', 'transformations of one name', {
  type: 'transform',
  clause: 'TRANSFORM-APART-01',
  operations: {
    write: 'transform.writeFpe',
    read: 'transform.readTransformation',
    remove: 'transform.deleteTransformation',
    list: 'transform.listTransformations',
  },
  bodies: async (bench, mount): Promise<JsonObject[]> => {
    const template = await templateIn(bench, mount)
    return [
      { template, allowed_roles: ['one'] },
      { template, allowed_roles: ['two', 'three'], tweak_source: 'internal' },
      { template, allowed_roles: [], tweak_source: 'generated' },
    ]
  },
})
