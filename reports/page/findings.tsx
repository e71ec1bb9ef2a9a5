/** Clauses that do not hold, by cause, each with what was expected, what was seen, and the exchanges that show it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseResult } from '../../specs/meta/results.ts'
import { type Cause, causesOf } from '../causes.ts'
import { leadOf, sourceOf } from '../lead.ts'
import { clip, oneLine, plural } from '../text.ts'
import type { Failure, Finding } from '../view.ts'
import { Remark, Statement } from './clause-parts.tsx'
import { FailureView } from './failure.tsx'
import { ClauseBadge, ClauseLink, clauseAnchor, LevelTag, Prose, Section, Text } from './parts.tsx'
import { Reproductions } from './reproduction.tsx'
import { Later } from './tree.tsx'

/** How many clauses of one cause stand on its card, and how many further checks; lists elsewhere have them all. */
const CLAUSES_ON_CARD = 12
const CHECKS_ON_CARD = 8
const LONGEST_LEAD = 160

interface FindingsProps {
  id: string
  title: string
  note: string
  findings: Finding[]
  seed: number
  /** How many causes have their card at once; the others are one line each until they are opened. */
  cards: number
}

/** A section of findings; nothing where there are none. */
export const Findings = ({ id, title, note, findings, seed, cards }: FindingsProps): JSX.Element | null => {
  if (findings.length === 0) return null
  const causes = causesOf(findings)
  const rest = causes.slice(cards)
  const together = causes.length === findings.length ? '' : ` ${plural(findings.length, 'clause')}, ${plural(causes.length, 'cause')}.`
  return (
    <Section id={id} title={title} count={findings.length} note={note + together}>
      {causes.slice(0, cards).map((cause) => (
        <Card cause={cause} seed={seed} anchored />
      ))}
      {rest.length === 0 ? null : (
        <div class="item rest-of-causes">
          <Later summary={`${plural(rest.length, 'more cause')}, ${plural(rest.flatMap((cause) => cause.clauses).length, 'clause')}`}>
            {rest.map((cause) => (
              <Later summary={<Line cause={cause} />}>
                <Card cause={cause} seed={seed} />
              </Later>
            ))}
          </Later>
          <pre data-unscripted>
            {rest.map(({ clauses, failures }) => `${clauses.map(({ id }) => id).join(' ')}: ${leadFrom(failures[0])}`).join('\n')}
          </pre>
        </div>
      )}
    </Section>
  )
}

/** The clauses that have their place on a card of these findings, so that links lead there. */
export const onCards = (findings: Finding[], cards: number): ClauseResult[] =>
  causesOf(findings)
    .slice(0, cards)
    .flatMap(({ clauses }) => clauses.slice(0, CLAUSES_ON_CARD))

const Line = ({ cause: { clauses, failures } }: { cause: Cause }): JSX.Element => (
  <>
    <span class="id">
      <Text of={clauses[0]!.id} />
    </span>
    {clauses.length === 1 ? ' ' : ` and ${clauses.length - 1} more `}
    <span class="soft">{leadFrom(failures[0])}</span>
  </>
)

const Card = ({ cause, seed, anchored = false }: { cause: Cause; seed: number; anchored?: boolean }): JSX.Element => {
  const { clauses, failures, deviation, beneath } = cause
  const [clause] = clauses as [ClauseResult]
  const single = clauses.length === 1
  return (
    <article class={`finding t-${clause.outcome}`} {...(single && anchored ? { id: clauseAnchor(clause.id) } : {})} tabIndex={-1} data-nav>
      {single ? <Single clause={clause} /> : <Several clauses={clauses} why={sentenceOf(failures[0])} anchored={anchored} />}
      <Remark title="Known deviation" of={deviation} />
      {beneath.map((words) => (
        <Remark title="Beneath it" of={words} />
      ))}
      <Reproductions clauses={clauses.slice(0, CLAUSES_ON_CARD)} />
      {failures.length === 0 ? <p class="why">No check recorded why.</p> : null}
      {failures.slice(0, 1).map((failure) => (
        <FailureView failure={failure} seed={seed} said={!single} />
      ))}
      <MoreFailures failures={failures.slice(1)} clause={clause} seed={seed} />
    </article>
  )
}

const Single = ({ clause }: { clause: ClauseResult }): JSX.Element => (
  <>
    <header>
      <ClauseBadge outcome={clause.outcome} />
      <ClauseLink id={clause.id} />
      <LevelTag level={clause.level} />
      <span class="soft">
        <Text of={clause.engine} />
      </span>
    </header>
    <Statement clause={clause} />
    <Remark title="Reading" of={clause.reading} />
  </>
)

const Several = ({ clauses, why, anchored }: { clauses: ClauseResult[]; why: string; anchored: boolean }): JSX.Element => {
  const line = (clause: ClauseResult, place: boolean): JSX.Element => (
    <li {...(place ? { id: clauseAnchor(clause.id), tabIndex: -1, 'data-anchor': '' } : {})}>
      <ClauseLink id={clause.id} /> <Prose of={clause.text} />{' '}
      <span class="soft">
        {clause.level}, <Text of={sourceOf(clause)} />
      </span>
    </li>
  )
  const rest = clauses.slice(CLAUSES_ON_CARD)
  return (
    <>
      <header>
        <ClauseBadge outcome={clauses[0]!.outcome} />
        <b>{plural(clauses.length, 'clause')}, one cause</b>
        <span class="soft">
          <Text of={[...new Set(clauses.map(({ engine }) => engine))].join(', ')} />
        </span>
      </header>
      <h3>{why}</h3>
      <ul class="broken">{clauses.slice(0, CLAUSES_ON_CARD).map((clause) => line(clause, anchored))}</ul>
      {rest.length === 0 ? null : (
        <Later summary={`and ${plural(rest.length, 'more clause')}`}>
          <ul class="broken">{rest.map((clause) => line(clause, false))}</ul>
        </Later>
      )}
    </>
  )
}

/** The other checks that found the same: one line each, which opens. */
const MoreFailures = ({ failures, clause, seed }: { failures: Failure[]; clause: ClauseResult; seed: number }): JSX.Element | null =>
  failures.length === 0 ? null : (
    <div class="failure others">
      <p class="soft">{plural(failures.length, 'more check found', 'more checks found')} the same</p>
      {failures.slice(0, CHECKS_ON_CARD).map((failure) => (
        <Later
          summary={
            <>
              <code>
                <Text of={failure.check.id} />
              </code>{' '}
              <span class="soft">{leadFrom(failure)}</span>
            </>
          }
        >
          <FailureView failure={failure} seed={seed} />
        </Later>
      ))}
      {failures.length <= CHECKS_ON_CARD ? null : (
        <p>
          <a href={`#checks?${new URLSearchParams({ 'checks.q': clause.id })}`}>
            and {failures.length - CHECKS_ON_CARD} more among the checks
          </a>
        </p>
      )}
    </div>
  )

/** What was found, without the values, which stand below. */
const sentenceOf = (failure: Failure | undefined): string =>
  clip(oneLine(failure?.decision?.message ?? failure?.check.reason ?? 'No check recorded why.'), LONGEST_LEAD * 2)

const leadFrom = (failure: Failure | undefined): string =>
  failure === undefined ? 'no check recorded why' : clip(oneLine(leadOf(failure.decision, failure.check.reason ?? '')), LONGEST_LEAD)
