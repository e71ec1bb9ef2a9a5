/** The summary on the terminal: what a person reads in five seconds, then each failure with what shows it. */

import type { ExchangeRecord, ProfileRecord, Results } from '../specs/meta/results.ts'
import { againstTitle, againstWords } from './against.ts'
import { beneathWords, lackingWords } from './beneath.ts'
import { type Drawing, drawing, type SummaryOptions } from './drawing.ts'
import { engineTable } from './engine-table.ts'
import { contrastOf, sourceOf } from './lead.ts'
import { profileWords } from './profile.ts'
import { sampleWords } from './sampled.ts'
import { clip, duration, firstOf, oneLine, plural, wrap } from './text.ts'
import { type BlockedGroup, type Finding, unstableText, type View, viewOf } from './view.ts'
import { GATE_WORDS, VERDICT_WORDS } from './words.ts'

const MOST_REASONS = 6
const MOST_FINDINGS = 20
const LINES_OF_A_BODY = 3

/** Renders the summary as text that ends with a line feed. Text from a server can neither colour nor move anything. */
export const terminalSummary = (results: Results, options: SummaryOptions = {}): string => {
  const view = viewOf(results)
  const draw = drawing(options)
  const lines = [
    ...verdictLines(results, view, draw),
    '',
    ...engineTable(results, view, draw),
    ...findingLines('Violated', view.violated, draw),
    ...plainList('Beneath known violations', view.known.flatMap(beneathWords), draw),
    ...findingLines('Warned', view.warned, draw, true),
    ...blockedLines(view.blocked, draw),
    ...erroredLines(view, draw),
    ...missingLines(results, draw),
    ...plainList('Unstable: failed once amid noise, held when repeated', view.unstable.map(unstableText), draw),
    ...plainList('Left behind on the target', results.leftovers, draw),
    ...againstLines(results, draw),
    '',
    ...(options.report === undefined ? [] : [`${draw.soft('report')}  ${oneLine(options.report)}`]),
    `${draw.soft('again ')}  ${oneLine(rerunLine(results))}`,
  ]
  const text = `${lines.join('\n')}\n`
  return options.unicode === false ? ascii(text) : text
}

const verdictLines = (results: Results, view: View, draw: Drawing): string[] => {
  const verdict = VERDICT_WORDS[results.verdict]
  const gate = GATE_WORDS[results.gate]
  const known =
    view.known.length === 0
      ? ''
      : ` ${view.known.length === 1 ? 'One known violation is' : `${view.known.length} known violations are`} tolerated.`
  const urls = results.target.apis.map((api) => `${api.url} (${api.dialect})`).join(', ')
  const { requests, durationMs } = results.stats
  return [
    draw.paint(verdict.like, draw.strong(`${draw.sign(verdict.like)} ${verdict.label}`)),
    ...wrap([verdict.meaning + known, ...lackingWords(results), ...sampleWords(results)].join(' '), draw.width - 2).map(
      (line) => `  ${line}`,
    ),
    draw.paint(gate.like, draw.strong(`${draw.sign(gate.like)} ${gate.label}`)),
    ...(results.gateReasons.length > 0
      ? firstOf(
          results.gateReasons.map(({ message }) => message),
          MOST_REASONS,
        )
      : [gate.meaning]
    ).flatMap((reason) => wrap(oneLine(reason), draw.width - 2).map((line) => `  ${line}`)),
    ...(results.profile === undefined ? [] : profileLines(results.profile, draw)),
    draw.soft(`  ${clip(oneLine(urls), draw.width - 2)}`),
    draw.soft(`  ${requests} requests in ${duration(durationMs)}, seed ${results.seed}, effort ${oneLine(results.effort)}`),
  ]
}

const profileLines = (profile: ProfileRecord, draw: Drawing): string[] => {
  const { say, like } = profileWords(profile)
  return wrap(oneLine(say), draw.width - 2).map((line) => `  ${draw.paint(like, line)}`)
}

const findingLines = (title: string, findings: Finding[], draw: Drawing, brief = false): string[] => {
  if (findings.length === 0) return []
  const shown = findings.slice(0, MOST_FINDINGS).flatMap((finding) => one(finding, draw, brief))
  const rest = findings.length > MOST_FINDINGS ? ['', `  and ${findings.length - MOST_FINDINGS} more in the report`] : []
  return ['', draw.strong(`${title} (${findings.length})`), ...shown, ...rest]
}

