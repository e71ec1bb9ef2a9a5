/** Clauses that do not hold, by cause, each with what was expected, what was seen, and the exchanges that show it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseResult } from '../../specs/meta/results.ts'
import { type Cause, causesOf } from '../causes.ts'
import { leadOf, sourceOf } from '../lead.ts'
import { clip, oneLine, plural, thousands } from '../text.ts'
import type { Failure, Finding } from '../view.ts'
import { Remark } from './clause-parts.tsx'
import { FailureView } from './failure.tsx'
import { ClauseBadge, ClauseLink, clauseAnchor, LevelTag, Prose, Section, Text } from './parts.tsx'
import { Reproductions } from './reproduction.tsx'
import { Later } from './tree.tsx'

/** How many clauses of one cause stand on its card, and how many further checks; lists elsewhere have them all. */
const CLAUSES_ON_CARD = 12
const CHECKS_ON_CARD = 8
/** How many causes beside those have a line at once. */
const LINES = 100
const LONGEST_LEAD = 160
const LONGEST_WORD = 40

interface FindingsProps {
  id: string
  title: string
  note: string
  findings: Finding[]
  seed: number
  /** How many causes have their card in the page; those of the others are built when they are opened. */
  cards: number
}

/** A section of findings: a line for each cause, which opens as a card; nothing without findings. */
export const Findings = ({ id, title, note, findings, seed, cards }: FindingsProps): JSX.Element | null => {
  if (findings.length === 0) return null
  const causes = causesOf(findings)
  const rest = causes.slice(cards)
  const together = causes.length === findings.length ? '' : ` ${plural(findings.length, 'clause')}, ${plural(causes.length, 'cause')}.`
  return (
    <Section id={id} title={title} count={findings.length} note={note + together}>
      <div class="findings">
        <p class="heads" aria-hidden="true">
          <span>Clause</span>
          <span>Operation</span>
          <span>Expected and seen</span>
          <span>Follow</span>
        </p>
        {causes.slice(0, cards).map((cause) => (
          <details class={lookOf(cause)} {...placeOf(cause)} open={causes.length === 1}>
            <summary>
              <Line cause={cause} />
            </summary>
            <Card cause={cause} seed={seed} anchored />
          </details>
        ))}
        {rest.slice(0, LINES).map((cause) => (
          <Later class={lookOf(cause)} summary={<Line cause={cause} />}>
            <Card cause={cause} seed={seed} />
          </Later>
        ))}
        {rest.length <= LINES ? null : (
          <div class="further">
            <Later summary={`and ${plural(rest.length - LINES, 'more cause')}`}>
              {rest.slice(LINES).map((cause) => (
                <Later class={lookOf(cause)} summary={<Line cause={cause} />}>
                  <Card cause={cause} seed={seed} />
                </Later>
              ))}
            </Later>
          </div>
        )}
        {rest.length === 0 ? null : (
          <pre data-unscripted>
            {rest.map(({ clauses, failures }) => `${clauses.map(({ id }) => id).join(' ')}: ${leadFrom(failures[0])}`).join('\n')}
          </pre>
        )}
      </div>
    </Section>
  )
}

const lookOf = ({ clauses: [clause] }: Cause): string => `finding t-${clause!.outcome}`

/** Where links to its clause lead; those of several have their places on the card. */
const placeOf = ({ clauses }: Cause): Record<string, unknown> => ({
  tabIndex: -1,
  'data-nav': true,
  ...(clauses.length === 1 ? { id: clauseAnchor(clauses[0]!.id) } : {}),
})

/** The clauses that have their place on a card of these findings, so that links lead there. */
export const onCards = (findings: Finding[], cards: number): ClauseResult[] =>
  causesOf(findings)
    .slice(0, cards)
    .flatMap(({ clauses }) => clauses.slice(0, CLAUSES_ON_CARD))

/** What is seen of a cause before it is opened. */
const Line = ({ cause: { clauses, failures, consequences } }: { cause: Cause }): JSX.Element => {
  const [clause] = clauses as [ClauseResult]
  const { decision, exchange, check } = failures[0] ?? {}
  const sentence = clauses.length === 1 ? clause.text : clip(sentenceOf(failures[0]), LONGEST_LEAD)
  return (
    <>
      <span class="what">
        <span class="id">
          <Text of={clause.id} />
          {clauses.length === 1 ? '' : ` and ${clauses.length - 1} more`}
        </span>{' '}
        <Prose of={sentence} />
      </span>
      <span class="soft">
        <Text of={exchange?.operation ?? check?.id ?? ''} />
      </span>
      <span class="soft">
        <Text of={wordOf(decision, exchange) ?? ''} />
      </span>
      <span class="soft follow">{consequences === 0 ? '' : thousands(consequences)}</span>
    </>
  )
}

/** Expected and seen, where need be their beginnings; else the status that the decision looked at. */
const wordOf = (decision: Failure['decision'], exchange: Failure['exchange']): string | undefined => {
  const { expected, seen } = decision ?? {}
  if (expected !== undefined && seen !== undefined && expected !== seen) {
    const words = [expected, seen].map((word) => clip(oneLine(word), LONGEST_WORD / 2))
    if (words[0] !== words[1]) return words.join(', got ')
  }
  return exchange?.response === undefined ? exchange?.failure : `status ${exchange.response.status}`
}

const Card = ({ cause, seed, anchored = false }: { cause: Cause; seed: number; anchored?: boolean }): JSX.Element => {
  const { clauses, failures, deviation, beneath } = cause
  const [clause] = clauses as [ClauseResult]
  const single = clauses.length === 1
  return (
    <article>
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
    <p class="source">
      <Text of={sourceOf(clause)} />
    </p>
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
