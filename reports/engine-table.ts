/** The table of engines on a terminal: verdicts and counts by outcome, one line per engine. */
import type { ClauseCounts, ClauseOutcome, Results } from '../specs/meta/results.ts'
import type { Drawing } from './drawing.ts'
import { clip, oneLine } from './text.ts'
import type { View } from './view.ts'
import { VERDICT_WORDS } from './words.ts'

interface Column {
  head: string
  /** What colours a count. */
  like?: ClauseOutcome
  count: (counts: ClauseCounts) => number
}

const column = (like: ClauseOutcome, head: string = like): Column => ({ head, like, count: (counts) => counts[like] })

const COLUMNS: Column[] = [
  column('verified'),
  column('violated'),
  column('warned'),
  column('observed'),
  column('blocked'),
  column('notExercised', 'not run'),
]
/** What is rare shares a column, which is there only where something stands in it: errored, not claimed, excluded. */
const OTHER: Column = { head: 'other', count: (counts) => counts.errored + counts.notClaimed + counts.excluded }
const TOTAL: Column = { head: 'total', count: (counts) => counts.total }
const LONGEST_NAME = 14
const LONGEST_VERDICT = 16

/** Renders the table; on a narrow terminal the verdict is its sign alone. */
export const engineTable = (results: Results, view: View, draw: Drawing): string[] => {
  const columns = [...COLUMNS, ...(OTHER.count(view.total) > 0 ? [OTHER] : []), TOTAL]
  const name = Math.max(6, ...results.engines.map((engine) => Math.min(LONGEST_NAME, oneLine(engine.id).length)))
  const width = name + 2 + columns.reduce((sum, one) => sum + one.head.length + 2, 0)
  const wide = width + LONGEST_VERDICT <= draw.width
  const gap = width <= draw.width ? '  ' : ' '
  const line = (sign: string, label: string, counts: ClauseCounts, verdict: string): string =>
    [`${sign} ${clip(label, name).padEnd(name)}`, ...columns.map((one) => cell(one, counts, draw)), ...(wide ? [verdict] : [])]
      .join(gap)
      .trimEnd()
  return [
    draw.soft(['  ' + 'engine'.padEnd(name), ...columns.map((one) => one.head), ...(wide ? ['verdict'] : [])].join(gap)),
    ...results.engines.map((engine) => {
      const { like, label } = VERDICT_WORDS[engine.verdict]
      return line(draw.paint(like, draw.sign(like)), oneLine(engine.id), engine.clauses, draw.paint(like, label.toLowerCase()))
    }),
    ...(results.engines.length > 1 ? [line(' ', 'all', view.total, '')] : []),
  ]
}

const cell = ({ head, like, count }: Column, counts: ClauseCounts, draw: Drawing): string => {
  const number = count(counts)
  const text = String(number).padStart(head.length)
  if (number === 0) return draw.soft(text)
  return like === undefined ? text : draw.paint(like, text)
}
