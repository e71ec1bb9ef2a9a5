/** Judges requests and answers by their schemas and names the clause that a finding belongs to. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isObject, type Json } from '../base/json.ts'
import { beginningOf, cut } from '../base/text.ts'
import { errorsOf, errorsText } from './compile.ts'
import type { Operation, ResponseSpec, Schema } from './contract.ts'
import { clausesReached } from './reach.ts'

/** One way in which an answer is not what the contract says. */
export interface Finding {
  clause: string
  message: string
  /** JSON pointer to the member that is wrong or missing; empty for the answer as a whole. */
  pointer: string
  expected: string
  seen: string
}

/** What is wrong with the shape of an answer, and the clause that it belongs to, if any. */
export interface Problem {
  clause?: string
  message: string
}

export interface Judgement {
  findings: Finding[]
  /** Clauses that this answer had the power to violate. */
  reached: Set<string>
  /** The first way in which the answer is not what the contract says, whether or not a clause speaks of it. */
  problem?: Problem
  /** Why `data` cannot be read, although the schema promises an object there. */
  withoutData?: Problem
}

const unescapeToken = (token: string): string => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')

/** The member that an error says is missing. */
const missingOf = ({ keyword, params }: ErrorObject): string | undefined =>
  keyword === 'required' || keyword === 'dependentRequired' ? (params as { missingProperty: string }).missingProperty : undefined

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
  const missing = missingOf(error)
  const parent = error.parentSchema as Schema | undefined
  const member = missing === undefined ? undefined : (parent?.properties as Record<string, Schema> | undefined)?.[missing]
  if (typeof member?.['x-clause'] === 'string') return member['x-clause']
  return nodes.map((node) => node['x-clause']).findLast((clause): clause is string => typeof clause === 'string')
}

/** So many findings of one answer belong to one clause; the rest of them is counted. */
const MOST_FINDINGS = 40
/** So many members of a value are looked at to show its beginning. */
const MOST_MEMBERS = 50

/** The beginning of a list or of an object, whose text would be cut anyway. */
const beginningOfValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MOST_MEMBERS)
  return isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, MOST_MEMBERS)) : value
}

const short = (value: unknown): string => {
  const text = JSON.stringify(beginningOfValue(value)) ?? 'nothing'
  return text.length > 200 ? `${beginningOf(text, 200)}…` : text
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
  const errors = errorsOf(operation.request.schema, body)
  return errors.length === 0 ? undefined : errorsText(errors, 'body')
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
  /** Why a body that is there could not be read, to follow "a body that is "; default: not JSON. */
  unreadable?: string
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
  let problem: Problem | undefined
  const whole = (message: string, expected: string, seen: string, of = clause) => {
    problem ??= problemOf(of, message)
    if (of !== undefined) findings.push({ clause: of, message, pointer: '', expected, seen })
  }
  const judged = (withoutData?: Problem): Judgement => {
    for (const finding of findings) reached.add(finding.clause)
    return { findings, reached, ...(problem === undefined ? {} : { problem }), ...(withoutData === undefined ? {} : { withoutData }) }
  }
  if (spec === undefined) {
    whole(
      `${operation.id} answered a status that the contract does not list`,
      Object.keys(operation.responses).join(', '),
      String(answer.status),
    )
    return judged()
  }
  if (spec.schema === undefined) {
    if (answer.size > 0) whole(`${operation.id} answered ${answer.status} with a body`, 'an empty body', `${answer.size} bytes`)
    return judged()
  }
  const mediaType = mediaTypeOf(answer.contentType)
  const wantsJson = spec.mediaTypes.some(isJson)
  if (wantsJson && spec.schema !== null && (answer.size === 0 || answer.body === undefined)) {
    // There is nothing to label: what is missing is the body.
    const missing = spec.schema['x-clause'] ?? clause
    const unreadable = `a body that is ${answer.unreadable ?? 'not JSON'}`
    const [found, seen] = answer.size === 0 ? ['an empty body', 'no bytes'] : [unreadable, `${answer.size} bytes`]
    const message = `${operation.id} answered ${answer.status} with ${found}`
    whole(message, 'a JSON body', seen, typeof missing === 'string' ? missing : undefined)
    return judged(problem)
  }
  if (!(wantsJson ? isJson(mediaType) : spec.mediaTypes.includes(mediaType) || spec.mediaTypes.includes('*/*'))) {
    whole(`${operation.id} answered ${answer.status} with another content type`, spec.mediaTypes.join(' or '), mediaType || 'none')
  }
  if (spec.schema === null || !wantsJson) return judged()
  for (const found of clausesReached(spec.schema, answer.body)) reached.add(found)
  const { schema } = spec
  const all = errorsOf(schema, answer.body)
  if (all.length === 0) return judged()
  const errors = all.filter((error) => !COMBINATORS.has(error.keyword))
  findings.push(...findingsOf(operation, schema, errors, answer, clause))
  const asProblem = (error: ErrorObject) => problemOf(clauseOfError(schema, error) ?? clause, messageOf(operation, error, answer))
  if (errors[0] !== undefined) problem ??= asProblem(errors[0])
  const grave = errors.find(leavesNoData)
  return judged(grave === undefined ? undefined : asProblem(grave))
}

const problemOf = (clause: string | undefined, message: string): Problem => ({ message, ...(clause === undefined ? {} : { clause }) })

/** Whether an error says that the answer has no object at `data`, where one is promised. */
const leavesNoData = ({ keyword, instancePath, params }: ErrorObject): boolean =>
  (keyword === 'type' && (instancePath === '' || instancePath === '/data')) ||
  (keyword === 'required' && instancePath === '' && (params as { missingProperty: string }).missingProperty === 'data')

const messageOf = (operation: Operation, error: ErrorObject, { status }: JudgedAnswer): string =>
  `${operation.id} answered ${status}: ${error.instancePath === '' ? 'the body' : cut(error.instancePath)} ${error.message}`

// A combinator's own error only repeats what its branches say.
const COMBINATORS = new Set(['if', 'allOf'])

const findingsOf = (operation: Operation, schema: Schema, errors: ErrorObject[], answer: JudgedAnswer, fallback?: string): Finding[] => {
  const byClause = new Map<string, ErrorObject[]>()
  const seen = new Map<string, string>()
  const seenAt = (pointer: string): string => {
    const text = seen.get(pointer) ?? short(valueAt(answer.body, pointer))
    seen.set(pointer, text)
    return text
  }
  for (const error of errors) {
    const clause = clauseOfError(schema, error) ?? fallback
    if (clause === undefined) continue
    const known = byClause.get(clause)
    if (known === undefined) byClause.set(clause, [error])
    else known.push(error)
  }
  return [...byClause].flatMap(([clause, all]) => {
    const told = all.slice(0, MOST_FINDINGS).map((error): Finding => {
      const missing = missingOf(error)
      const expected = missing === undefined ? `${error.keyword} ${short(error.schema)}` : String(error.message)
      const message = messageOf(operation, error, answer)
      const pointer = missing === undefined ? error.instancePath : `${error.instancePath}/${missing}`
      return { clause, message, pointer, expected, seen: seenAt(error.instancePath) }
    })
    const more = all.length - told.length
    if (more === 0) return told
    const message = `${operation.id} answered ${answer.status}: and ${more.toLocaleString('en-US')} more of this kind`
    return [...told, { ...told[0]!, message }]
  })
}
