/** The head of the page: verdict, gate, counts, what was certified, and one card per engine. */
import type { ComponentChildren, JSX } from 'preact'
import type { ClauseCounts, GateReason, Results } from '../../specs/meta/results.ts'
import { duration, instant, plural, thousands, visible } from '../text.ts'
import type { EngineView, View } from '../view.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, GATE_WORDS, VERDICT_WORDS } from '../words.ts'
import { Badge, Bar, Facts, Prose, Section, Sign, Text } from './parts.tsx'

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
        <p>{tally(view)}</p>
      </div>
      <div class={`gate t-${gate.like}`}>
        <p class="gate-word">
          <Sign like={gate.like} />
          {gate.label}
        </p>
        <p>{gate.meaning}</p>
        <Reasons reasons={results.gateReasons.slice(0, MOST_REASONS)} />
        {results.gateReasons.length <= MOST_REASONS ? null : (
          <details>
            <summary>and {thousands(results.gateReasons.length - MOST_REASONS)} more</summary>
            <Reasons reasons={results.gateReasons.slice(MOST_REASONS)} />
          </details>
        )}
      </div>
      <div class="overall">
        <Bar counts={view.total} />
        <Counts counts={view.total} />
      </div>
      <Facts rows={runFacts(results)} />
    </section>
  )
}

const Reasons = ({ reasons }: { reasons: GateReason[] }): JSX.Element | null =>
  reasons.length === 0 ? null : (
    <ul>
      {reasons.map(({ message }) => (
        <li>
          <Prose of={message} />
        </li>
      ))}
    </ul>
  )

/** One card per engine, with links that narrow the list of clauses to what they count. */
export const Engines = ({ engines }: { engines: EngineView[] }): JSX.Element => (
  <Section id="engines" title="Engines" count={engines.length}>
    <div class="cards">
      {engines.map(({ engine }) => (
        <article class="card">
          <header>
            <h3>
              <Text of={engine.title} />
            </h3>
            <Badge like={VERDICT_WORDS[engine.verdict].like} label={VERDICT_WORDS[engine.verdict].label} />
          </header>
          <Bar counts={engine.clauses} />
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
        </article>
      ))}
    </div>
  </Section>
)

const Counts = ({ counts, engine }: { counts: ClauseCounts; engine?: string }): JSX.Element => (
  <ul class="counts">
    {CLAUSE_OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
      <li>
        <a
          href="#clauses"
          data-show-outcome={outcome}
          data-show-engine={engine === undefined ? '' : visible(engine)}
          title={CLAUSE_WORDS[outcome].meaning}
        >
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

const tally = ({ total, violated, known }: View): string => {
  const decided = total.verified + total.violated + total.warned
  const parts = [`${thousands(decided)} of ${plural(total.total, 'clause')} decided`]
  if (total.violated > 0) parts.push(`${total.violated} violated${known.length > 0 ? ` (${known.length} of them known)` : ''}`)
  if (total.blocked > 0) parts.push(`${total.blocked} blocked`)
  if (total.errored > 0) parts.push(`${total.errored} errored`)
  if (violated.length === 0 && total.violated === 0) parts.push('none violated')
  return `${parts.join(', ')}.`
}

const runFacts = (results: Results): [string, ComponentChildren][] => [
  ...results.target.apis.map((api): [string, ComponentChildren] => [
    api.api,
    <>
      <Text of={api.url} /> <span class="soft">{visible(api.dialect)} dialect</span>
    </>,
  ]),
  ['Started', instant(results.startedAt)],
  ['Took', duration(results.stats.durationMs)],
  ['Requests', thousands(results.stats.requests)],
  ['Seed', results.seed],
  ['Effort', <Text of={results.effort} />],
  ['Run', <Text of={results.run} />],
  ['Suite', <Text of={`assay ${results.assay}`} />],
]
