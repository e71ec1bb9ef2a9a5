/** The kill matrix on the page: seeded faults and what caught them, legal variants and whether anything alarmed. */
import type { JSX } from 'preact'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { FAULT_STATES, type KillCounts, killSummary, VARIANT_STATES } from '../kills.ts'
import { plural } from '../text.ts'
import { Badge, ClauseLink, Section, Text } from './parts.tsx'

const COLUMNS: [name: string, member: keyof KillCounts][] = [
  ['Faults', 'faults'],
  ['Killed', 'killed'],
  ['Survived', 'survived'],
  ['Unreached', 'unreached'],
  ['Errored', 'errored'],
  ['Variants', 'variants'],
  ['Alarms', 'alarms'],
]

/** The section of a proof; nothing where the run proved nothing. */
export const Proof = ({ kills = [], variants = [] }: { kills?: KillRecord[]; variants?: VariantRecord[] }): JSX.Element | null => {
  if (kills.length + variants.length === 0) return null
  const { total, engines } = killSummary(kills, variants)
  return (
    <Section
      id="proof"
      title="Proof of the checks"
      note={`${total.killed} of ${plural(total.faults, 'seeded fault')} killed, ${total.calm} of ${plural(total.variants, 'legal variant')} calm.`}
    >
      <table class="rows">
        <caption>By engine</caption>
        <thead>
          <tr>
            <th scope="col">Engine</th>
            {COLUMNS.map(([name]) => (
              <th scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(engines).map(([id, counts]) => (
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
        </tbody>
      </table>
      <FaultTable kills={kills} />
      <VariantTable variants={variants} />
    </Section>
  )
}

const FaultTable = ({ kills }: { kills: KillRecord[] }): JSX.Element | null => {
  const order = Object.keys(FAULT_STATES)
  const sorted = [...kills].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return kills.length === 0 ? null : (
    <table class="rows">
      <caption>Seeded faults</caption>
      <thead>
        <tr>
          <th scope="col">Fault</th>
          <th scope="col">State</th>
          <th scope="col">Breaks</th>
          <th scope="col">Killed by</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((kill) => (
          <tr>
            <td>
              <code>
                <Text of={kill.fault} />
              </code>
              <span class="title">
                <Text of={kill.title} />
              </span>
            </td>
            <td>
              <Badge like={FAULT_STATES[kill.state].like} label={FAULT_STATES[kill.state].label} />
            </td>
            <td class="ids">
              {kill.clauses.map((id) => (
                <ClauseLink id={id} />
              ))}
            </td>
            <td data-name="Killed by">
              <Text of={kill.killedBy.join(', ') || 'nothing'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const VariantTable = ({ variants }: { variants: VariantRecord[] }): JSX.Element | null => {
  const order = Object.keys(VARIANT_STATES)
  const sorted = [...variants].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return variants.length === 0 ? null : (
    <table class="rows">
      <caption>Legal variants</caption>
      <thead>
        <tr>
          <th scope="col">Variant</th>
          <th scope="col">State</th>
          <th scope="col">Wrongly violated</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((variant) => (
          <tr>
            <td>
              <code>
                <Text of={variant.variant} />
              </code>
              <span class="title">
                <Text of={variant.title} />
              </span>
            </td>
            <td>
              <Badge like={VARIANT_STATES[variant.state].like} label={VARIANT_STATES[variant.state].label} />
            </td>
            <td class="ids">{variant.alarms.length === 0 ? 'nothing' : variant.alarms.map((id) => <ClauseLink id={id} />)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
