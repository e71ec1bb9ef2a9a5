/** A row of runs on a page: engines and clauses over time, durations and requests. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseOutcome } from '../../specs/meta/results.ts'
import type { ClauseNights, Night, TargetNights } from '../nights.ts'
import { duration, instant, plural, thousands } from '../text.ts'
import { VERDICT_WORDS } from '../words.ts'
import { Badge, ClauseBadge, LevelTag, Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

/** Longer rows would be unreadable; all of them are in the files. */
const MOST_CLAUSES = 200

/** Outcomes over time as one strip; the words beside it say the same. */
const Strip = ({ of }: { of: (ClauseOutcome | undefined)[] }): JSX.Element => (
  <svg class="bar" viewBox={`0 0 ${of.length * 10 - 1} 8`} preserveAspectRatio="none" aria-hidden="true">
    {of.map((outcome, at) => (outcome === undefined ? null : <rect class={`f-${outcome}`} x={at * 10} width="9" y="0" height="8" />))}
  </svg>
)

/** A figure of each run as columns. */
const Columns = ({ values }: { values: number[] }): JSX.Element => {
  const most = Math.max(1, ...values)
  return (
    <svg class="columns" viewBox={`0 0 ${values.length * 10 - 1} 40`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, at) => {
        const height = Math.max(1, (value / most) * 40)
        return <rect class="f-observed" x={at * 10} width="9" y={(40 - height).toFixed(1)} height={height.toFixed(1)} />
      })}
    </svg>
  )
}

const range = (values: number[], say: (value: number) => string): string =>
  `${say(values.at(-1) ?? 0)} in the last run, ${say(Math.min(...values))} to ${say(Math.max(...values))} in all`

const Growth = ({ nights }: { nights: Night[] }): JSX.Element => {
  const [requests, durations] = [nights.map((night) => night.requests), nights.map((night) => night.durationMs)]
  return (
    <dl class="facts">
      <div>
        <dt>Duration</dt>
        <dd>
          <Columns values={durations} />
          {range(durations, duration)}
        </dd>
      </div>
      <div>
        <dt>Requests</dt>
        <dd>
          <Columns values={requests} />
          {range(requests, thousands)}
        </dd>
      </div>
    </dl>
  )
}

const Engines = ({ engines }: { engines: TargetNights['engines'] }): JSX.Element => (
  <Table caption="Verdicts of engines over the runs" columns={['Engine', 'Over the runs', 'Now']}>
    {engines.map(({ title, verdicts }) => {
      const now = verdicts.at(-1)
      return (
        <tr>
          <td>
            <Text of={title} />
          </td>
          <td data-name="Over the runs">
            <Strip of={verdicts.map((verdict) => (verdict === undefined ? undefined : VERDICT_WORDS[verdict].like))} />
          </td>
          <td data-name="Now">
            {now === undefined ? 'not there' : <Badge like={VERDICT_WORDS[now].like} label={VERDICT_WORDS[now].label} />}
          </td>
        </tr>
      )
    })}
  </Table>
)

const ClauseRow = ({ of: { clause, outcomes, since } }: { of: ClauseNights }): JSX.Element => {
  const now = outcomes.at(-1)
  return (
    <tr>
      <td>
        <span class="id">
          <Text of={clause.id} />
        </span>{' '}
        <LevelTag level={clause.level} />
        <Strip of={outcomes} />
      </td>
      <td data-name="Now">{now === undefined ? 'not there' : <ClauseBadge outcome={now} />}</td>
      <td data-name="Since">
        {since === undefined ? (
          'holds again'
        ) : (
          <>
            {instant(since.night.startedAt)}, {plural(since.runs, 'run')}
            <span class="soft under">
              <Text of={since.came} />
            </span>
          </>
        )}
      </td>
    </tr>
  )
}

/** The section of a report, and what the page of a history is made of. */
export const Nights = ({ history }: { history: TargetNights | undefined }): JSX.Element | null =>
  history === undefined || history.nights.length === 0 ? null : (
    <Section
      id="history"
      title="History"
      count={history.nights.length}
      note={`From ${instant(history.nights[0]!.startedAt)} to ${instant(history.nights.at(-1)!.startedAt)}, the oldest run at the left.`}
    >
      <Growth nights={history.nights} />
      <Engines engines={history.engines} />
      {history.clauses.length === 0 ? (
        <p class="note">No clause failed in any of these runs.</p>
      ) : (
        <Table caption="Clauses that failed in some run, the longest first" captioned columns={['Clause', 'Now', 'Failing since']}>
          {history.clauses.slice(0, MOST_CLAUSES).map((one) => (
            <ClauseRow of={one} />
          ))}
        </Table>
      )}
    </Section>
  )
