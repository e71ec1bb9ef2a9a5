/** The kill matrix on a page: seeded faults and what caught them, legal variants and whether anything was violated. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { FAULT_STATES, type KillCounts, killSummary, VARIANT_STATES } from '../kills.ts'
import { firstOf, plural, thousands, visible } from '../text.ts'
import { GroupTitle, List } from './list.tsx'
import { Badge, ClauseLink, Section, Text, Toolbar } from './parts.tsx'
import { Table } from './table.tsx'

/** How many of the checks that kill a fault are named. */
const KILLERS = 3

interface ProofProps {
  kills?: KillRecord[]
  variants?: VariantRecord[]
  /** Whether the page has the clauses that the ids could link to. */
  linked?: boolean
}

/** The section of a proof; nothing where the run proved nothing. */
export const Proof = ({ kills = [], variants = [], linked = true }: ProofProps): JSX.Element | null => {
  if (kills.length + variants.length === 0) return null
  const { total } = killSummary(kills, variants)
  return (
    <Section
      id="proof"
      title="Proof of the checks"
      note={`${total.killed} of ${plural(total.faults, 'seeded fault')} killed, ${total.variantsPassed} of ${plural(total.variants, 'legal variant')} without a false positive.`}
    >
      <EngineTable kills={kills} variants={variants} />
      <FaultTable kills={kills} linked={linked} />
      <VariantTable variants={variants} linked={linked} />
    </Section>
  )
}

const COLUMNS: [name: string, member: keyof KillCounts][] = [
  ['Faults', 'faults'],
  ['Killed', 'killed'],
  ['Survived', 'survived'],
  ['No answer differed', 'sameAnswers'],
  ['Unreached', 'unreached'],
  ['Errored', 'errored'],
  ['Variants', 'variants'],
  ['False positives', 'falsePositives'],
]

const EngineTable = ({ kills, variants }: { kills: KillRecord[]; variants: VariantRecord[] }): JSX.Element => (
  <Table caption="By engine" captioned columns={['Engine', ...COLUMNS.map(([name]) => name)]} counts>
    {Object.entries(killSummary(kills, variants).engines).map(([id, counts]) => (
      <tr>
        <th scope="row">
          <Text of={id} />
        </th>
        {COLUMNS.map(([name, member]) => (
          <td class={counts[member] === 0 ? 'right zero' : 'right'} data-name={name}>
            {counts[member]}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)

/** All faults by engine, those that were not killed first, with a toolbar that narrows them. */
const FaultTable = ({ kills, linked }: { kills: KillRecord[]; linked: boolean }): JSX.Element | null => {
  const states = Object.keys(FAULT_STATES) as KillRecord['state'][]
  const sorted = [...kills].sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state))
  const engines = [...new Set(kills.map((kill) => kill.engine))]
  return kills.length === 0 ? null : (
    <List
      name="faults"
      caption="Seeded faults by engine, those that were not killed first"
      captioned
      columns={['Fault', 'State', 'Breaks', 'Killed by'].map((title) => ({ title }))}
      groups={engines.map((engine) => {
        const own = sorted.filter((kill) => kill.engine === engine)
        const killed = own.filter((kill) => kill.state === 'killed').length
        return {
          title: <GroupTitle title={engine} say={`${thousands(killed)} of ${plural(own.length, 'fault')} killed`} />,
          open: killed < own.length,
          rows: own.map((kill) => <FaultRow kill={kill} linked={linked} />),
        }
      })}
      none="No fault matches. Clear the filters to see all of them."
      toolbar={
        <Toolbar
          label="Narrow the faults"
          slash={!linked}
          choices={[{ by: 'engine', label: 'Engine', options: engines }]}
          outcomes={states
            .map((state) => ({ value: state, ...FAULT_STATES[state], count: kills.filter((kill) => kill.state === state).length }))
            .filter((one) => one.count > 0)}
        />
      }
    />
  )
}

const FaultRow = ({ kill, linked }: { kill: KillRecord; linked: boolean }): JSX.Element => (
  <tr tabIndex={-1} data-nav data-engine={visible(kill.engine)} data-outcome={kill.state}>
    <td>
      <Named id={kill.fault} title={kill.title} />
    </td>
    <td>
      <Badge like={FAULT_STATES[kill.state].like} label={FAULT_STATES[kill.state].label} />
    </td>
    <td class="ids">
      <Ids of={kill.clauses} linked={linked} />
    </td>
    <td data-name="Killed by">
      <Text of={firstOf(kill.killedBy, KILLERS).join(', ') || 'nothing'} />
    </td>
  </tr>
)

/** All variants by engine, those that did not pass first. */
const VariantTable = ({ variants, linked }: { variants: VariantRecord[]; linked: boolean }): JSX.Element | null => {
  const states = Object.keys(VARIANT_STATES)
  const sorted = [...variants].sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state))
  return variants.length === 0 ? null : (
    <List
      name="variants"
      caption="Legal variants by engine, those that did not pass first"
      captioned
      columns={['Variant', 'State', 'Wrongly violated'].map((title) => ({ title }))}
      groups={[...new Set(variants.map((variant) => variant.engine))].map((engine) => {
        const own = sorted.filter((variant) => variant.engine === engine)
        const passed = own.filter((variant) => variant.state === 'passed').length
        return {
          title: <GroupTitle title={engine} say={`${thousands(passed)} of ${plural(own.length, 'variant')} without a false positive`} />,
          open: passed < own.length,
          rows: own.map((variant) => <VariantRow variant={variant} linked={linked} />),
        }
      })}
    />
  )
}

const VariantRow = ({ variant, linked }: { variant: VariantRecord; linked: boolean }): JSX.Element => (
  <tr tabIndex={-1} data-nav>
    <td>
      <Named id={variant.variant} title={variant.title} />
    </td>
    <td>
      <Badge like={VARIANT_STATES[variant.state].like} label={VARIANT_STATES[variant.state].label} />
    </td>
    <td class="ids">{variant.falsePositives.length === 0 ? 'nothing' : <Ids of={variant.falsePositives} linked={linked} />}</td>
  </tr>
)

const Named = ({ id, title }: { id: string; title: string }): JSX.Element => (
  <>
    <code>
      <Text of={id} />
    </code>
    <span class="title">
      <Text of={title} />
    </span>
  </>
)

/** Ids of clauses, as links where the page has the clauses. */
export const Ids = ({ of, linked }: { of: string[]; linked: boolean }): JSX.Element => (
  <>
    {of.map((id) =>
      linked ? (
        <ClauseLink id={id} />
      ) : (
        <span class="id">
          <Text of={id} />
        </span>
      ),
    )}
  </>
)
