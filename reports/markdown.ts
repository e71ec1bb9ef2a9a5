/** A summary in Markdown for the job page of a CI system: verdict, engines, and what is wrong. */
import type { Results } from '../specs/meta/results.ts'
import { beneathWords, lackingWords } from './beneath.ts'
import { leadOf, sourceOf } from './lead.ts'
import { profileWords } from './profile.ts'
import { sampleWords } from './sampled.ts'
import { clip, duration, firstOf, oneLine } from './text.ts'
import { type Finding, unstableText, viewOf } from './view.ts'
import { CLAUSE_WORDS, DEVIATION_WORDS, GATE_WORDS, VERDICT_WORDS } from './words.ts'

const COLUMNS = ['verified', 'violated', 'warned', 'observed', 'blocked', 'errored', 'notExercised', 'total'] as const
/** Job pages have a size limit; the HTML page holds everything. */
const MOST_FINDINGS = 30
const MOST_REASONS = 10
const LONGEST = 300

/** Renders the summary. Text from a server is escaped, so that it can neither format nor link. */
export const renderMarkdown = (results: Results): string => {
  const view = viewOf(results)
  const verdict = VERDICT_WORDS[results.verdict]
  const gate = GATE_WORDS[results.gate]
  const { stats } = results
  return [
    `# ${CLAUSE_WORDS[verdict.like].sign} ${verdict.label}: ${text(results.target.name)}`,
    '',
    [verdict.meaning, ...lackingWords(results).map(text), ...sampleWords(results), `**${gate.label}.**`, gate.meaning].join(' '),
    ...list(
      firstOf(
        results.gateReasons.map(({ message }) => message),
        MOST_REASONS,
      ).map(text),
    ),
    ...(results.profile === undefined ? [] : ['', text(profileWords(results.profile).say)]),
    '',
    `| Engine | Verdict | ${COLUMNS.map((name) => (name === 'total' ? 'Total' : CLAUSE_WORDS[name].label)).join(' | ')} |`,
    `| --- | --- |${' ---: |'.repeat(COLUMNS.length)}`,
    ...results.engines.map(
      (engine) =>
        `| ${text(engine.title)} | ${VERDICT_WORDS[engine.verdict].label} | ${COLUMNS.map((name) => engine.clauses[name]).join(' | ')} |`,
    ),
    '',
    `${stats.requests} requests in ${duration(stats.durationMs)}, seed ${results.seed}, effort ${text(results.effort)}.`,
    ...findings('Violated', view.violated),
    ...section(
      'Blocked',
      view.blocked.map(
        (group) =>
          `${text(group.reason)}: ${firstOf(group.clauses, MOST_REASONS).map(text).join(', ')}${group.remedy ? `. Remedy: ${text(group.remedy)}` : ''}`,
      ),
    ),
    ...section(
      'Errored',
      view.errored.map((check) => `${text(check.id)}: ${text(check.reason ?? 'no reason was recorded')}`),
    ),
    ...section(
      'Unstable',
      view.unstable.map((check) => text(unstableText(check))),
    ),
    ...findings('Warned', view.warned),
    ...section('Beneath known violations', view.known.flatMap(beneathWords).map(text)),
    ...section(
      'Known deviations',
      results.deviations.map(
        (entry) => `${text(entry.clause)}: ${DEVIATION_WORDS[entry.state].label.toLowerCase()}, ${text(entry.reason)}`,
      ),
    ),
    ...section('Left behind', results.leftovers.map(text)),
    '',
  ].join('\n')
}

const findings = (title: string, found: Finding[]): string[] =>
  found.length === 0
    ? []
    : [
        '',
        `## ${title} (${found.length})`,
        '',
        ...found
          .slice(0, MOST_FINDINGS)
          .flatMap(({ clause, failures: [failure], ...rest }) => [
            `- **${text(clause.id)}** ${text(clause.text)}`,
            ...[
              ['source', sourceOf(clause)],
              ['why', failure && leadOf(failure.decision, failure.check.reason ?? 'no check recorded why')],
              ['sent again', clause.reproduction?.said],
              ...beneathWords({ clause, ...rest }).map((words) => ['beneath', words] as const),
            ].flatMap(([name, value]) => (value === undefined ? [] : [`  - ${name}: ${text(value)}`])),
            ...(failure === undefined ? [] : [`  - again: ${code(failure.check.rerun)}`]),
          ]),
        ...(found.length > MOST_FINDINGS ? [`- and ${found.length - MOST_FINDINGS} more in report.html`] : []),
      ]

const section = (title: string, items: string[]): string[] =>
  items.length === 0 ? [] : ['', `## ${title} (${items.length})`, ...list(items)]

const list = (items: string[]): string[] => (items.length === 0 ? [] : ['', ...items.map((item) => `- ${item}`)])

/** One line to copy, between more backticks than it holds in a row: nothing in there is read as Markdown or HTML. */
const code = (raw: string): string => {
  const fence = '`'.repeat(Math.max(0, ...(raw.match(/`+/g) ?? []).map(({ length }) => length)) + 1)
  return `${fence} ${oneLine(raw)} ${fence}`
}

export { text as markdownText }

/** One line of plain text: every sign that Markdown or HTML would read becomes an entity or is escaped. */
const text = (raw: string): string =>
  clip(oneLine(raw), LONGEST)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@:]/g, (sign) => `&#${sign.charCodeAt(0)};`)
