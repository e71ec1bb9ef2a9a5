/** Clauses that do not hold, each with what was expected, what was seen, and the exchanges that show it. */
import type { JSX } from 'preact'
import { leadOf, sourceOf } from '../lead.ts'
import { clip, duration, oneLine, plural, visible } from '../text.ts'
import type { Failure, Finding } from '../view.ts'
import { Exchange } from './exchange.tsx'
import { Block, ClauseBadge, clauseAnchor, LevelTag, Prose, Section, Text } from './parts.tsx'

/** How many further checks of one clause are listed in sight. */
const IN_SIGHT = 4
const LONGEST_LEAD = 160

/** A section of findings; nothing where there are none. */
export const Findings = ({
  id,
  title,
  note,
  findings,
  seed,
}: {
  id: string
  title: string
  note: string
  findings: Finding[]
  seed: number
}): JSX.Element | null =>
  findings.length === 0 ? null : (
    <Section id={id} title={title} count={findings.length} note={note}>
      {findings.map((finding) => (
        <FindingCard finding={finding} seed={seed} />
      ))}
    </Section>
  )

const FindingCard = ({ finding: { clause, failures, deviation }, seed }: { finding: Finding; seed: number }): JSX.Element => (
  <article class={`finding t-${clause.outcome}`} id={clauseAnchor(clause.id)} tabIndex={-1} data-nav>
    <header>
      <ClauseBadge outcome={clause.outcome} />
      <a class="id" href={`#${encodeURIComponent(clauseAnchor(clause.id))}`} title="Link to this clause">
        <Text of={clause.id} />
      </a>
      <LevelTag level={clause.level} />
      <span class="soft">
        <Text of={clause.engine} />
      </span>
    </header>
    <h3>
      <Prose of={clause.text} />
    </h3>
    <p class="source">
      <Text of={sourceOf(clause)} />
    </p>
    {clause.reading === undefined ? null : (
      <p class="reading">
        <b>Reading</b> <Prose of={clause.reading} />
      </p>
    )}
    {deviation === undefined ? null : (
      <p class="reading">
        <b>Known deviation</b> <Prose of={deviation} />
      </p>
    )}
    {failures.length === 0 ? <p class="why">No check recorded why.</p> : null}
    {failures.slice(0, 1).map((failure) => (
      <FailureView failure={failure} seed={seed} />
    ))}
    <MoreFailures failures={failures.slice(1)} seed={seed} />
  </article>
)

/** The other checks that found the same: one line each, which opens; a few in sight, the rest behind one line more. */
const MoreFailures = ({ failures, seed }: { failures: Failure[]; seed: number }): JSX.Element | null => {
  const line = (failure: Failure): JSX.Element => <FailureLine failure={failure} seed={seed} />
  const rest = failures.slice(IN_SIGHT)
  return failures.length === 0 ? null : (
    <div class="failure others">
      <p class="soft">{plural(failures.length, 'more check found', 'more checks found')} the same</p>
      {failures.slice(0, IN_SIGHT).map(line)}
      {rest.length === 0 ? null : (
        <details>
          <summary>and {rest.length} more</summary>
          {rest.map(line)}
        </details>
      )}
    </div>
  )
}

const FailureLine = ({ failure, seed }: { failure: Failure; seed: number }): JSX.Element => (
  <details>
    <summary>
      <code>
        <Text of={failure.check.id} />
      </code>{' '}
      <span class="soft">{lead(failure)}</span>
    </summary>
    <FailureView failure={failure} seed={seed} />
  </details>
)

const lead = ({ decision, check }: Failure): string => clip(oneLine(leadOf(decision, check.reason ?? '')), LONGEST_LEAD)

const FailureView = ({ failure: { check, decision, exchange }, seed }: { failure: Failure; seed: number }): JSX.Element => {
  const others = check.evidence.filter((one) => one !== exchange)
  const why = decision?.message ?? check.reason
  return (
    <div class="failure">
      <p class="decider">
        <code>
          <Text of={check.id} />
        </code>{' '}
        <span class="soft">
          <Text of={check.kind} />, {plural(check.exchanges, 'exchange')}, {duration(check.durationMs)}, seed {seed}
          {check.stability === undefined ? '' : `, ${check.stability}`}
        </span>
      </p>
      {why === undefined ? null : (
        <p class="why">
          <Text of={why} />
        </p>
      )}
      {decision?.expected === undefined && decision?.seen === undefined ? null : (
        <dl class="contrast">
          <div>
            <dt>Expected</dt>
            <dd>{visible(decision.expected ?? 'not recorded')}</dd>
          </div>
          <div>
            <dt>Seen</dt>
            <dd class="seen">{visible(decision.seen ?? 'not recorded')}</dd>
          </div>
        </dl>
      )}
      {check.counterexample === undefined ? null : <Block text={check.counterexample} label="Shortest counterexample" copy />}
      {exchange === undefined ? null : <Exchange exchange={exchange} />}
      {others.length === 0 ? null : (
        <details>
          <summary>{plural(others.length, 'more exchange')}</summary>
          {others.map((one) => (
            <Exchange exchange={one} />
          ))}
        </details>
      )}
      <Block text={check.rerun} label="Run this check again" copy />
    </div>
  )
}
