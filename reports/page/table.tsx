/** A short table, which the page has whole; long ones are lists. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'

interface TableProps {
  caption: ComponentChildren
  /** Whether the caption is to be seen, because no heading says the same. */
  captioned?: boolean
  columns: ComponentChildren[]
  /** Whether every column but the first holds numbers. */
  counts?: boolean
  /** Tells the style of this table from others. */
  kind?: string
  /** One `tr` each. */
  children: ComponentChildren
}

export const Table = ({ caption, captioned = false, columns, counts = false, kind, children }: TableProps): JSX.Element => (
  <table class={kind === undefined ? 'rows' : `rows ${kind}`}>
    <caption {...(captioned ? {} : { class: 'unseen' })}>{caption}</caption>
    <thead>
      <tr>
        {columns.map((title, at) => (
          <th scope="col" {...(counts && at > 0 ? { class: 'right' } : {})}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