const one = (finding: Finding, draw: Drawing, brief: boolean): string[] => {
  const { clause, failures } = finding
  const failure = failures[0]
  const contrast = contrastOf(failure?.decision)
  const wide = draw.width - 14
  const pairs: [string, string | undefined][] = [
    ['why', failure?.decision?.message ?? failure?.check.reason],
    ['expected', contrast.expected],
    ['seen', contrast.seen],
  ]
  const exchange = failure?.exchange
  if (exchange && !brief) pairs.push(['request', requestLine(exchange)], ['response', responseLine(exchange)])
  if (!brief) pairs.push(['again', failure?.check.rerun])
  if (failures.length > 1)
    pairs.push([
      'also',
      firstOf(
        failures.slice(1).map(({ check }) => check.id),
        3,
      ).join(', '),
    ])
  for (const words of beneathWords(finding)) pairs.push(['beneath', words])
  const [first, ...others] = wrap(oneLine(clause.text), draw.width - 4)
  return [
    '',
    `${draw.paint(clause.outcome, draw.sign(clause.outcome))} ${draw.strong(oneLine(clause.id))} ${draw.soft(oneLine(sourceOf(clause)))}`,
    ...[first ?? '', ...others].map((line) => `  ${line}`),
    ...pairs.flatMap(([name, value]) => (value === undefined ? [] : paragraph(name, value, wide, draw))),
  ]
}

/** A name and its text; only the command to repeat is never cut, for it must work when pasted. */
const paragraph = (name: string, value: string, width: number, draw: Drawing): string[] => {
  const lines = name === 'again' ? [oneLine(value)] : wrap(clip(oneLine(value), width * LINES_OF_A_BODY), width)
  return lines.map((line, at) => `    ${at === 0 ? draw.soft(name.padEnd(8)) : ' '.repeat(8)}  ${line}`)
}

const requestLine = ({ request, caller }: ExchangeRecord): string =>
  `${request.method} ${request.url} (as ${caller})${request.body === undefined ? '' : ` ${request.body}`}`

const responseLine = ({ response, failure }: ExchangeRecord): string =>
  response ? `${response.status} ${response.body ?? ''}` : `none: ${failure ?? 'reason not recorded'}`

const blockedLines = (groups: BlockedGroup[], draw: Drawing): string[] =>
  groups.length === 0
    ? []
    : [
        '',
        draw.strong('Blocked'),
        ...groups.flatMap((group) => [
          ...wrap(oneLine(`${group.reason} (${plural(group.clauses.length, 'clause')})`), draw.width - 4).map(
            (line, at) => `${at === 0 ? draw.paint('blocked', draw.sign('blocked')) : ' '} ${line}`,
          ),
          ...(group.remedy === undefined ? [] : [`    ${draw.soft('remedy')}  ${oneLine(group.remedy)}`]),
        ]),
      ]

/** Real systems that this machine could not give, each with what to do about it: what is not claimed for want of them is told apart. */
const missingLines = ({ backends, checks, clauses }: Results, draw: Drawing): string[] => {
  const missing = backends.filter(({ provider }) => provider === 'none')
  if (missing.length === 0) return []
  const idle = new Set(checks.filter(({ outcome }) => outcome === 'notClaimed').flatMap((check) => check.clauses))
  const unclaimed = clauses.filter(({ id, outcome }) => outcome === 'notClaimed' && idle.has(id)).length
  const title =
    unclaimed === 0
      ? 'Missing on this machine'
      : `Missing on this machine (${unclaimed} ${unclaimed === 1 ? 'clause is' : 'clauses are'} not claimed)`
  const reasons = new Map(missing.map(({ name, reason, remedy }) => [reason ?? `${name} is not to be had`, remedy]))
  return [
    '',
    draw.strong(title),
    // A backend may be lacked in two forms for one reason.
    ...[...reasons].flatMap(([reason, remedy]) => [
      ...wrap(oneLine(reason), draw.width - 2).map((line) => `  ${line}`),
      ...(remedy === undefined ? [] : [`    ${draw.soft('to have it')}  ${oneLine(remedy)}`]),
    ]),
  ]
}

const erroredLines = (view: View, draw: Drawing): string[] =>
  plainList(
    'Errored: internal errors of Assay',
    view.errored.map((check) => `${check.id}: ${check.reason ?? 'no reason was recorded'}`),
    draw,
  )

const plainList = (title: string, items: string[], draw: Drawing): string[] =>
  items.length === 0
    ? []
    : ['', draw.strong(title), ...items.flatMap((item) => wrap(clip(oneLine(item), 400), draw.width - 2).map((line) => `  ${line}`))]

const againstLines = ({ against }: Results, draw: Drawing): string[] => {
  if (against === undefined) return []
  const words = againstWords(against)
  return plainList(againstTitle(against), words.length === 0 ? ['no answer differs'] : firstOf(words, MOST_FINDINGS), draw)
}

/** The command of the run with its seed, so that it repeats the same requests. */
const rerunLine = ({ environment, seed }: Results): string =>
  /--seed[ =]/.test(environment.command) ? environment.command : `${environment.command} --seed ${seed}`

const ascii = (text: string): string => text.replaceAll('…', '...').replaceAll('’', "'")
