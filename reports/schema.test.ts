/** The schema of results.json and the types of it say the same: read both, member by member. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import schema from '../specs/meta/results.schema.json' with { type: 'json' }
import { sampleResults, withMarkup } from './testing/sample-results.ts'
import { resultsProblems } from './validate.ts'

interface Node {
  $ref?: string
  type?: string
  enum?: string[]
  required?: string[]
  properties?: Record<string, Node>
  items?: Node
  additionalProperties?: Node
}

const TYPES = fileURLToPath(new URL('../specs/meta/results.ts', import.meta.url))
const definitions = schema.$defs as Record<string, Node>
const program = ts.createProgram([TYPES], { strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2023 })
const checker = program.getTypeChecker()

/** A TypeScript type as one line, e.g. `{a?: string, b: number[]}`. */
const shapeOfType = (type: ts.Type): string => {
  const bare = checker.getNonNullableType(type)
  if (bare.flags & ts.TypeFlags.String) return 'string'
  if (bare.flags & ts.TypeFlags.Number) return 'number'
  if (bare.flags & ts.TypeFlags.BooleanLike || checker.typeToString(bare) === 'boolean') return 'boolean'
  if (bare.isUnion())
    return bare.types
      .map((one) => (one as ts.StringLiteralType).value)
      .sort()
      .join('|')
  if (checker.isArrayType(bare)) return `${shapeOfType(checker.getTypeArguments(bare as ts.TypeReference)[0]!)}[]`
  const index = bare.getStringIndexType()
  if (index) return `{*: ${shapeOfType(index)}}`
  return members(
    bare.getProperties().map((property) => ({
      name: property.name,
      optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      shape: shapeOfType(checker.getTypeOfSymbol(property)),
    })),
  )
}

/** A schema node in the same spelling. */
const shapeOfSchema = (node: Node): string => {
  if (node.$ref) return shapeOfSchema(definitions[node.$ref.replace('#/$defs/', '')]!)
  if (node.enum) return [...node.enum].sort().join('|')
  if (node.type === 'integer') return 'number'
  if (node.type === 'array') return `${shapeOfSchema(node.items!)}[]`
  if (node.type !== 'object') return String(node.type)
  if (!node.properties) return `{*: ${shapeOfSchema(node.additionalProperties!)}}`
  return members(
    Object.entries(node.properties).map(([name, value]) => ({
      name,
      optional: !node.required?.includes(name),
      shape: shapeOfSchema(value),
    })),
  )
}

const members = (list: { name: string; optional: boolean; shape: string }[]): string =>
  `{${list
    .map(({ name, optional, shape }) => `${name}${optional ? '?' : ''}: ${shape}`)
    .sort()
    .join(', ')}}`

const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(TYPES)!)!).map((symbol) => [symbol.name, symbol]),
)
const shapeOfExport = (name: string): string => shapeOfType(checker.getDeclaredTypeOfSymbol(exported.get(name)!))

describe('the schema of results.json', () => {
  it('agrees with the exported types as a whole', () => {
    expect(shapeOfSchema(schema as Node)).toBe(shapeOfExport('Results'))
  })

  it.each([
    ['check', 'CheckResult'],
    ['clause', 'ClauseResult'],
    ['exchange', 'ExchangeRecord'],
    ['clauseCounts', 'ClauseCounts'],
    ['kill', 'KillRecord'],
    ['variant', 'VariantRecord'],
  ])('agrees on %s with %s', (definition, type) => {
    expect(shapeOfSchema(definitions[definition]!)).toBe(shapeOfExport(type))
  })

  it('accepts results as they are, with any text in any string, and with members it does not know', () => {
    expect(resultsProblems(sampleResults())).toEqual([])
    expect(resultsProblems(withMarkup(sampleResults(), '</script>'))).toEqual([])
    expect(resultsProblems({ ...sampleResults(), later: 1 })).toEqual([])
  })

  it('names the place of what is wrong', () => {
    const results = sampleResults()
    const wrong = { ...results, verdict: 'fine', clauses: [{ ...results.clauses[0], level: 3 }], stats: { ...results.stats, requests: -1 } }
    const problems = resultsProblems(wrong).join('\n')
    expect(problems).toContain('/verdict: must be equal to one of the allowed values: conformant, nonConformant')
    expect(problems).toContain('/clauses/0/level')
    expect(problems).toContain('/stats/requests: must be >= 0 (found -1)')
  })
})
