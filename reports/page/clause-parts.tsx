/** What pages that show clauses share: the list of them, a row of it, the statement, what is said below it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import type { ClauseOutcome, Level } from '../../specs/meta/results.ts'
import { sourceOf } from '../lead.ts'
import { visible } from '../text.ts'
import { type Group, List } from './list.tsx'
import { clauseAnchor, Prose, Text, Toolbar } from './parts.tsx'

interface ClauseListProps {
  caption: string
  columns: string[]
  groups: Group[]
  /** Ids. */
  engines: string[]
  /** Those that no clause has are left out. */
  outcomes: { value: string; label: string; like: ClauseOutcome; count: number }[]
}

/** All clauses by engine, to be searched and narrowed. */
export const ClauseList = ({ caption, columns, groups, engines, outcomes }: ClauseListProps): JSX.Element => (
  <List
    name="clauses"
    caption={caption}
    columns={columns.map((title) => ({ title }))}
    groups={groups}
    none="No clause matches. Clear the filters to see all of them."
    toolbar={
      <Toolbar
        label="Narrow the clauses"
        slash
        choices={[
          { by: 'engine', label: 'Engine', options: engines },
          { by: 'level', label: 'Level', options: ['required', 'advised', 'open'] },
        ]}
        outcomes={outcomes.filter(({ count }) => count > 0)}
      />
    }
  />
)

interface ClauseRowProps {
  clause: { id: string; engine: string; level: Level }
  /** What the list is narrowed by, if anything became of the clause. */
  outcome: string | undefined
  /** Whether links to the clause lead here. */
  anchored?: boolean
  /** Its cells. */
  children: ComponentChildren
}

/** A row of that list. */
export const ClauseRow = ({ clause, outcome, anchored = true, children }: ClauseRowProps): JSX.Element => (
  <tr
    {...(anchored ? { id: clauseAnchor(clause.id) } : {})}
    tabIndex={-1}
    data-nav
    data-engine={visible(clause.engine)}
    data-level={clause.level}
    {...(outcome === undefined ? {} : { 'data-outcome': outcome })}
  >
    {children}
  </tr>
)

/** What a clause states, and where it stands. */
export const Statement = ({ clause }: { clause: { text: string } & Parameters<typeof sourceOf>[0] }): JSX.Element => (
  <>
    <h3>
      <Prose of={clause.text} />
    </h3>
    <p class="source">
      <Text of={sourceOf(clause)} />
    </p>
  </>
)

/** A remark below a statement, if there is one. */
export const Remark = ({ title, of }: { title: string; of: string | undefined }): JSX.Element | null =>
  of === undefined ? null : (
    <p class="reading">
      <b>{title}</b> <Prose of={of} />
    </p>
  )

/** Lines below a row of the list, once it is opened. */
export const Details = ({ children }: { children: ComponentChildren }): JSX.Element => <ul class="more">{children}</ul>

/** One of them. */
export const Detail = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <li>
    <b>{title}</b> {children}
  </li>
)
