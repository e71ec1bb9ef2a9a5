/** What was not decided, by what is missing and by internal errors, and what was decided at a second try only. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { CheckOutcome, CheckResult } from '../../specs/meta/results.ts'
import { plural } from '../text.ts'
import type { BlockedGroup } from '../view.ts'
import { Block, ClauseLink, Prose, Section, Text } from './parts.tsx'
import { Later } from './tree.tsx'

/** How many causes and checks have an entry of their own; the list of checks has all. */
const MOST = 20

/** What could not run, by cause, with the one line that mends it. */
export const Blocked = ({ groups, clauses }: { groups: BlockedGroup[]; clauses: number }): JSX.Element | null =>
  groups.length === 0 ? null : (
    <Section
      id="blocked"
      title="Blocked"
      count={clauses}
      note="Clauses that could not be decided because something their checks need was absent or failed, by cause."
    >
      {groups.slice(0, MOST).map((group) => (
        <article class="item t-blocked" tabIndex={-1} data-nav>
          <h3>
            <Prose of={group.reason} />
          </h3>
          {group.remedy === undefined ? null : (
            <p class="remedy">
              <span>Remedy</span>
              <b>{group.causes === undefined ? <Prose of={group.remedy} /> : <See causes={group.causes} />}</b>
            </p>
          )}
          <Later summary={`${plural(group.checks.length, 'check')}, ${plural(group.clauses.length, 'clause')}`}>
            <p class="ids">
              {group.clauses.map((id) => (
                <ClauseLink id={id} />
              ))}
            </p>
          </Later>
        </article>
      ))}
      <Rest count={groups.length - MOST} noun="more cause" narrowed={{ 'checks.outcome': 'blocked' }} />
    </Section>
  )

const See = ({ causes }: { causes: string[] }): JSX.Element => (
  <>
    see{' '}
    {causes.map((id, at) => (
      <>
        {at === 0 ? '' : ', '}
        <ClauseLink id={id} />
      </>
    ))}{' '}
    first
  </>
)

/** Internal errors. */
export const Errored = ({ checks }: { checks: CheckResult[] }): JSX.Element | null =>
  checks.length === 0 ? null : (
    <Section
      id="errored"
      title="Errored"
      count={checks.length}
      note="Checks that failed by an internal error. They say nothing about the server; please report them."
    >
      <Items of={checks} like="errored" />
      <Rest count={checks.length - MOST} noun="more check" narrowed={{ 'checks.outcome': 'errored' }} />
    </Section>
  )

/** Checks that failed once amid noise and held when they were repeated. */
export const Unstable = ({ checks, fails }: { checks: CheckResult[]; fails: boolean }): JSX.Element | null =>
  checks.length === 0 ? null : (
    <Section
      id="unstable"
      title="Unstable"
      count={checks.length}
      note={`Checks that failed once while something broke requests on their way, and passed when they were repeated. ${fails ? 'This run was told to fail on them.' : 'They do not fail the gate.'}`}
    >
      <Items of={checks} like="warned" />
      <Rest count={checks.length - MOST} noun="more check" narrowed={{}} />
    </Section>
  )

const Items = ({ of, like }: { of: CheckResult[]; like: 'errored' | 'warned' }): JSX.Element => (
  <>
    {of.slice(0, MOST).map((check) => (
      <article class={`item t-${like}`} tabIndex={-1} data-nav>
        <h3>
          <code>
            <Text of={check.id} />
          </code>
        </h3>
        <p class="why">
          <Text of={check.reason ?? 'no reason was recorded'} />
        </p>
        <Block text={check.rerun} label="Run this check again" copy />
      </article>
    ))}
  </>
)

/** The way to the rest, in the list of checks. */
const Rest = ({
  count,
  noun,
  narrowed,
}: {
  count: number
  noun: string
  narrowed: { 'checks.outcome'?: CheckOutcome }
}): JSX.Element | null =>
  count <= 0 ? null : (
    <p class="note">
      <a href={`#checks?${new URLSearchParams(narrowed)}`}>and {plural(count, noun)}</a>
    </p>
  )
