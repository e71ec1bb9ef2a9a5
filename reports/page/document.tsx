/** The page of a run. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { Results, Verdict } from '../../specs/meta/results.ts'
import type { TargetNights } from '../nights.ts'
import { instant } from '../text.ts'
import { type View, viewOf } from '../view.ts'
import { VERDICT_WORDS } from '../words.ts'
import { AgainstOther } from './against.tsx'
import { Checks, Timing } from './checks.tsx'
import { AllClauses, Observations } from './clauses.tsx'
import { Coverage } from './coverage.tsx'
import { Findings, onCards } from './findings.tsx'
import { type Entry, renderFrame } from './frame.tsx'
import { Nights } from './nights.tsx'
import { Text } from './parts.tsx'
import { Proof } from './proof.tsx'
import { Deviations, Leftovers, Run } from './surroundings.tsx'
import { Blocked, Errored, Unstable } from './undecided.tsx'
import { Banner, Engines } from './verdict.tsx'

/**
 * Renders the results as one self-contained HTML page, which stays under 5,000 elements until something is opened.
 * @param history earlier runs of the target, this one included, where they are kept
 * @returns the document as text; about 1 kB per clause and check
 */
export const renderPage = (results: Results, history?: TargetNights): string => {
  const view = attentionFirst(viewOf(results))
  return renderFrame({
    title: `${VERDICT_WORDS[results.verdict].label}: ${results.target.name} (assay report)`,
    about: (
      <>
        <Text of={results.target.name} /> <span>{instant(results.startedAt)}</span>
      </>
    ),
    gate: results.gate,
    entries: entriesOf(results, view, history),
    children: <Sections results={results} view={view} history={history} />,
    end: (
      <>
        Written by assay <Text of={results.assay} /> from results.json, which holds the same facts for programs.
      </>
    ),
  })
}

const ATTENTION: Verdict[] = ['nonConformant', 'incomplete', 'partial', 'conformant', 'notClaimed']

/** Engines in the order in which they want a look. */
const attentionFirst = (view: View): View => ({
  ...view,
  engines: [...view.engines].sort((a, b) => ATTENTION.indexOf(a.engine.verdict) - ATTENTION.indexOf(b.engine.verdict)),
})

/** How many causes have their card at once, so that a page of any run stays small. */
const CARDS = { violated: 20, known: 8, warned: 8 }

const Sections = ({ results, view, history }: { results: Results; view: View; history: TargetNights | undefined }): JSX.Element => (
  <>
    <Banner results={results} view={view} />
    <Findings
      id="violated"
      title="Violated"
      note="Required clauses that do not hold, each with what shows it."
      findings={view.violated}
      seed={results.seed}
      cards={CARDS.violated}
    />
    <Errored checks={view.errored} />
    <Blocked groups={view.blocked} clauses={view.total.blocked} />
    <Leftovers leftovers={results.leftovers} />
    <Engines engines={view.engines} />
    <Unstable checks={view.unstable} fails={results.failOn.includes('unstable')} />
    <Findings
      id="warned"
      title="Warned"
      note="Advised clauses that do not hold. They do not fail the verdict."
      findings={view.warned}
      seed={results.seed}
      cards={CARDS.warned}
    />
    <Deviations deviations={results.deviations} />
    <Findings
      id="known"
      title="Known violations"
      note="Violated clauses whose every failure is a known deviation."
      findings={view.known}
      seed={results.seed}
      cards={CARDS.known}
    />
    <AllClauses view={view} above={(['violated', 'known', 'warned'] as const).flatMap((part) => onCards(view[part], CARDS[part]))} />
    <Observations view={view} />
    <Checks checks={results.checks} engines={view.engines} />
    <AgainstOther against={results.against} />
    <Coverage coverage={results.coverage} view={view} />
    <Proof kills={results.kills} variants={results.variants} />
    <Nights history={history} />
    <Timing results={results} view={view} />
    <Run results={results} />
  </>
)

/** Links to the sections that the page has. */
const entriesOf = (results: Results, view: View, history: TargetNights | undefined): Entry[] => {
  const entries: [id: string, title: string, count: number | undefined, present: boolean][] = [
    ['verdict', 'Verdict', undefined, true],
    ['violated', 'Violated', view.violated.length, view.violated.length > 0],
    ['errored', 'Errored', view.errored.length, view.errored.length > 0],
    ['blocked', 'Blocked', view.total.blocked, view.blocked.length > 0],
    ['leftovers', 'Left behind', results.leftovers.length, results.leftovers.length > 0],
    ['engines', 'Engines', view.engines.length, true],
    ['unstable', 'Unstable', view.unstable.length, view.unstable.length > 0],
    ['warned', 'Warned', view.warned.length, view.warned.length > 0],
    ['deviations', 'Deviations', results.deviations.length, results.deviations.length > 0],
    ['known', 'Known violations', view.known.length, view.known.length > 0],
    ['clauses', 'All clauses', view.total.total, true],
    ['observations', 'Observations', view.observed.length, view.observed.length > 0],
    ['checks', 'Checks', results.checks.length, true],
    ['against', 'Another server', results.against?.differences.length, results.against !== undefined],
    ['coverage', 'Coverage', undefined, results.coverage.length > 0],
    ['proof', 'Proof', undefined, (results.kills?.length ?? 0) + (results.variants?.length ?? 0) > 0],
    ['history', 'History', history?.nights.length, (history?.nights.length ?? 0) > 0],
    ['timing', 'Timing', undefined, true],
    ['run', 'This run', undefined, true],
  ]
  return entries.filter(([, , , present]) => present).map(([id, title, count]) => [id, title, count])
}
