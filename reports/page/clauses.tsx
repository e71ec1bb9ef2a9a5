/** The account of all clauses, and what was observed where the documents are silent. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseOutcome, ClauseResult } from '../../specs/meta/results.ts'
import { narrowingWords } from '../beneath.ts'
import { leadOf, sourceOf } from '../lead.ts'
import { cut, oneLine, plural, thousands } from '../text.ts'
import type { EngineView, Finding, View } from '../view.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, VERDICT_WORDS } from '../words.ts'
import { ClauseList, ClauseRow, Detail, Details } from './clause-parts.tsx'
import { GroupTitle, List } from './list.tsx'
import { Badge, ClauseBadge, ClauseLink, clauseAnchor, LevelTag, Prose, Section, Text } from './parts.tsx'
import { Later } from './tree.tsx'

/** Outcomes that want a look: an engine with one of them is opened at once. */
const WANTS_A_LOOK: ClauseOutcome[] = ['violated', 'errored', 'blocked', 'warned']

/** What was seen where the documents leave it open. */
export const Observations = ({ view }: { view: View }): JSX.Element | null =>
  view.observed.length === 0 ? null : (
    <Section
      id="observations"
      title="Observations"
      count={view.observed.length}
      note="Where the documents are silent nothing is judged; this is what the server did."
    >
      <List
        name="observations"
        caption="Observations by engine"
        columns={[{ title: 'Clause' }, { title: 'Statement, and what was seen' }]}
        groups={view.engines.map(({ engine }) => {
          const clauses = view.observed.filter((clause) => clause.engine === engine.id)
          return { title: <GroupTitle title={engine.title} say={plural(clauses.length, 'clause')} />, rows: clauses.map(observed) }
        })}
      />
    </Section>
  )

const observed = (clause: ClauseResult): JSX.Element => (
  <tr tabIndex={-1} data-nav>
    <td>
      <ClauseLink id={clause.id} />
    </td>
    <td>
      <Prose of={clause.text} />
      <ul class="seen-there">
        {(clause.observations ?? []).map((seen) => (
          <li>
            <code>
              <Text of={cut(seen, 600)} />
            </code>
          </li>
        ))}
      </ul>
    </td>
  </tr>
)

/** Every clause, by engine, in a table that can be searched and narrowed; within an engine what wants a look comes first. */
export const AllClauses = ({ view, above }: { view: View; above: ClauseResult[] }): JSX.Element => {
  const shownAbove = new Set(above.map(({ id }) => id))
  const findings = new Map(
    [...view.violated, ...view.known, ...view.following, ...view.warned].map((finding) => [finding.clause.id, finding]),
  )
  return (
    <Section
      id="clauses"
      title="All clauses"
      count={view.total.total}
      note="Every testable statement of the documents, and what became of it."
    >
      <ClauseList
        caption="All clauses by engine"
        columns={['Clause', 'Outcome', 'Level', 'Statement']}
        groups={view.engines.map((one) => ({
          title: <EngineTitle of={one} />,
          open: WANTS_A_LOOK.some((outcome) => one.engine.clauses[outcome] > 0),
          rows: byUrgency(one.clauses).map((clause) => row(clause, shownAbove.has(clause.id), findings.get(clause.id))),
        }))}
        engines={view.engines.map((one) => one.engine.id)}
        outcomes={CLAUSE_OUTCOMES.map((outcome) => ({
          value: outcome,
          label: CLAUSE_WORDS[outcome].label,
          like: outcome,
          count: view.total[outcome],
        }))}
      />
    </Section>
  )
}

const EngineTitle = ({ of: { engine, clauses } }: { of: EngineView }): JSX.Element => (
  <GroupTitle
    title={engine.title}
    badge={<Badge like={VERDICT_WORDS[engine.verdict].like} label={VERDICT_WORDS[engine.verdict].label} />}
    say={`${thousands(engine.clauses.verified)} verified of ${plural(clauses.length, 'clause')}`}
  />
)

const byUrgency = (clauses: ClauseResult[]): ClauseResult[] =>
  [...clauses].sort((a, b) => CLAUSE_OUTCOMES.indexOf(a.outcome) - CLAUSE_OUTCOMES.indexOf(b.outcome))

const row = (clause: ClauseResult, above: boolean, finding?: Finding): JSX.Element => (
  <ClauseRow clause={clause} outcome={clause.outcome} anchored={!above}>
    <td>
      <ClauseLink id={clause.id} />
    </td>
    <td>
      <ClauseBadge outcome={clause.outcome} />
    </td>
    <td>
      <LevelTag level={clause.level} />
    </td>
    <td>
      <Later summary={<Prose of={clause.text} />}>
        <Details>
          <Detail title="Source">
            <Text of={sourceOf(clause)} />
          </Detail>
          {clause.reading === undefined ? null : (
            <Detail title="Reading">
              <Prose of={clause.reading} />
            </Detail>
          )}
          {clause.reason === undefined ? null : (
            <Detail title="Reason">
              <Prose of={clause.reason} />
            </Detail>
          )}
          {clause.causedBy === undefined ? null : (
            <Detail title={clause.outcome === 'violated' ? 'Follows from' : 'Rests on'}>
              <Text of={clause.causedBy.join(', ')} />
            </Detail>
          )}
          {clause.narrowedBy === undefined ? null : (
            <Detail title="Verified">
              <Text of={narrowingWords(clause)} />
            </Detail>
          )}
          {(finding?.failures ?? []).slice(0, 3).map(({ check, decision }) => (
            <Detail title="Found">
              <Text of={oneLine(leadOf(decision, check.reason ?? ''))} />
            </Detail>
          ))}
          {(clause.observations ?? []).map((seen) => (
            <Detail title="Seen">
              <Text of={seen} />
            </Detail>
          ))}
          <Detail title="Checks">{clause.checks.length === 0 ? 'none' : <code>{oneLine(clause.checks.join('  '))}</code>}</Detail>
          {above ? (
            <li>
              <a href={`#${encodeURIComponent(clauseAnchor(clause.id))}`}>Show what was expected and seen</a>
            </li>
          ) : null}
        </Details>
      </Later>
    </td>
  </ClauseRow>
)
