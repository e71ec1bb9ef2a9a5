import { expect, test } from 'vitest'
import type { Clause, Contract, Operation } from './contract.ts'
import { lintSpecs } from './lint.ts'
import type { LintInput } from './lint-types.ts'

const clauseFile = (clauses: object[], engine = 'lamp') => ({ engine, title: 'Lamp', document: 'lamp.txt', clauses })
const clause = (id: string, more: object = {}) => ({ id, text: `The lamp of ${id} is lit.`, section: '1', level: 'required', ...more })

const operationFile = (path: string, item: object) => ({
  openapi: '3.1.0',
  info: { title: 'Lamp', version: '1', 'x-engine': 'lamp', 'x-api': 'lighting' },
  servers: [{ url: '{baseUrl}/v1' }],
  security: [{ key: [] }],
  paths: { [path]: item },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
})
const get = (more: object = {}) => ({ operationId: 'lamp.read', summary: 'Reads.', responses: { '200': { description: 'Lit.' } }, ...more })

const operation = (more: Partial<Operation> = {}): Operation => ({
  id: 'lamp.read',
  engine: 'lamp',
  api: 'lighting',
  summary: 'Reads.',
  method: 'GET',
  path: '/lamp',
  parameters: [],
  queryParameters: [],
  isList: false,
  unauthenticated: false,
  sudo: false,
  clause: 'LAMP-READ-01',
  responses: { '200': { schema: { type: 'object' }, mediaTypes: ['application/json'] } },
  ...more,
})

const MOUNT = { $ref: '#/components/parameters/mount' }

interface Parts {
  sources?: Record<string, unknown>
  clauses?: object[]
  operations?: Operation[]
  decided?: string[]
}

const rules = ({
  sources = {},
  clauses = [clause('LAMP-READ-01')],
  operations = [operation()],
  decided = ['LAMP-READ-01'],
}: Parts = {}): string[] => {
  const contract: Contract = {
    apis: new Map(),
    engines: new Map(),
    operations: new Map(operations.map((one) => [one.id, one])),
    clauses: new Map(clauses.map((one) => [(one as Clause).id, { engine: 'lamp', ...one } as Clause])),
    rulings: new Map([['dim-light', { id: 'dim-light', sections: ['1'], advised: 'The lamp may be dim.' }]]),
  }
  const input: LintInput = { contract, sources, decided: new Set(decided), mountTypes: ['lamp'] }
  return lintSpecs(input).map(({ rule }) => rule)
}

test('sound specs have no finding', () => {
  const sources = {
    'lighting/lamp/clauses.yaml': clauseFile([clause('LAMP-READ-01')]),
    'lighting/lamp/openapi.yaml': operationFile('/{mount}', { 'x-mount': 'lamp', parameters: [MOUNT], get: get() }),
  }
  expect(rules({ sources })).toEqual([])
})

test('a file that breaks its meta-schema', () => {
  expect(rules({ sources: { 'lighting/lamp/clauses.yaml': clauseFile([clause('LAMP-READ-01', { level: 'maybe' })]) } })).toEqual([
    'meta-schema',
  ])
})

test('two clauses of one id', () => {
  const sources = { 'lighting/lamp/clauses.yaml': clauseFile([clause('LAMP-READ-01'), clause('LAMP-READ-01')]) }
  expect(rules({ sources })).toEqual(['duplicate-clause'])
})

test('two operations of one id', () => {
  const sources = { 'lighting/lamp/openapi.yaml': operationFile('/lamp', { get: get(), post: get() }) }
  expect(rules({ sources })).toEqual(['duplicate-operation'])
})

test('a file that names another engine than its folder', () => {
  expect(rules({ sources: { 'lighting/bulb/clauses.yaml': clauseFile([clause('LAMP-READ-01')]) } })).toEqual(['misplaced-file'])
})

test.each([
  ['unknown-ruling', { ruling: 'bright-light' }],
  ['ruling-level', { ruling: 'dim-light' }],
  ['unknown-split', { splitFrom: 'LAMP-READ-09' }],
])('a clause with %s', (rule, more) => {
  expect(rules({ clauses: [clause('LAMP-READ-01', more)] })).toEqual([rule])
})

test('a clause of the level of its ruling, split from another', () => {
  const split = clause('LAMP-READ-02', { text: 'The lamp is dim.', level: 'advised', ruling: 'dim-light', splitFrom: 'LAMP-READ-01' })
  expect(rules({ clauses: [clause('LAMP-READ-01'), split] })).toEqual([])
})

test.each([
  ['long-text', `The lamp is lit${' and lit'.repeat(11)}.`],
  ['text-without-subject', 'With it the lamp is lit.'],
  ['text-without-subject', 'It is lit.'],
  ['text-without-subject', 'When set, the lamp is lit.'],
])('a text that breaks %s', (rule, text) => {
  expect(rules({ clauses: [clause('LAMP-READ-01', { text })] })).toEqual([rule])
})

test('two clauses of one text', () => {
  const text = 'The lamp is lit.'
  expect(rules({ clauses: [clause('LAMP-READ-01', { text }), clause('LAMP-READ-02', { text, level: 'open' })] })).toEqual(['shared-text'])
})

test('a clause that is named otherwise than its engine', () => {
  expect(rules({ clauses: [clause('LAMP-READ-01'), clause('LMP-READ-02', { level: 'open' })] })).toEqual(['clause-name'])
})

test('an x-clause that no file has', () => {
  const sources = { 'lighting/lamp/openapi.yaml': operationFile('/lamp', { get: get({ 'x-clause': 'LAMP-READ-99' }) }) }
  expect(rules({ sources })).toEqual(['dangling-clause'])
})

