/** The page of a proof: what the checks catch, what they miss, and whether they hold legal behaviour against a server. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { killSummary } from '../kills.ts'
import { plural, thousands } from '../text.ts'
import { type Entry, renderFrame } from './frame.tsx'
import { Section, Sign, Text } from './parts.tsx'
import { Ids, Proof } from './proof.tsx'

/** A defect made offline from a recorded answer, and whether judging the answer again found it. */
interface WireFault {
  id: string
  operation: string
  killed: boolean
  clauses: string[]
}

/** Mutants of the reference server that a tool made: how many of each engine some required clause killed. */
export interface MutantRates {
  /** It drew them. */
  seed: number
  /** `judged` of the sampled ones are known to be no defects; `relevant` are the rest that came to a run; `percent` of them were killed. */
  engines: { engine: string; sampled: number; judged: number; relevant: number; killed: number; percent: number }[]
}

/** All that a proof found; what is absent was not part of it. */
export interface ProofReport {
  kills: KillRecord[]
  variants: VariantRecord[]
  wire?: WireFault[]
  /** Required clauses that have a check, but no fault that kills it. */
  unproven?: string[]
  /** What was violated on the unchanged reference server. */
  falsePositives?: string[]
  seconds?: number
  mutants?: MutantRates
}

/**
 * Renders a proof as one self-contained HTML page.
 * @returns the document as text
 */
export const renderProofPage = (proof: ProofReport): string => {
  const good = isProven(proof)
  return renderFrame({
    title: `${good ? 'Proven' : 'Not proven'} (assay proof)`,
    about: 'Proof of the checks',
    gate: good ? 'passed' : 'failed',
    entries: entriesOf(proof),
    children: <Sections proof={proof} good={good} />,
    end: 'Written from proof.json, which holds the same facts for programs.',
  })
}

const isProven = ({ kills, variants, wire = [], unproven = [], falsePositives = [] }: ProofReport): boolean =>
  killSummary(kills, variants).passed && wire.every((one) => one.killed) && unproven.length + falsePositives.length === 0

const Sections = ({ proof, good }: { proof: ProofReport; good: boolean }): JSX.Element => {
  const like = good ? 'verified' : 'violated'
  const { kills, variants, wire = [], unproven = [], falsePositives = [] } = proof
  return (
    <>
      <section id="verdict" class="banner plain-banner" aria-labelledby="verdict-title">
        <div class={`headline t-${like}`}>
          <p class="eyebrow">Do the checks catch what they claim to catch, and nothing else?</p>
          <h1 id="verdict-title">
            <Sign like={like} />
            {good ? 'Proven' : 'Not proven'}
          </h1>
          <p class="lead">
            {good
              ? 'Every seeded fault is caught by a clause that it breaks, and no legal behaviour is held against the server.'
              : shortcomings(proof)}
          </p>
          <p>{tally(proof)}</p>
        </div>
      </section>
      <Listed id="falsePositives" title="False positives on the unchanged reference" items={falsePositives} />
      <Proof kills={kills} variants={variants} linked={false} />
      <Wire wire={wire} />
      {proof.mutants === undefined ? null : <Mutants {...proof.mutants} />}
      {unproven.length === 0 ? null : (
        <Section
          id="unproven"
          title="Without a kill"
          count={unproven.length}
          note="Required clauses that have a check, but no fault that the check kills."
        >
          <p class="ids">
            <Ids of={unproven} linked={false} />
          </p>
        </Section>
      )}
    </>
  )
}

