/** The account of all clauses, what was observed where the documents are silent, and what could not run. */
import type { JSX } from 'preact'
import type { CheckResult, ClauseResult } from '../../specs/meta/results.ts'
import { sourceOf } from '../lead.ts'
import { cut, oneLine, plural, visible } from '../text.ts'
import type { BlockedGroup, View } from '../view.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, VERDICT_WORDS } from '../words.ts'
import { Badge, Block, ClauseBadge, ClauseLink, clauseAnchor, LevelTag, Prose, Section, Text, Toolbar } from './parts.tsx'

/** What could not run, by cause, with the one line that mends it. */
export const Blocked = ({ groups }: { groups: BlockedGroup[] }): JSX.Element | null =>
  groups.length === 0 ? null : (
    <Section
      id="blocked"
      title="Blocked"
      count={groups.reduce((sum, group) => sum + group.checks.length, 0)}
      note="Checks that could not decide because something they need was absent or failed, by cause."
    >
      {groups.map((group) => (
        <article class="item t-blocked" tabIndex={-1} data-nav>
          <h3>
            <Prose of={group.reason} />
          </h3>
          {group.remedy === undefined ? null : (
            <p class="remedy">
              <span>Remedy</span>
              <b>
                <Prose of={group.remedy} />
              </b>
            </p>
          )}
          <details>
            <summary>
              {plural(group.checks.length, 'check')}, {plural(group.clauses.length, 'clause')}
            </summary>
            <p class="ids">
              {group.clauses.map((id) => (
                <ClauseLink id={id} />
              ))}
            </p>
          </details>
        </article>
      ))}
    </Section>
  )

/** Internal errors. */
export const Errored = ({ checks }: { checks: CheckResult[] }): JSX.Element | null =>
  checks.length === 0 ? null : (
    <Section
      id="errored"
      title="Errored"
      count={checks.length}
      note="Checks that failed by an internal error. They say nothing about the server; please report them."
    >
      {checks.map((check) => (
        <article class="item t-errored" tabIndex={-1} data-nav>
          <h3>
            <code>
              <Text of={check.id} />
            </code>
          </h3>
          <p class="why">
            <Text of={check.reason ?? 'no reason was recorded'} />
          </p>
          <Block text={check.rerun} label="Run this check again" copy />
        </article>
      ))}
    </Section>
  )

/** What was seen where the documents leave it open. */
export const Observations = ({ clauses }: { clauses: ClauseResult[] }): JSX.Element | null =>
  clauses.length === 0 ? null : (
    <Section
      id="observations"
      title="Observations"
      count={clauses.length}
      note="Where the documents are silent nothing is judged; this is what the server did."
    >
      <ul class="observations">
        {clauses.map((clause) => (
          <li>
            <ClauseLink id={clause.id} /> <Prose of={clause.text} />
            <ul>
              {(clause.observations ?? []).map((seen) => (
                <li>
                  <code>
                    <Text of={cut(seen, 600)} />
                  </code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  )

/** Every clause, by engine, in a table that can be searched and narrowed. */
export const AllClauses = ({ view }: { view: View }): JSX.Element => {
  const shownAbove = new Set([...view.violated, ...view.known, ...view.warned].map((finding) => finding.clause.id))
  return (
    <Section
      id="clauses"
      title="All clauses"
      count={view.total.total}
      note="Every testable statement of the documents, and what became of it."
    >
      <div data-filterable>
        <Toolbar
          label="Narrow the clauses"
          slash
          choices={[
            { by: 'engine', label: 'Engine', options: view.engines.map((one) => one.engine.id) },
            { by: 'level', label: 'Level', options: ['required', 'advised', 'open'] },
          ]}
          outcomes={CLAUSE_OUTCOMES.filter((outcome) => view.total[outcome] > 0).map((outcome) => ({
            value: outcome,
            label: CLAUSE_WORDS[outcome].label,
            like: outcome,
            count: view.total[outcome],
          }))}
        />
        <p class="empty" hidden data-empty>
          No clause matches. Clear the filters to see all of them.
        </p>
        <table class="rows clauses">
          <caption class="unseen">All clauses by engine</caption>
          <thead>
            <tr>
              <th scope="col">Clause</th>
              <th scope="col">Outcome</th>
              <th scope="col">Level</th>
              <th scope="col">Statement</th>
            </tr>
          </thead>
          {view.engines
            .filter((one) => one.clauses.length > 0)
            .map(({ engine, clauses }) => (
              <tbody>
                <tr class="group">
                  <th colSpan={4} scope="rowgroup">
                    <span>
                      <Text of={engine.title} />
                    </span>{' '}
                    <Badge like={VERDICT_WORDS[engine.verdict].like} label={VERDICT_WORDS[engine.verdict].label} />
                  </th>
                </tr>
                {clauses.map((clause) => (
                  <ClauseRow clause={clause} above={shownAbove.has(clause.id)} />
                ))}
              </tbody>
            ))}
        </table>
      </div>
    </Section>
  )
}

const ClauseRow = ({ clause, above }: { clause: ClauseResult; above: boolean }): JSX.Element => (
  <tr
    {...(above ? {} : { id: clauseAnchor(clause.id) })}
    tabIndex={-1}
    data-row
    data-nav
    data-engine={visible(clause.engine)}
    data-level={clause.level}
    data-outcome={clause.outcome}
  >
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
      <details>
        <summary>
          <Prose of={clause.text} />
        </summary>
        <ul class="more">
          <li>
            <b>Source</b> <Text of={sourceOf(clause)} />
          </li>
          {clause.reading === undefined ? null : (
            <li>
              <b>Reading</b> <Prose of={clause.reading} />
            </li>
          )}
          {clause.reason === undefined ? null : (
            <li>
              <b>Reason</b> <Prose of={clause.reason} />
            </li>
          )}
          {(clause.observations ?? []).map((seen) => (
            <li>
              <b>Seen</b> <Text of={seen} />
            </li>
          ))}
          <li>
            <b>Checks</b> {clause.checks.length === 0 ? 'none' : <code>{oneLine(clause.checks.join('  '))}</code>}
          </li>
          {above ? (
            <li>
              <a href={`#${encodeURIComponent(clauseAnchor(clause.id))}`}>Show what was expected and seen</a>
            </li>
          ) : null}
        </ul>
      </details>
    </td>
  </tr>
)