test('a schema that nothing refers to', () => {
  expect(rules({ sources: { 'lighting/lamp/schemas/lamp.json': { type: 'object' } } })).toEqual(['unreferenced-schema'])
})

test('a mount type that no dialect spells, and a mount without its place in the path', () => {
  const lantern = operationFile('/{mount}', { 'x-mount': 'lantern', parameters: [MOUNT], get: get() })
  expect(rules({ sources: { 'lighting/lamp/openapi.yaml': lantern } })).toEqual(['unknown-mount'])
  expect(rules({ sources: { 'lighting/lamp/openapi.yaml': operationFile('/lamp', { 'x-mount': 'lamp', get: get() }) } })).toEqual([
    'unknown-mount',
  ])
})

test('a path parameter that is not declared', () => {
  expect(rules({ sources: { 'lighting/lamp/openapi.yaml': operationFile('/lamp/{room}', { get: get() }) } })).toEqual([
    'undeclared-parameter',
  ])
  const unmounted = operationFile('/{mount}', { 'x-mount': 'lamp', get: get() })
  expect(rules({ sources: { 'lighting/lamp/openapi.yaml': unmounted } })).toEqual(['undeclared-parameter'])
})

test('a variant of a path is held to the same rules, and needs a template of its own', () => {
  const room = { 'x-path': '/lamp/{room}', get: get({ operationId: 'lamp.room' }) }
  const file = (variant: object) => ({
    'lighting/lamp/openapi.yaml': operationFile('/lamp/{id}', {
      parameters: [{ name: 'id', in: 'path' }],
      get: get(),
      'x-variants': [variant],
    }),
  })
  expect(rules({ sources: file({ ...room, parameters: [{ name: 'room', in: 'path' }] }) })).toEqual([])
  expect(rules({ sources: file(room) })).toEqual(['undeclared-parameter'])
  expect(rules({ sources: file({ ...room, 'x-path': '/lamp', get: get() }) })).toEqual(['duplicate-operation'])
  expect(rules({ sources: file({ get: room.get, 'x-path': undefined }) })).toContain('meta-schema')
})

test('a server or token carriers other than those of the API', () => {
  const api = {
    ...{ api: 'lighting', title: 'Lighting', mediaType: 'application/json', engines: ['lamp'], headers: {}, mounts: true },
    ...{ basePath: '/v1', carriers: { key: { header: 'Key', format: '{token}' } } },
  }
  const sources = { 'lighting/lamp/openapi.yaml': operationFile('/lamp', { get: get() }) }
  expect(rules({ sources: { ...sources, 'lighting/api.yaml': api } })).toEqual([])
  expect(rules({ sources: { ...sources, 'lighting/api.yaml': { ...api, basePath: '/v2' } } })).toEqual(['differs-from-api'])
  const door = { door: { header: 'Door', format: '{token}' } }
  expect(rules({ sources: { ...sources, 'lighting/api.yaml': { ...api, carriers: door } } })).toEqual(['differs-from-api'])
})

test('a request body, a JSON answer and an operation without schema', () => {
  const body = { 'application/json': {} }
  const sources = { 'lighting/lamp/openapi.yaml': operationFile('/lamp', { get: get({ requestBody: { content: body } }) }) }
  expect(rules({ sources })).toEqual(['missing-schema'])
  expect(rules({ operations: [operation({ responses: { '200': { schema: null, mediaTypes: ['application/json'] } } })] })).toEqual([
    'missing-schema',
  ])
  expect(rules({ operations: [operation({ responses: { default: { schema: {}, mediaTypes: ['application/json'] } } })] })).toEqual([
    'missing-schema',
  ])
})

test('a constraint on an answer that belongs to no clause', () => {
  const judge = (schema: object) =>
    rules({
      operations: [
        operation({
          clause: undefined as unknown as string,
          responses: { '200': { schema: { ...schema }, mediaTypes: ['application/json'] } },
        }),
      ],
    })
  expect(judge({ type: 'object' })).toEqual(['constraint-without-clause'])
  expect(judge({ type: 'object', 'x-clause': 'LAMP-READ-01' })).toEqual([])
  expect(judge({ properties: { lit: { type: 'boolean' } } })).toEqual(['constraint-without-clause'])
  expect(judge({ required: ['lit'], properties: { lit: { type: 'boolean', 'x-clause': 'LAMP-READ-01' } } })).toEqual([])
})

test('a required clause that nothing decides, and an excluded one that something does', () => {
  expect(rules({ decided: [] })).toEqual(['undecided-clause'])
  expect(rules({ decided: [], clauses: [clause('LAMP-READ-01', { level: 'open' })] })).toEqual([])
  expect(rules({ decided: [], clauses: [clause('LAMP-READ-01', { excluded: 'cannot be seen' })] })).toEqual([])
  expect(rules({ clauses: [clause('LAMP-READ-01', { excluded: 'cannot be seen' })] })).toEqual(['excluded-but-decided'])
})

test('a clause that rests on an unknown clause, or on itself, is found', () => {
  const resting = (first: string, second: string) =>
    rules({
      clauses: [clause('LAMP-READ-01', { restsOn: [first] }), clause('LAMP-READ-02', { restsOn: [second] })],
      decided: ['LAMP-READ-01', 'LAMP-READ-02'],
    })
  const ofDependence = (found: string[]) => found.filter((rule) => rule.endsWith('-dependence'))
  expect(ofDependence(resting('LAMP-READ-02', 'LAMP-READ-09'))).toEqual(['unknown-dependence'])
  expect(ofDependence(resting('LAMP-READ-02', 'LAMP-READ-01'))).toEqual(['circular-dependence', 'circular-dependence'])
})
