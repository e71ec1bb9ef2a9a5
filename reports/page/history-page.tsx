/** The page of a history: the row of runs of one target, and each run in a line. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { TargetNights } from '../nights.ts'
import { duration, instant, plural, thousands } from '../text.ts'
import { VERDICT_WORDS } from '../words.ts'
import { renderFrame } from './frame.tsx'
import { Nights } from './nights.tsx'
import { Badge, Section, Sign, Text } from './parts.tsx'
import { Table } from './table.tsx'

const lead = ({ clauses, nights }: TargetNights): string => {
  const failing = clauses.filter(({ since }) => since !== undefined)
  if (failing.length === 0) return `Nothing fails in the last of ${plural(nights.length, 'run')}.`
  const [longest] = failing
  return `${plural(failing.length, 'clause fails', 'clauses fail')} now, ${longest!.clause.id} for the longest: since ${instant(longest!.since!.night.startedAt)}.`
}

/** Renders the runs of one target as one self-contained HTML page. */
export const renderHistoryPage = (history: TargetNights): string => {
  const last = history.nights.at(-1)
  const { like, label } = VERDICT_WORDS[last?.verdict ?? 'notClaimed']
  return renderFrame({
    title: `History of ${history.target} (assay)`,
    about: <Text of={history.target} />,
    gate: last?.gate ?? 'incomplete',
    entries: [
      ['verdict', 'Last run'],
      ['history', 'History', history.nights.length],
      ['runs', 'Runs', history.nights.length],
    ],
    children: (
      <>
        <section id="verdict" class="banner plain-banner" aria-labelledby="verdict-title">
          <div class={`headline t-${like}`}>
            <p class="eyebrow">The last of {plural(history.nights.length, 'run')}</p>
            <h1 id="verdict-title">
              <Sign like={like} />
              {label}
            </h1>
            <p class="lead">
              <Text of={lead(history)} />
            </p>
          </div>
        </section>
        <Nights history={history} />
        <Section id="runs" title="Runs" count={history.nights.length}>
          <Table caption="Runs, the latest first" columns={['Run', 'Verdict', 'Server', 'Size']}>
            {[...history.nights].reverse().map((night) => (
              <tr>
                <td>
                  {instant(night.startedAt)}{' '}
                  <span class="soft">
                    <Text of={night.run} />
                  </span>
                </td>
                <td data-name="Verdict">
                  <Badge like={VERDICT_WORDS[night.verdict].like} label={VERDICT_WORDS[night.verdict].label} />
                </td>
                <td data-name="Server">
                  <Text of={night.server ?? 'not said'} />
                </td>
                <td data-name="Size">
                  {thousands(night.requests)} requests in {duration(night.durationMs)}
                </td>
              </tr>
            ))}
          </Table>
        </Section>
      </>
    ),
    end: 'Written from the folder of --history.',
  })
}
