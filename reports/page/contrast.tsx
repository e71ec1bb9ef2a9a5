/** Expected and seen side by side, with marks on what differs. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import { diffWordsWithSpace } from 'diff'
import type { JSX } from 'preact'
import { cut, visible } from '../text.ts'

/** Longest value that is shown whole, and the most edits that are looked for between two. */
const LONGEST = 2000
const MOST_EDITS = 400
/** Where less than this part of the shorter value is common to both, they differ as wholes. */
const COMMON = 0.4

interface Piece {
  text: string
  differs: boolean
}

/** The two values of a decision; nothing where none was recorded. */
export const Contrast = ({ expected, seen }: { expected?: string; seen?: string }): JSX.Element | null => {
  if (expected === undefined && seen === undefined) return null
  const [wanted, found] = piecesOf(shown(expected), shown(seen))
  return (
    <dl class="contrast">
      <div>
        <dt>Expected</dt>
        <dd>
          <Pieces of={wanted} />
        </dd>
      </div>
      <div>
        <dt>Seen</dt>
        <dd class="seen">
          <Pieces of={found} />
        </dd>
      </div>
    </dl>
  )
}

const shown = (value: string | undefined): string => cut(visible(value ?? 'not recorded'), LONGEST)

const Pieces = ({ of }: { of: Piece[] }): JSX.Element => <>{of.map(({ text, differs }) => (differs ? <mark>{text}</mark> : text))}</>

/** Both values in pieces, each said to be common to both or not. */
export const piecesOf = (expected: string, seen: string): [Piece[], Piece[]] => {
  const changes = diffWordsWithSpace(expected, seen, { maxEditLength: MOST_EDITS }) ?? []
  const common = changes.filter(({ added, removed }) => !added && !removed).reduce((sum, { value }) => sum + value.length, 0)
  if (common < COMMON * Math.min(expected.length, seen.length)) return [whole(expected), whole(seen)]
  const piece = ({ value, added, removed }: (typeof changes)[number]): Piece => ({ text: value, differs: added || removed })
  return [changes.filter(({ added }) => !added).map(piece), changes.filter(({ removed }) => !removed).map(piece)]
}

const whole = (text: string): Piece[] => [{ text, differs: true }]
