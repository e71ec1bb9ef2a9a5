/** A long list in groups: the page has the heads of the groups, and the script makes rows of a group when it is opened. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import { Text } from './parts.tsx'
import { Data, insideOf, packed } from './tree.tsx'

/** What belongs together in a list, such as the clauses of one engine. */
export interface Group {
  title: ComponentChildren
  /** Opened at once, because something in it needs a look. */
  open?: boolean
  /** One `tr` each. */
  rows: JSX.Element[]
}

interface ListProps {
  /** Names the list in the page's address. */
  name: string
  caption: string
  /** Whether the caption is to be seen, because no heading says the same. */
  captioned?: boolean
  columns: { title: string; right?: boolean }[]
  groups: Group[]
  /** What the reader is told where nothing matches. */
  none?: string
  toolbar?: ComponentChildren
}

/** The list; without the script its heads say how much is in each group. */
export const List = ({ name, caption, captioned = false, columns, groups, none = '', toolbar }: ListProps): JSX.Element => {
  const filled = groups.filter((group) => group.rows.length > 0)
  return (
    <div class="list" data-list={name} data-total={filled.reduce((sum, group) => sum + group.rows.length, 0)}>
      {toolbar}
      <p class="empty" hidden data-empty>
        {none}
      </p>
      <table class={`rows ${name}`}>
        <caption {...(captioned ? {} : { class: 'unseen' })}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, right }) => (
              <th scope="col" {...(right ? { class: 'right' } : {})}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {filled.map((group) => (
          <tbody {...(group.open ? { 'data-open': '' } : {})}>
            <tr class="group">
              <th colSpan={columns.length} scope="rowgroup">
                {group.title}
              </th>
            </tr>
          </tbody>
        ))}
      </table>
      <p class="note" data-unscripted>
        The script of this page makes the rows. The same facts are in results.json and junit.xml.
      </p>
      <Data of={packed(filled.map((group) => insideOf(group.rows)))} data-rows="" />
    </div>
  )
}

/** The head of a group: what it is, how it stands, how much is in it. */
export const GroupTitle = ({ title, say, badge }: { title: string; say: string; badge?: JSX.Element }): JSX.Element => (
  <>
    <span class="group-title">
      <Text of={title} />
    </span>{' '}
    {badge} <span class="soft">{say}</span>
  </>
)
