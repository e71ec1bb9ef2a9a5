/** JUnit XML: one suite per engine, one case per check, for the test views of CI systems. */
import type { CheckResult, Results } from '../specs/meta/results.ts'
import { cut, visible } from './text.ts'

const LONGEST = 8000

/**
 * Renders checks as JUnit. Failed checks fail, errored ones are errors, what did not run is skipped; a failure that a known
 * deviation covers is skipped too, with its reason, so that the file agrees with the gate.
 */
export const renderJunit = (results: Results): string => {
  const engines = [...new Set(results.checks.map((check) => check.engine))]
  const suites = engines.map((engine) => {
    const checks = results.checks.filter((check) => check.engine === engine)
    const attributes = { name: engine, ...figures(checks), time: seconds(checks), timestamp: results.startedAt.slice(0, 19) }
    const properties = Object.entries({ seed: String(results.seed), target: results.target.name, run: results.run })
      .map(([name, value]) => `      ${element('property', { name, value })}`)
      .join('\n')
    return `  <testsuite${attributesOf(attributes)}>\n    <properties>\n${properties}\n    </properties>\n${checks.map(testCase).join('\n')}\n  </testsuite>`
  })
  const attributes = { name: `assay ${results.target.name}`, ...figures(results.checks), time: seconds(results.checks) }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributesOf(attributes)}>\n${suites.join('\n')}\n</testsuites>\n`
}

const testCase = (check: CheckResult): string => {
  const name = `${check.id}: ${check.title} (${check.clauses.join(' ')})`
  const attributes = { classname: check.engine, name, time: seconds([check]) }
  const inside = outcomeOf(check)
  return inside === '' ? `    ${element('testcase', attributes)}` : `    ${element('testcase', attributes, `\n      ${inside}\n    `)}`
}

const outcomeOf = (check: CheckResult): string => {
  const reason = check.reason ?? check.outcome
  switch (kindOf(check)) {
    case 'failures':
      return element('failure', { message: headline(check), type: 'violation' }, xml(evidence(check)))
    case 'errors':
      return element('error', { message: reason, type: 'errored' }, xml(`run again: ${check.rerun}`))
    case 'skipped':
      return check.outcome === 'failed'
        ? element('skipped', { message: `known deviation: ${check.deviation}` })
        : element('skipped', { message: [`${check.outcome}: ${reason}`, check.cure].filter(Boolean).join('; cure: ') })
    default:
      return check.outcome === 'warned' ? element('system-out', {}, xml(evidence(check))) : ''
  }
}

const kindOf = (check: CheckResult): 'failures' | 'errors' | 'skipped' | 'passed' => {
  if (check.outcome === 'failed') return check.deviation === undefined ? 'failures' : 'skipped'
  if (check.outcome === 'errored') return 'errors'
  return check.outcome === 'blocked' || check.outcome === 'not-claimed' ? 'skipped' : 'passed'
}

const figures = (checks: CheckResult[]): Record<'tests' | 'failures' | 'errors' | 'skipped', string> => {
  const count = (kind: ReturnType<typeof kindOf>) => String(checks.filter((check) => kindOf(check) === kind).length)
  return { tests: String(checks.length), failures: count('failures'), errors: count('errors'), skipped: count('skipped') }
}

const seconds = (checks: CheckResult[]): string => (checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000).toFixed(3)

const headline = (check: CheckResult): string => {
  const violated = check.decisions.filter((decision) => decision.outcome === 'violated')
  if (violated.length === 0) return check.reason ?? 'failed without a recorded reason'
  return violated
    .map(({ clause, message, expected, seen }) =>
      [`${clause}: ${message ?? 'does not hold'}`, expected && `expected ${expected}`, seen && `seen ${seen}`].filter(Boolean).join('; '),
    )
    .join('\n')
}

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
