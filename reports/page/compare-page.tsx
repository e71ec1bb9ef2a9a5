/** The page of a comparison: implementations side by side, by engine and by clause. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseOutcome } from '../../specs/meta/results.ts'
import { type ComparedClause, type Comparison, type Implementation, leadOfComparison } from '../comparison.ts'
import { sourceOf } from '../lead.ts'
import { instant, plural, thousands, visible } from '../text.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, VERDICT_WORDS } from '../words.ts'
import { ClauseList, ClauseRow, Detail, Details } from './clause-parts.tsx'
import { renderFrame } from './frame.tsx'
import { GroupTitle } from './list.tsx'
import { Badge, Bar, ClauseBadge, ClauseLink, clauseAnchor, LevelTag, Prose, Section, Sign, Text } from './parts.tsx'
import { Table } from './table.tsx'
import { Later } from './tree.tsx'

/** Renders a comparison as one self-contained HTML page. */
export const renderComparePage = (comparison: Comparison): string => {
  const { implementations, engines, clauses } = comparison
  const differing = clauses.filter(({ differs }) => differs).length
  return renderFrame({
    title: `${implementations.map(({ name }) => name).join(' and ')} (assay compare)`,
    about: plural(implementations.length, 'implementation'),
    gate: 'passed',
    entries: [
      ['implementations', 'Implementations', implementations.length],
      ['engines', 'Engines', engines.length],
      ['clauses', 'Clauses', clauses.length],
    ],
    children: (
      <>
        <section id="verdict" class="banner plain-banner" aria-labelledby="verdict-title">
          <div class="headline t-observed">
            <p class="eyebrow">Side by side</p>
            <h1 id="verdict-title">
              <Sign like="observed" />
              {plural(implementations.length, 'implementation')}
            </h1>
            <p class="lead">{leadOfComparison(comparison)}</p>
          </div>
        </section>
        <Section id="implementations" title="Implementations" count={implementations.length}>
          <Implementations of={implementations} />
        </Section>
        <Section
          id="engines"
          title="Engines"
          count={engines.length}
          note="Verified clauses of all that the engine has; the bar shows every outcome."
        >
          <Engines of={comparison} />
        </Section>
        <Section
          id="clauses"
          title="Clauses"
          count={clauses.length}
          note={`What became of each testable statement on each implementation. ${plural(differing, 'clause holds', 'clauses hold')} on some and not on others.`}
        >
          <Clauses of={comparison} />
        </Section>
      </>
    ),
    end: 'Written by assay compare; compare.json beside it holds the same facts for programs.',
  })
}

/** Only what lies beside the comparison, or is on the web, is linked. */
const isLink = (address: string | undefined): address is string => address !== undefined && !/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(address)

const Implementations = ({ of }: { of: Implementation[] }): JSX.Element => (
  <Table caption="Implementations" columns={['Implementation', 'Verdict', 'Server', 'Run']}>
    {of.map(({ name, server, assay, startedAt, effort, verdict, report }) => (
      <tr>
        <td>
          {isLink(report) ? (
            <a href={report}>
              <Text of={name} />
            </a>
          ) : (
            <Text of={name} />
          )}
        </td>
        <td data-name="Verdict">
          <Badge like={VERDICT_WORDS[verdict].like} label={VERDICT_WORDS[verdict].label} />
        </td>
        <td data-name="Server">
          <Text of={server ?? 'not said'} />
        </td>
        <td data-name="Run">
          {instant(startedAt)}, effort <Text of={effort} />, assay <Text of={assay} />
        </td>
      </tr>
    ))}
  </Table>
)

const Engines = ({ of: { implementations, engines } }: { of: Comparison }): JSX.Element => (
  <Table caption="Engines by implementation" columns={['Engine', ...implementations.map(({ name }) => <Text of={name} />)]}>
    {engines.map(({ id, title, standings }) => (
      <tr>
        <th scope="row">
          <a href={`#clauses?${new URLSearchParams({ 'clauses.engine': id })}`}>
            <Text of={title} />
          </a>
        </th>
        {standings.map((standing, at) => (
          <td data-name={visible(implementations[at]!.name)}>
            {standing === null ? (
              <span class="soft">not there</span>
            ) : (
              <>
                <Badge like={VERDICT_WORDS[standing.verdict].like} label={VERDICT_WORDS[standing.verdict].label} />
                <span class="under">
                  {thousands(standing.clauses.verified)} of {thousands(standing.clauses.total)}
                  {standing.clauses.violated === 0 ? '' : `, ${standing.clauses.violated} violated`}
                </span>
                <Bar counts={standing.clauses} />
              </>
            )}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)

/** What a clause comes to on all implementations together, for the filter: differing first, else the worst. */
const together = ({ differs, outcomes }: ComparedClause): string =>
  differs ? 'differs' : (CLAUSE_OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'notExercised')

const Clauses = ({ of: { implementations, engines, clauses } }: { of: Comparison }): JSX.Element => {
  const count = (value: string) => clauses.filter((clause) => together(clause) === value).length
  const choices: { value: string; label: string; like: ClauseOutcome }[] = [
    { value: 'differs', label: 'Differs', like: 'warned' },
    ...CLAUSE_OUTCOMES.map((outcome) => ({ value: outcome, label: CLAUSE_WORDS[outcome].label, like: outcome })),
  ]
  return (
    <ClauseList
      caption="Clauses by engine and implementation"
      columns={['Clause', 'Level', ...implementations.map(({ name }) => visible(name)), 'Statement']}
      groups={engines.map(({ id, title }) => {
        const mine = clauses.filter(({ engine }) => engine === id)
        const differing = mine.filter(({ differs }) => differs).length
        return {
          title: <GroupTitle title={title} say={`${plural(mine.length, 'clause')}, ${differing} differ`} />,
          open: differing > 0,
          rows: [...mine].sort((a, b) => Number(b.differs) - Number(a.differs)).map((clause) => row(clause, implementations)),
        }
      })}
      engines={engines.map(({ id }) => id)}
      outcomes={choices.map((choice) => ({ ...choice, count: count(choice.value) }))}
    />
  )
}

const row = (clause: ComparedClause, implementations: Implementation[]): JSX.Element => (
  <ClauseRow clause={clause} outcome={together(clause)}>
    <td>
      <ClauseLink id={clause.id} />
    </td>
    <td>
      <LevelTag level={clause.level} />
    </td>
    {clause.outcomes.map((outcome, at) => (
      <td data-name={visible(implementations[at]!.name)}>
        {outcome === null ? <span class="soft">not there</span> : <ClauseBadge outcome={outcome} />}
      </td>
    ))}
    <td>
      <Later summary={<Prose of={clause.text} />}>
        <Details>
          <Detail title="Source">
            <Text of={sourceOf(clause)} />
          </Detail>
          {implementations.map(({ name, report }) =>
            isLink(report) ? (
              <Detail title="Report">
                <a href={`${report}#${encodeURIComponent(clauseAnchor(clause.id))}`}>
                  <Text of={name} />
                </a>
              </Detail>
            ) : null,
          )}
        </Details>
      </Later>
    </td>
  </ClauseRow>
)
