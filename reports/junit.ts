/** JUnit XML: one suite per engine, one case per check, for the test views of CI systems. */

import { byExplaining } from '../specs/meta/explaining.ts'
import type { CheckResult, Decision, GateReason, Results } from '../specs/meta/results.ts'
import { leadOf } from './lead.ts'
import { reasonsApart, type Standing, standingIn, toleratedFor } from './standing.ts'
import { cut, visible } from './text.ts'
import { isUnstable, unstableText } from './view.ts'
import { REASON_WORDS } from './words.ts'

const LONGEST = 8000

/** One test case: its standing and its XML. */
interface Case {
  standing: Standing
  durationMs: number
  xml: string
}

/**
 * Renders checks as JUnit, so that the file agrees with the gate: a check that fails the gate is a failure, an errored one an error, what
 * did not run or fails as a known deviation says is skipped. What fails the gate and belongs to no check is a case of the suite `gate`.
 */
export const renderJunit = (results: Results): string => {
  const standing = standingIn(results)
  const caseOf = (check: CheckResult): Case => testCase(check, standing(check))
  const engines = [...new Set(results.checks.map((check) => check.engine))]
  const inOrder = inOrderOfFindings(results)
  const suites = engines.map((engine): [string, Case[]] => [engine, inOrder.filter((check) => check.engine === engine).map(caseOf)])
  const apart = reasonsApart(results).map(reasonCase)
  if (apart.length > 0) suites.push(['gate', apart])
  const attributes = { name: `assay ${results.target.name}`, ...figures(suites.flatMap(([, cases]) => cases)) }
  const written = suites.map(([name, cases]) => testSuite(results, name, cases)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributesOf(attributes)}>\n${written}\n</testsuites>\n`
}

/** Checks with the findings that explain most first, as every other report has them; what holds stays where it is among the others. */
const inOrderOfFindings = ({ checks, clauses }: Results): CheckResult[] => {
  const compare = byExplaining(clauses)
  const leading = new Map(
    checks.map((check) => {
      const violated = check.decisions.filter(({ outcome }) => outcome === 'violated').map(({ clause }) => clause)
      return [check.id, violated.sort(compare)[0]] as const
    }),
  )
  return [...checks].sort((left, right) => {
    const [one, other] = [leading.get(left.id), leading.get(right.id)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return compare(one, other)
  })
}

const testSuite = (results: Results, name: string, cases: Case[]): string => {
  const attributes = { name, ...figures(cases), timestamp: results.startedAt.slice(0, 19) }
  const properties = Object.entries({ seed: String(results.seed), target: results.target.name, run: results.run })
    .map(([property, value]) => `      ${element('property', { name: property, value })}`)
    .join('\n')
  const lines = cases.map(({ xml }) => xml).join('\n')
  return `  <testsuite${attributesOf(attributes)}>\n    <properties>\n${properties}\n    </properties>\n${lines}\n  </testsuite>`
}

const testCase = (check: CheckResult, standing: Standing): Case => {
  const name = `${check.id}: ${check.title} (${check.clauses.join(' ')})`
  return oneCase({ classname: check.engine, name }, standing, check.durationMs, outcomeOf(check, standing))
}

const reasonCase = ({ kind, subject, message }: GateReason): Case =>
  oneCase(
    { classname: 'gate', name: [REASON_WORDS[kind], subject].filter(Boolean).join(' ') },
    'fails',
    0,
    element('failure', { message, type: kind }, xml(message)),
  )

const oneCase = (attributes: Record<string, string>, standing: Standing, durationMs: number, inside: string): Case => {
  const all = { ...attributes, time: seconds(durationMs) }
  const written = inside === '' ? element('testcase', all) : element('testcase', all, `\n      ${inside}\n    `)
  return { standing, durationMs, xml: `    ${written}` }
}

const outcomeOf = (check: CheckResult, standing: Standing): string => {
  const reason = check.reason ?? check.outcome
  switch (standing) {
    case 'fails':
      return element('failure', { message: headline(check), type: 'violation' }, xml(evidence(check)))
    case 'errored':
      return element('error', { message: reason, type: 'errored' }, xml(`run again: ${check.rerun}`))
    case 'tolerated':
      return element('skipped', { message: toleratedFor(check) })
    case 'open':
      return element('skipped', {
        message: [`${restsOn(check)}${check.outcome}: ${reason}`, check.remedy].filter(Boolean).join('; remedy: '),
      })
    default:
      if (isUnstable(check)) return element('system-out', {}, xml(`unstable: ${unstableText(check)}`))
      return check.outcome === 'warned' ? element('system-out', {}, xml(evidence(check))) : ''
  }
}

const figures = (cases: Case[]): Record<'tests' | 'failures' | 'errors' | 'skipped' | 'time', string> => {
  const count = (...standings: Standing[]) => String(cases.filter(({ standing }) => standings.includes(standing)).length)
  return {
    tests: String(cases.length),
    failures: count('fails'),
    errors: count('errored'),
    skipped: count('tolerated', 'open'),
    time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** The clauses or lacking features that a check which did not run rests on, before its reason. */
const restsOn = ({ undecided = [] }: CheckResult): string => {
  const causes = [...new Set(undecided.flatMap(({ causedBy = [] }) => causedBy))]
  return causes.length === 0 ? '' : `rests on ${causes.join(', ')}; `
}

const headline = (check: CheckResult): string => {
  // What nothing explains comes first: only a check that fails by others alone begins with them.
  const violated = check.decisions
    .filter(({ outcome }) => outcome === 'violated')
    .sort((one, other) => Number(one.causedBy !== undefined) - Number(other.causedBy !== undefined))
  if (violated.length === 0) return check.reason ?? 'failed without a recorded reason'
  return violated.map((decision) => `${followsFrom(decision)}${decision.clause}: ${leadOf(decision, 'does not hold')}`).join('\n')
}

const followsFrom = ({ causedBy }: Decision): string => (causedBy === undefined ? '' : `follows from ${causedBy.join(', ')}; `)

const evidence = (check: CheckResult): string => {
  const exchanges = check.evidence.map(({ number, request, response, failure }) =>
    [
      `${number}. ${request.method} ${request.url}`,
      request.body,
      response ? `-> ${response.status} ${response.body ?? ''}`.trimEnd() : `-> no response: ${failure ?? 'unknown'}`,
    ]
      .filter(Boolean)
      .join('\n'),
  )
  return cut([headline(check), ...exchanges, check.counterexample ?? '', `run again: ${check.rerun}`].filter(Boolean).join('\n\n'), LONGEST)
}

/** An element whose attributes are escaped here; `inside` is XML already. */
const element = (name: string, attributes: Record<string, string>, inside = ''): string =>
  inside === '' ? `<${name}${attributesOf(attributes)}/>` : `<${name}${attributesOf(attributes)}>${inside}</${name}>`

const attributesOf = (attributes: Record<string, string>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xml(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('')

/** Text as XML: what the format cannot hold is spelled out first, see `visible`. */
const xml = (raw: string): string =>
  visible(raw).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
