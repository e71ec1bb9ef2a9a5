/** How one check shows a failure: its sentence, expected and seen, the exchange that decided, and the command that repeats it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { duration, plural } from '../text.ts'
import type { Failure } from '../view.ts'
import { Contrast } from './contrast.tsx'
import { Exchange } from './exchange.tsx'
import { Block, Text } from './parts.tsx'
import { Later } from './tree.tsx'

interface FailureProps {
  failure: Failure
  seed: number
  /** Whether the sentence stands above already. */
  said?: boolean
}

export const FailureView = ({ failure: { check, decision, exchange, beside }, seed, said = false }: FailureProps): JSX.Element => {
  const others = check.evidence.filter((one) => one !== exchange && !beside.includes(one))
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
      {why === undefined || said ? null : (
        <p class="why">
          <Text of={why} />
        </p>
      )}
      <Contrast expected={decision?.expected} seen={decision?.seen} />
      {check.counterexample === undefined ? null : <Block text={check.counterexample} label="Shortest counterexample" copy />}
      {exchange === undefined ? null : <Exchange exchange={exchange} />}
      {beside.map((one) => (
        <Exchange exchange={one} />
      ))}
      {others.length === 0 ? null : (
        <Later summary={plural(others.length, 'more exchange')}>
          {others.map((one) => (
            <Exchange exchange={one} />
          ))}
        </Later>
      )}
      <Block text={check.rerun} label="Run this check again" copy />
    </div>
  )
}
