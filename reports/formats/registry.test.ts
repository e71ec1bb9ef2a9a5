/** Each format is read by its schema, or by a reader that others wrote. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import parsePrometheus from 'parse-prometheus-text-format'
import { Parser } from 'tap-parser'
import { describe, expect, it } from 'vitest'
import { reasonsApart } from '../standing.ts'
import { sampleResults, withMarkup } from '../testing/sample-results.ts'
import { FORMATS, WRITERS } from './registry.ts'

const MARKUP = '"\'><script>\n::error::x #%\\'
const sample = sampleResults()
const cases = [
  ['plain', sample],
  ['hostile', withMarkup(sample, MARKUP)],
] as const

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
const CODE_QUALITY = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 32 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./)' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
}

/** https://shields.io/badges/endpoint-badge */
const SHIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['schemaVersion', 'label', 'message'],
  properties: {
    schemaVersion: { const: 1 },
    label: { type: 'string' },
    message: { type: 'string', minLength: 1 },
    color: { type: 'string' },
    isError: { type: 'boolean' },
  },
}

const problems = (schema: object, text: string): unknown => {
  const validate = new Ajv2020({ allErrors: true }).compile(schema)
  return validate(JSON.parse(text)) ? [] : validate.errors
}

const failing = sample.checks.filter(({ outcome, deviation }) => ['failed', 'errored'].includes(outcome) && deviation === undefined)

describe('formats', () => {
  it('have a file of their own each', () => {
    expect(new Set(FORMATS.map((format) => WRITERS[format].file)).size).toBe(FORMATS.length)
  })

  it.each(cases)('code quality keeps to what GitLab reads, and its fingerprints are distinct: %s', (_, results) => {
    const text = WRITERS.codeQuality.render(results)
    expect(problems(CODE_QUALITY, text)).toEqual([])
    const prints = (JSON.parse(text) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint)
    expect(prints.length).toBeGreaterThan(3)
    expect(new Set(prints).size).toBe(prints.length)
  })

  it.each(cases)('the badge keeps to what shields.io reads: %s', (_, results) => {
    expect(problems(SHIELDS, WRITERS.shields.render(results))).toEqual([])
    expect(WRITERS.badge.render(results)).toMatch(/^<svg [\s\S]*non-conformant \d+\/\d+[\s\S]*<\/svg>\n$/)
  })

  it.each(cases)('TAP is read by a parser, with as many failures as the gate has: %s', (_, results) => {
    const failures: string[] = []
    const parser = new Parser({ strict: true })
    const read = new Promise<{ count: number; fail: number; todo: number; plan: { end: number | null } }>((done) =>
      parser.on('complete', done),
    )
    parser.on('assert', ({ ok, todo, name }) => void (ok || todo || failures.push(name)))
    parser.end(WRITERS.tap.render(results))
    return read.then((complete) => {
      expect(complete.count).toBe(results.checks.length + reasonsApart(results).length)
      expect(failures.length).toBe(failing.length + reasonsApart(results).length)
    })
  })

  it.each(cases)('metrics are read by a parser: %s', (_, results) => {
    const families = parsePrometheus(WRITERS.prometheus.render(results))
    const named = (name: string) => families.find((family) => family.name === name)!.metrics
    expect(named('assay_verdict').filter(({ value }) => value === '1')).toMatchObject([{ labels: { verdict: 'nonConformant' } }])
    expect(named('assay_clauses').reduce((sum, { value }) => sum + Number(value), 0)).toBe(
      results.engines.reduce((sum, { clauses }) => sum + clauses.total, 0),
    )
  })

  it.each(cases)('annotations are commands and nothing else, ten of a kind at most: %s', (_, results) => {
    const lines = WRITERS.annotations.render(results).trimEnd().split('\n')
    expect(lines.every((line) => /^::(error|warning|notice) title=[^:,]+::\S/.test(line))).toBe(true)
    expect(lines.filter((line) => line.startsWith('::error')).length).toBeGreaterThan(2)
  })
})