/** What keeps a proof from being one, as sentences. */
const shortcomings = ({ kills, variants, wire = [], unproven = [], falsePositives = [] }: ProofReport): string => {
  const alive = kills.filter((kill) => kill.state !== 'killed').length
  const misjudged = variants.filter((variant) => variant.state !== 'passed').length + falsePositives.length
  const missed = wire.filter((one) => !one.killed).length
  const sentences = [
    kills.length + variants.length === 0 ? 'Nothing was tried.' : '',
    alive > 0 ? `${plural(alive, 'seeded fault is', 'seeded faults are')} not caught.` : '',
    misjudged > 0 ? `${plural(misjudged, 'legal behaviour is', 'legal behaviours are')} held against the server.` : '',
    missed > 0 ? `${plural(missed, 'wire fault is', 'wire faults are')} not found.` : '',
    unproven.length > 0
      ? `${plural(unproven.length, 'required clause has', 'required clauses have')} a check, but no fault that it kills.`
      : '',
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const tally = ({ kills, variants, wire = [], seconds }: ProofReport): string => {
  const { total } = killSummary(kills, variants)
  const parts: string[] = []
  if (total.faults > 0) parts.push(`${total.killed} of ${plural(total.faults, 'fault')} killed`)
  if (total.variants > 0) parts.push(`${total.variantsPassed} of ${plural(total.variants, 'variant')} without a false positive`)
  if (wire.length > 0) parts.push(`${thousands(wire.filter((one) => one.killed).length)} of ${plural(wire.length, 'wire fault')} found`)
  if (parts.length === 0) parts.push('nothing was tried')
  return `${parts.join(', ')}${seconds === undefined ? '' : `, in ${plural(seconds, 'second')}`}.`
}

/** Answers of a clean run, changed one member at a time: only those that nothing found are listed. */
const Wire = ({ wire }: { wire: WireFault[] }): JSX.Element | null => {
  const missed = wire.filter((one) => !one.killed)
  return wire.length === 0 ? null : (
    <Section
      id="wire"
      title="Wire faults"
      count={wire.length}
      note={`Recorded answers with a required member dropped, its type or the status changed, judged again: ${missed.length === 0 ? 'all found' : `${missed.length} not found`}, over ${plural(new Set(wire.map((one) => one.operation)).size, 'operation')}.`}
    >
      {missed.length === 0 ? null : (
        <ul class="plain">
          {missed.map((one) => (
            <li>
              <code>
                <Text of={one.id} />
              </code>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const Listed = ({ id, title, items }: { id: string; title: string; items: string[] }): JSX.Element | null =>
  items.length === 0 ? null : (
    <Section id={id} title={title} count={items.length}>
      <ul class="plain">
        {items.map((item) => (
          <li>
            <Text of={item} />
          </li>
        ))}
      </ul>
    </Section>
  )

const entriesOf = ({ kills, variants, wire = [], unproven = [], falsePositives = [], mutants }: ProofReport): Entry[] => {
  const entries: Entry[] = [['verdict', 'Verdict']]
  if (falsePositives.length > 0) entries.push(['falsePositives', 'False positives', falsePositives.length])
  if (kills.length + variants.length > 0) entries.push(['proof', 'Faults and variants', kills.length + variants.length])
  if (wire.length > 0) entries.push(['wire', 'Wire faults', wire.length])
  if (mutants !== undefined) entries.push(['mutants', 'Mutants', relevantOf(mutants)])
  if (unproven.length > 0) entries.push(['unproven', 'Without a kill', unproven.length])
  return entries
}

const relevantOf = ({ engines }: Pick<MutantRates, 'engines'>): number => engines.reduce((sum, one) => sum + one.relevant, 0)

const Mutants = ({ seed, engines }: MutantRates): JSX.Element => {
  const killed = engines.reduce((sum, one) => sum + one.killed, 0)
  const relevant = relevantOf({ engines })
  return (
    <Section
      id="mutants"
      title="Mutants"
      count={relevant}
      note={`Defects that a tool made and seed ${seed} drew, each held against everything that may notice it: ${thousands(killed)} of ${thousands(relevant)} killed by a required clause.`}
    >
      <ul class="plain">
        {engines.map((one) => (
          <li>
            <Text of={one.engine} />
            {`: ${one.killed} of ${one.relevant} killed (${one.percent}%), ${one.judged} of ${one.sampled} drawn are known to be no defects`}
          </li>
        ))}
      </ul>
    </Section>
  )
}
