/** The small parts that the page is made of. Every text that may come from a server passes through `visible` here or in `Text`. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import type { CheckOutcome, ClauseCounts, ClauseOutcome, Level } from '../../specs/meta/results.ts'
import { cut, visible } from '../text.ts'
import { CHECK_WORDS, CLAUSE_OUTCOMES, CLAUSE_WORDS } from '../words.ts'

/** Longest block of text that is printed whole; the results file holds the rest. */
const LONGEST_BLOCK = 4000

/** Text of unknown origin, with unseen characters spelled out. */
export const Text = ({ of }: { of: string }): JSX.Element => <>{visible(of)}</>

/** Text in which backticks set words apart as code, as our own clauses and messages do. */
export const Prose = ({ of }: { of: string }): JSX.Element => {
  const parts = visible(of).split('`')
  if (parts.length % 2 === 0) return <>{parts.join('`')}</>
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
}

/** The drawn sign of an outcome; always beside its word, so it is hidden from readers of the word. */
export const Sign = ({ like }: { like: ClauseOutcome }): JSX.Element => (
  <svg class="sign" aria-hidden="true" width="16" height="16">
    <use href={`#sign-${like}`} />
  </svg>
)

/** An outcome as sign and word in its tone. */
export const Badge = ({ like, label }: { like: ClauseOutcome; label: string }): JSX.Element => (
  <span class={`badge t-${like}`}>
    <Sign like={like} />
    {label}
  </span>
)

export const ClauseBadge = ({ outcome }: { outcome: ClauseOutcome }): JSX.Element => (
  <Badge like={outcome} label={CLAUSE_WORDS[outcome].label} />
)

export const CheckBadge = ({ outcome }: { outcome: CheckOutcome }): JSX.Element => (
  <Badge like={CHECK_WORDS[outcome].like} label={CHECK_WORDS[outcome].label} />
)

export const LevelTag = ({ level }: { level: Level }): JSX.Element => <span class={`level level-${level}`}>{level}</span>

/** Counts as one bar of proportional segments; the numbers stand beside it as text. */
export const Bar = ({ counts }: { counts: ClauseCounts }): JSX.Element => {
  let at = 0
  const parts = CLAUSE_OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const width = (counts[outcome] / Math.max(1, counts.total)) * 1000
    const part = <rect class={`f-${outcome}`} x={at.toFixed(1)} width={width.toFixed(1)} y="0" height="8" />
    at += width
    return part
  })
  return (
    <svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
      {parts}
    </svg>
  )
}

/** A block of text that can be copied: a curl line, a command, a transcript. */
export const Block = ({ text, label, copy = false }: { text: string; label: string; copy?: boolean }): JSX.Element => (
  <figure class="block">
    <figcaption>{label}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls sideways must be reachable by keyboard */}
    <pre tabIndex={0} {...(copy ? { 'data-copy': label } : {})}>
      <Text of={cut(text, LONGEST_BLOCK)} />
    </pre>
  </figure>
)

/** A section of the page with its heading and a line that says what it shows. */
export const Section = ({
  id,
  title,
  count,
  note,
  children,
}: {
  id: string
  title: string
  count?: number
  note?: ComponentChildren
  children: ComponentChildren
}): JSX.Element => (
  <section id={id} class="part" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>
      {title}
      {count === undefined ? null : <span class="count">{count}</span>}
    </h2>
    {note === undefined ? null : <p class="note">{note}</p>}
    {children}
  </section>
)

/** Name and value pairs. */
export const Facts = ({ rows }: { rows: [name: string, value: ComponentChildren][] }): JSX.Element => (
  <dl class="facts">
    {rows.map(([name, value]) => (
      <div>
        <dt>{visible(name)}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The fragment that names a clause on the page. */
export const clauseAnchor = (id: string): string => `clause-${visible(id)}`

/** A link to where something with an id stands, on this page or another. */
export const IdLink = ({ to, id }: { to: string; id: string }): JSX.Element => (
  <a class="id" href={to}>
    <Text of={id} />
  </a>
)

/** A link to where a clause stands on the page. */
export const ClauseLink = ({ id }: { id: string }): JSX.Element => <IdLink to={`#${encodeURIComponent(clauseAnchor(id))}`} id={id} />

/** The search field, choices and counter of a list that the script can narrow; hidden until the script runs. */
export const Toolbar = ({
  label,
  choices = [],
  outcomes = [],
  slash = false,
}: {
  label: string
  choices?: { by: string; label: string; options: string[] }[]
  outcomes?: { value: string; label: string; like: ClauseOutcome; count: number }[]
  slash?: boolean
}): JSX.Element => (
  <search class="toolbar" aria-label={label} hidden data-toolbar>
    <label class="field grow">
      <span>Search</span>
      <input type="search" autocomplete="off" spellcheck={false} {...(slash ? { 'data-slash': '', 'aria-keyshortcuts': '/' } : {})} />
    </label>
    {choices.map((choice) => (
      <label class="field">
        <span>{choice.label}</span>
        <select data-by={choice.by}>
          <option value="">all</option>
          {choice.options.map((option) => (
            <option value={visible(option)}>{visible(option)}</option>
          ))}
        </select>
      </label>
    ))}
    {outcomes.length === 0 ? null : (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a flexible row in every browser
      <div class="chips" role="group" aria-label="Outcome">
        {outcomes.map((one) => (
          <button type="button" class={`chip t-${one.like}`} aria-pressed="false" data-outcome-choice={one.value}>
            <Sign like={one.like} />
            {one.label} <span class="n">{one.count}</span>
          </button>
        ))}
      </div>
    )}
    <p class="status">
      <output aria-live="polite" data-shown />
      <button type="button" class="quiet" data-clear>
        Clear
      </button>
    </p>
  </search>
)
