/** The checks that ran, and where the time went. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { CheckOutcome, CheckResult, Results } from '../../specs/meta/results.ts'
import { duration, thousands, visible } from '../text.ts'
import type { EngineView, View } from '../view.ts'
import { CHECK_WORDS } from '../words.ts'
import { GroupTitle, List } from './list.tsx'
import { CheckBadge, ClauseLink, Facts, Section, Text, Toolbar } from './parts.tsx'

/** Most urgent first. */
const ORDER: CheckOutcome[] = ['failed', 'errored', 'blocked', 'warned', 'passed', 'observed', 'notClaimed']

/** All checks by engine, in a table that can be searched and narrowed; failures first. */
export const Checks = ({ checks, engines }: { checks: CheckResult[]; engines: EngineView[] }): JSX.Element => {
  const known = new Map(engines.map(({ engine }) => [engine.id, engine.title]))
  const ids = [...new Set([...known.keys(), ...checks.map((check) => check.engine)])]
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <Section
      id="checks"
      title="Checks"
      count={checks.length}
      note="The code that decided the clauses. A check passes only when every clause it names was decided."
    >
      <List
        name="checks"
        caption="All checks by engine, failures first"
        columns={[
          ...['Check', 'Outcome', 'Kind', 'Clauses'].map((title) => ({ title })),
          { title: 'Exchanges', right: true },
          { title: 'Time', right: true },
        ]}
        groups={ids.map((id) => {
          const own = sorted.filter((check) => check.engine === id)
          return { title: <GroupTitle title={known.get(id) ?? id} say={tally(own)} />, rows: own.map(row) }
        })}
        none="No check matches. Clear the filters to see all of them."
        toolbar={
          <Toolbar
            label="Narrow the checks"
            choices={[
              { by: 'engine', label: 'Engine', options: ids.filter((id) => checks.some((check) => check.engine === id)) },
              { by: 'kind', label: 'Kind', options: [...new Set(checks.map((check) => check.kind))] },
            ]}
            outcomes={ORDER.map((outcome) => ({
              value: outcome,
              ...CHECK_WORDS[outcome],
              count: checks.filter((check) => check.outcome === outcome).length,
            })).filter((one) => one.count > 0)}
          />
        }
      />
    </Section>
  )
}

/** How many checks came to which outcome, in words. */
const tally = (checks: CheckResult[]): string =>
  ORDER.map((outcome) => [checks.filter((check) => check.outcome === outcome).length, CHECK_WORDS[outcome].label] as const)
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${thousands(count)} ${label.toLowerCase()}`)
    .join(', ')

const row = (check: CheckResult): JSX.Element => (
  <tr tabIndex={-1} data-nav data-engine={visible(check.engine)} data-kind={visible(check.kind)} data-outcome={check.outcome}>
    <td>
      <code>
        <Text of={check.id} />
      </code>
      <span class="title">
        <Text of={check.title} />
      </span>
      {check.reason === undefined ? null : (
        <span class="soft">
          <Text of={check.reason} />
        </span>
      )}
    </td>
    <td>
      <CheckBadge outcome={check.outcome} />
    </td>
    <td data-name="Kind">
      <Text of={check.kind} />
    </td>
    <td class="ids">
      {check.clauses.map((id) => (
        <ClauseLink id={id} />
      ))}
    </td>
    <td class="right" data-name="Exchanges">
      {check.exchanges}
    </td>
    <td class="right" data-name="Time">
      {duration(check.durationMs)}
    </td>
  </tr>
)

/** The slowest checks, drawn to one scale, and the figures of the run. */
export const Timing = ({ results, view }: { results: Results; view: View }): JSX.Element => {
  const longest = Math.max(1, ...view.slowest.map((check) => check.durationMs))
  const { requests, durationMs, peakMemoryMb, requestsPerSecond } = results.stats
  return (
    <Section id="timing" title="Timing" note="The slowest checks. Checks run side by side, so their times do not add up.">
      <Facts
        rows={[
          ['Took', duration(durationMs)],
          ['Requests', thousands(requests)],
          ['Rate', `${thousands(Math.round(requestsPerSecond))} requests/s`],
          ['Peak memory', `${thousands(Math.round(peakMemoryMb))} MB`],
          ...Object.entries(results.counts).map(([name, count]): [string, string] => [name, thousands(count)]),
        ]}
      />
      <ol class="slowest">
        {view.slowest.map((check) => (
          <li>
            <code>
              <Text of={check.id} />
            </code>
            <svg viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={Math.max(4, (check.durationMs / longest) * 1000).toFixed(0)} height="6" />
            </svg>
            <span>{duration(check.durationMs)}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
