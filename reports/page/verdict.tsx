/** The head of the page: verdict, gate and its reasons, counts, and one line per engine. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseCounts, GateReason, ProfileRecord, Results } from '../../specs/meta/results.ts'
import { lackingWords } from '../beneath.ts'
import { profileWords } from '../profile.ts'
import { sampleWords } from '../sampled.ts'
import { plural, thousands, visible } from '../text.ts'
import type { EngineView, View } from '../view.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, GATE_WORDS, VERDICT_WORDS } from '../words.ts'
import { Badge, Bar, ClauseLink, Prose, Section, Sign, Text } from './parts.tsx'
import { Later } from './tree.tsx'

const MOST_REASONS = 3

/** The banner: what the run found, in one look. */
export const Banner = ({ results, view }: { results: Results; view: View }): JSX.Element => {
  const verdict = VERDICT_WORDS[results.verdict]
  const gate = GATE_WORDS[results.gate]
  return (
    <section id="verdict" class="banner" aria-labelledby="verdict-title">
      <div class={`headline t-${verdict.like}`}>
        <p class="eyebrow">
          Verdict on <Text of={results.target.name} />
        </p>
        <h1 id="verdict-title">
          <Sign like={verdict.like} />
          {verdict.label}
        </h1>
        <p class="lead">{verdict.meaning}</p>
        {[...lackingWords(results), ...sampleWords(results)].map((words) => (
          <p>
            <Text of={words} />
          </p>
        ))}
        <p>{tally(view)}</p>
        {results.profile === undefined ? null : <Certified profile={results.profile} />}
        <p class="targets">
          {results.target.apis.map(({ api, url, dialect }) => (
            <span>
              <Text of={url} /> <span class="soft">{visible(`${api}, ${dialect} dialect`)}</span>
            </span>
          ))}
        </p>
      </div>
      <div class={`gate t-${gate.like}`}>
        <p class="gate-word">
          <Sign like={gate.like} />
          {gate.label}
        </p>
        <p>{gate.meaning}</p>
        <Reasons reasons={results.gateReasons.slice(0, MOST_REASONS)} results={results} />
        {results.gateReasons.length <= MOST_REASONS ? null : (
          <Later summary={`and ${thousands(results.gateReasons.length - MOST_REASONS)} more`}>
            <Reasons reasons={results.gateReasons.slice(MOST_REASONS)} results={results} />
          </Later>
        )}
      </div>
      <div class="overall">
        <Bar counts={view.total} />
        <Counts counts={view.total} />
      </div>
    </section>
  )
}

const Certified = ({ profile }: { profile: ProfileRecord }): JSX.Element => {
  const { say, like } = profileWords(profile)
  return (
    <p class={`t-${like}`}>
      <Badge like={like} label={profile.certified.holds ? 'Certified' : 'Not certified'} /> <Text of={say} />
    </p>
  )
}

const Reasons = ({ reasons, results }: { reasons: GateReason[]; results: Results }): JSX.Element | null =>
  reasons.length === 0 ? null : (
    <ul>
      {reasons.map((reason) => (
        <li>
          <Reason reason={reason} results={results} />
        </li>
      ))}
    </ul>
  )

/** A reason with what it is about: a clause by its sentence, a check or an engine by a link to where it is listed. */
const Reason = ({ reason: { subject, message }, results }: { reason: GateReason; results: Results }): JSX.Element => {
  const clause = results.clauses.find(({ id }) => id === subject)
  if (clause !== undefined) {
    return (
      <>
        <ClauseLink id={clause.id} />
        {afterSubject(message, clause.id)}:{' '}
        <span class="soft">
          <Prose of={clause.text} />
        </span>
      </>
    )
  }
  const place = placeOf(subject, results)
  return place === undefined ? (
    <Prose of={message} />
  ) : (
    <>
      <a class="id" href={place}>
        <Text of={subject ?? ''} />
      </a>
      <Prose of={afterSubject(message, subject ?? '')} />
    </>
  )
}

/** What the sentence of a reason says after its subject, which stands before it already. */
const afterSubject = (message: string, subject: string): string =>
  visible(message.startsWith(subject) ? message.slice(subject.length) : ` ${message}`)

const placeOf = (subject: string | undefined, { checks, engines }: Results): string | undefined => {
  if (subject === undefined) return undefined
  if (checks.some(({ id }) => id === subject)) return `#checks?${new URLSearchParams({ 'checks.q': visible(subject) })}`
  return engines.some(({ id }) => id === subject) ? `#clauses?${new URLSearchParams({ 'clauses.engine': visible(subject) })}` : undefined
}

/** One line per engine; it is open where something wants a look, and its counts lead to the clauses that they count. */
export const Engines = ({ engines }: { engines: EngineView[] }): JSX.Element => (
  <Section id="engines" title="Engines" count={engines.length}>
    <div class="engines">
      {engines.map(({ engine }) => (
        <details class="engine" open={engine.verdict === 'nonConformant' || engine.verdict === 'incomplete'}>
          <summary>
            <b>
              <Text of={engine.title} />
            </b>
            <Badge like={VERDICT_WORDS[engine.verdict].like} label={VERDICT_WORDS[engine.verdict].label} />
            <Bar counts={engine.clauses} />
            <span class="soft">
              {thousands(engine.clauses.verified)} of {plural(engine.clauses.total, 'clause')} verified
            </span>
          </summary>
          <Counts counts={engine.clauses} engine={engine.id} />
          {engine.reason === undefined ? null : (
            <p class="why">
              <Prose of={engine.reason} />
            </p>
          )}
          {engine.remedy === undefined ? null : (
            <p class="remedy">
              <span>Remedy</span>
              <b>
                <Prose of={engine.remedy} />
              </b>
            </p>
          )}
        </details>
      ))}
    </div>
  </Section>
)

const Counts = ({ counts, engine }: { counts: ClauseCounts; engine?: string }): JSX.Element => (
  <ul class="counts">
    {CLAUSE_OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
      <li>
        <a href={narrowedTo(outcome, engine)} title={CLAUSE_WORDS[outcome].meaning}>
          <span class={`dot f-${outcome}`} aria-hidden="true" />
          <b>{thousands(counts[outcome])}</b> {CLAUSE_WORDS[outcome].label.toLowerCase()}
        </a>
      </li>
    ))}
    <li class="sum">
      <b>{thousands(counts.total)}</b> in all
    </li>
  </ul>
)

const tally = ({ total, violated, known, following }: View): string => {
  const decided = total.verified + total.violated + total.warned
  const parts = [`${thousands(decided)} of ${plural(total.total, 'clause')} decided`]
  const apart = [
    known.length > 0 ? `${known.length} of them known` : '',
    following.length > 0 ? `${following.length} following from others` : '',
  ]
  const among = apart.filter(Boolean).join(', ')
  if (total.violated > 0) parts.push(`${total.violated} violated${among === '' ? '' : ` (${among})`}`)
  if (total.blocked > 0) parts.push(`${total.blocked} blocked`)
  if (total.errored > 0) parts.push(`${total.errored} errored`)
  if (violated.length === 0 && total.violated === 0) parts.push('none violated')
  return `${parts.join(', ')}.`
}

/** The address of the list of clauses, narrowed to an outcome, and to an engine where one is given. */
const narrowedTo = (outcome: string, engine?: string): string =>
  `#clauses?${new URLSearchParams({ ...(engine === undefined ? {} : { 'clauses.engine': visible(engine) }), 'clauses.outcome': outcome })}`
