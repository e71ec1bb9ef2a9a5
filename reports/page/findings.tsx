/** Clauses that do not hold, each with what was expected, what was seen, and the exchanges that show it. */
import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../specs/meta/results.ts'
import { duration, plural, visible } from '../text.ts'
import type { Failure, Finding } from '../view.ts'
import { Block, ClauseBadge, clauseAnchor, LevelTag, Prose, Section, Text } from './parts.tsx'

/** A section of findings; nothing where there are none. */
export const Findings = ({
  id,
  title,
  note,
  findings,
  seed,
}: {
  id: string
  title: string
  note: string
  findings: Finding[]
  seed: number
}): JSX.Element | null =>
  findings.length === 0 ? null : (
    <Section id={id} title={title} count={findings.length} note={note}>
      {findings.map((finding) => (
        <FindingCard finding={finding} seed={seed} />
      ))}
    </Section>
  )

const FindingCard = ({ finding: { clause, failures, deviation }, seed }: { finding: Finding; seed: number }): JSX.Element => (
  <article class={`finding t-${clause.outcome}`} id={clauseAnchor(clause.id)} tabIndex={-1} data-nav>
    <header>
      <ClauseBadge outcome={clause.outcome} />
      <a class="id" href={`#${encodeURIComponent(clauseAnchor(clause.id))}`} title="Link to this clause">
        <Text of={clause.id} />
      </a>
      <LevelTag level={clause.level} />
      <span class="soft">
        <Text of={clause.engine} />
      </span>
    </header>
    <h3>
      <Prose of={clause.text} />
    </h3>
    <p class="source">
      Section <Text of={clause.source.section} /> of <Text of={clause.source.document} />
    </p>
    {clause.reading === undefined ? null : (
      <p class="reading">
        <b>Reading</b> <Prose of={clause.reading} />
      </p>
    )}
    {deviation === undefined ? null : (
      <p class="reading">
        <b>Known deviation</b> <Prose of={deviation} />
      </p>
    )}
    {failures.length === 0 ? (
      <p class="why">No check recorded why.</p>
    ) : (
      failures.map((failure) => <FailureView failure={failure} seed={seed} />)
    )}
  </article>
)

const FailureView = ({ failure: { check, decision, exchange }, seed }: { failure: Failure; seed: number }): JSX.Element => {
  const others = check.evidence.filter((one) => one !== exchange)
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
      {why === undefined ? null : (
        <p class="why">
          <Text of={why} />
        </p>
      )}
      {decision?.expected === undefined && decision?.seen === undefined ? null : (
        <dl class="contrast">
          <div>
            <dt>Expected</dt>
            <dd>{visible(decision.expected ?? 'not recorded')}</dd>
          </div>
          <div>
            <dt>Seen</dt>
            <dd class="seen">{visible(decision.seen ?? 'not recorded')}</dd>
          </div>
        </dl>
      )}
      {check.counterexample === undefined ? null : <Block text={check.counterexample} label="Shortest counterexample" copy />}
      {exchange === undefined ? null : <Exchange exchange={exchange} />}
      {others.length === 0 ? null : (
        <details>
          <summary>{plural(others.length, 'more exchange')}</summary>
          {others.map((one) => (
            <Exchange exchange={one} />
          ))}
        </details>
      )}
      <Block text={check.rerun} label="Run this check again" copy />
    </div>
  )
}

const Exchange = ({ exchange }: { exchange: ExchangeRecord }): JSX.Element => (
  <div class="exchange">
    <p class="exchange-title">
      <b>Exchange {exchange.number}</b>{' '}
      <span class="soft">
        <Text of={exchange.operation} /> as <Text of={exchange.caller} />, {duration(exchange.durationMs)}
      </span>
    </p>
    <div class="pair">
      <Block text={requestText(exchange)} label="Request" />
      <Block text={responseText(exchange)} label="Response" />
    </div>
    <Block text={exchange.curl} label="curl" copy />
  </div>
)

const ONE_LINE = 56

const headerLines = (headers: Record<string, string>): string[] => Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

const requestText = ({ request }: ExchangeRecord): string =>
  [`${request.method} ${request.url}`, ...headerLines(request.headers), ...body(request.body)].join('\n')

const responseText = ({ response, failure }: ExchangeRecord): string =>
  response === undefined
    ? `no response: ${failure ?? 'reason not recorded'}`
    : [`${response.status}`, ...headerLines(response.headers), ...body(response.body)].join('\n')

/** JSON that is too long for one line is laid out over lines; anything else is shown as it came. */
const body = (text: string | undefined): string[] => {
  if (text === undefined || text === '') return []
  try {
    return ['', text.length <= ONE_LINE ? text : JSON.stringify(JSON.parse(text), null, 2)]
  } catch {
    return ['', text]
  }
}
