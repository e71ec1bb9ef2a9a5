/** The page of a difference between two results. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { leadOfDifference, partsOf } from '../diff-text.ts'
import type { Change, Difference, Side } from '../difference.ts'
import { instant } from '../text.ts'
import { VERDICT_WORDS } from '../words.ts'
import { type Entry, renderFrame } from './frame.tsx'
import { Badge, ClauseBadge, Facts, LevelTag, Section, Sign, Text } from './parts.tsx'
import { Table } from './table.tsx'

/** Renders a difference as one self-contained HTML page. */
export const renderDiffPage = (difference: Difference): string => {
  const { regression, target } = difference
  const like = regression ? 'violated' : 'verified'
  return renderFrame({
    title: `${regression ? 'Regression' : 'No regression'}: ${target} (assay diff)`,
    about: <Text of={target} />,
    gate: regression ? 'failed' : 'passed',
    entries: entriesOf(difference),
    children: (
      <>
        <section id="verdict" class="banner plain-banner" aria-labelledby="verdict-title">
          <div class={`headline t-${like}`}>
            <p class="eyebrow">What changed between two runs</p>
            <h1 id="verdict-title">
              <Sign like={like} />
              {regression ? 'Regression' : 'No regression'}
            </h1>
            <p class="lead">{leadOfDifference(difference)}</p>
          </div>
        </section>
        <Section id="sides" title="The two runs">
          <Sides of={difference} />
        </Section>
        {CHANGES.map(([id, title, of]) => (
          <Changes id={id} title={title} changes={of(difference)} />
        ))}
        {partsOf(difference)
          .filter(({ title }) => !CHANGES.some(([, shown]) => shown === title))
          .map(({ title, lines }) => (
            <Section id={idOf(title)} title={title} count={lines.length}>
              <ul class="plain">
                {lines.map((line) => (
                  <li>
                    <Text of={line} />
                  </li>
                ))}
              </ul>
            </Section>
          ))}
      </>
    ),
    end: 'Written by assay diff from two files of results.',
  })
}

const CHANGES: [id: string, title: string, of: (difference: Difference) => Change[]][] = [
  ['violated', 'Newly violated', ({ violated }) => violated],
  ['blocked', 'Newly blocked', ({ blocked }) => blocked],
  ['warned', 'Newly warned', ({ warned }) => warned],
  ['fixed', 'Fixed', ({ fixed }) => fixed],
]

const idOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

const Sides = ({ of }: { of: Difference }): JSX.Element => (
  <Facts
    rows={[
      ['Before', <SideLine side={of.old} />],
      ['After', <SideLine side={of.new} />],
    ]}
  />
)

const SideLine = ({ side: { startedAt, verdict, server, assay, run } }: { side: Side }): JSX.Element => (
  <>
    <Badge like={VERDICT_WORDS[verdict].like} label={VERDICT_WORDS[verdict].label} />
    <br />
    {instant(startedAt)}, run <Text of={run} />, assay <Text of={assay} />
    {server === undefined ? null : (
      <>
        , <Text of={server} />
      </>
    )}
  </>
)

const Changes = ({ id, title, changes }: { id: string; title: string; changes: Change[] }): JSX.Element | null =>
  changes.length === 0 ? null : (
    <Section id={id} title={title} count={changes.length}>
      <Table caption={title} columns={['Clause', 'Before', 'After', 'Why']}>
        {changes.map((change) => (
          <tr id={`clause-${change.id}`}>
            <td>
              <span class="id">
                <Text of={change.id} />
              </span>{' '}
              <LevelTag level={change.level} />
              <span class="under">
                <Text of={change.text} />
              </span>
            </td>
            <td data-name="Before">{change.before === undefined ? 'not there' : <ClauseBadge outcome={change.before} />}</td>
            <td data-name="After">{change.after === undefined ? 'not there' : <ClauseBadge outcome={change.after} />}</td>
            <td>
              <Text of={change.deviation === undefined ? (change.reason ?? '') : `known deviation: ${change.deviation}`} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )

const entriesOf = (difference: Difference): Entry[] => [
  ['verdict', 'Outcome'],
  ['sides', 'The two runs'],
  ...CHANGES.map(([id, title, of]): Entry => [id, title, of(difference).length]).filter(([, , count]) => count !== 0),
  ...partsOf(difference)
    .filter(({ title }) => !CHANGES.some(([, shown]) => shown === title))
    .map(({ title, lines }): Entry => [idOf(title), title, lines.length]),
]
