/** Judges requests and answers by their schemas and names the clause that a finding belongs to. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Json } from '../base/json.ts'
import { ajv, validatorOf } from './compile.ts'
import { clausesReached } from './reach.ts'
import type { Operation, ResponseSpec, Schema } from './types.ts'

/** One way in which an answer is not what the contract says. */
export interface Finding {
  clause: string
  message: string
  /** JSON pointer into the body; empty for the answer as a whole. */
  pointer: string
  expected: string
  seen: string
}

export interface Judgement {
  findings: Finding[]
  /** Clauses that this answer had the power to violate. */
  reached: Set<string>
}

const unescapeToken = (token: string): string => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')

/** The `x-clause` nearest to the failed keyword, going up from it; a missing member is sought in its own node first. */
const clauseOfError = (schema: Schema, error: ErrorObject): string | undefined => {
  const tokens = error.schemaPath
    .replace(/^#\/?/, '')
    .split('/')
    .filter((token) => token !== '')
    .map(unescapeToken)
  const nodes: Schema[] = [schema]
  for (const token of tokens) {
    const next = (nodes.at(-1) as Schema | undefined)?.[token]
    if (typeof next !== 'object' || next === null) break
    nodes.push(next as Schema)
  }
  const missing = error.keyword === 'required' ? (error.params as { missingProperty: string }).missingProperty : undefined
  const parent = error.parentSchema as Schema | undefined
  const member = missing === undefined ? undefined : (parent?.properties as Record<string, Schema> | undefined)?.[missing]
  if (typeof member?.['x-clause'] === 'string') return member['x-clause']
  return nodes.map((node) => node['x-clause']).findLast((clause): clause is string => typeof clause === 'string')
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

const valueAt = (body: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (node, token) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[token] : undefined),
      body,
    )

/** Errors of a request body against the operation's schema, as one line; undefined when it is valid. */
export const requestProblem = (operation: Operation, body: Json | undefined): string | undefined => {
  if (operation.request === undefined) return undefined
  if (body === undefined) return operation.request.required ? 'the operation needs a body' : undefined
  const validate = validatorOf(operation.request.schema)
  return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' })
}

/** The response that the contract describes for a status: exact, then its range, then `default`. */
export const responseSpecOf = (operation: Operation, status: number): ResponseSpec | undefined =>
  operation.responses[String(status)] ??
  operation.responses[`${Math.floor(status / 100)}XX`] ??
  (status >= 400 ? operation.responses.default : undefined)

const mediaTypeOf = (contentType: string | undefined): string => (contentType ?? '').split(';')[0]!.trim().toLowerCase()
const isJson = (mediaType: string): boolean => mediaType === 'application/json' || mediaType.endsWith('+json')

interface JudgedAnswer {
  status: number
  contentType: string | undefined
  body: Json | undefined
  size: number
}

/** Judges one answer. `HEAD` answers and answers to methods outside the contract are not passed here. */
export const judgeAnswer = (operation: Operation, answer: JudgedAnswer): Judgement => {
  const spec = responseSpecOf(operation, answer.status)
  const reached = new Set<string>()
  const findings: Finding[] = []
  const clause = spec?.clause ?? operation.clause
  if (clause !== undefined) reached.add(clause)
  // An undocumented success would have violated the operation's own clause.
  if (answer.status < 300 && operation.clause !== undefined) reached.add(operation.clause)
  const whole = (message: string, expected: string, seen: string) => {
    if (clause !== undefined) findings.push({ clause, message, pointer: '', expected, seen })
  }
  if (spec === undefined) {
    whole(
      `${operation.id} answered a status that the contract does not list`,
      Object.keys(operation.responses).join(', '),
      String(answer.status),
    )
    return { findings, reached }
  }
  if (spec.schema === undefined) {
    if (answer.size > 0) whole(`${operation.id} answered ${answer.status} with a body`, 'an empty body', `${answer.size} bytes`)
    return { findings, reached }
  }
  const mediaType = mediaTypeOf(answer.contentType)
  const wantsJson = spec.mediaTypes.some(isJson)
  if (wantsJson && spec.schema !== null && (answer.size === 0 || answer.body === undefined)) {
    // There is nothing to label: what is missing is the body.
    const missing = spec.schema['x-clause'] ?? clause
    const [found, seen] = answer.size === 0 ? ['an empty body', 'no bytes'] : ['a body that is not JSON', `${answer.size} bytes`]
    const message = `${operation.id} answered ${answer.status} with ${found}`
    if (typeof missing === 'string') findings.push({ clause: missing, message, pointer: '', expected: 'a JSON body', seen })
    for (const finding of findings) reached.add(finding.clause)
    return { findings, reached }
  }
  if (!(wantsJson ? isJson(mediaType) : spec.mediaTypes.includes(mediaType) || spec.mediaTypes.includes('*/*'))) {
    whole(`${operation.id} answered ${answer.status} with another content type`, spec.mediaTypes.join(' or '), mediaType || 'none')
  }
  if (spec.schema === null) return { findings, reached }
  if (!wantsJson) return { findings, reached }
  for (const found of clausesReached(spec.schema, answer.body)) reached.add(found)
  const validate = validatorOf(spec.schema)
  if (!validate(answer.body)) findings.push(...findingsOf(operation, spec.schema, validate.errors ?? [], answer, clause))
  for (const finding of findings) reached.add(finding.clause)
  return { findings, reached }
}

// A combinator's own error only repeats what its branches say.
const COMBINATORS = new Set(['if', 'allOf'])

const findingsOf = (operation: Operation, schema: Schema, errors: ErrorObject[], answer: JudgedAnswer, fallback?: string): Finding[] =>
  errors
    .filter((error) => !COMBINATORS.has(error.keyword))
    .flatMap((error) => {
      const clause = clauseOfError(schema, error) ?? fallback
      if (clause === undefined) return []
      const where = error.instancePath === '' ? 'the body' : error.instancePath
      const expected = error.keyword === 'required' ? String(error.message) : `${error.keyword} ${short(error.schema)}`
      return [
        {
          clause,
          message: `${operation.id} answered ${answer.status}: ${where} ${error.message}`,
          pointer: error.instancePath,
          expected,
          seen: short(valueAt(answer.body, error.instancePath)),
        },
      ]
    })
