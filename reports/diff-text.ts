/** A difference between two results as text for a terminal and as Markdown for a job page. */
import type { Change, Difference, LevelChange } from './difference.ts'
import { markdownText } from './markdown.ts'
import { duration, firstOf, instant, oneLine, plural } from './text.ts'
import { VERDICT_WORDS } from './words.ts'

/** One kind of change: its heading and its lines. */
export interface DifferencePart {
  title: string
  lines: string[]
}

const MOST = 50

const lineOf = ({ id, level, text, before, reason, deviation }: Change): string =>
  [
    `${id} (${level}${before === undefined ? '' : `, was ${before}`}): ${text}`,
    reason === undefined ? '' : ` ${reason}`,
    deviation === undefined ? '' : ` Known deviation: ${deviation}`,
  ].join('')

const levelLine = ({ id, levelBefore, level, text, before, after }: LevelChange): string =>
  `${id} (${level}, was ${levelBefore}; ${after}, was ${before}): ${text}`

/** The parts of a difference in which something stands, in the order in which a reader wants them. */
export const partsOf = (difference: Difference): DifferencePart[] => {
  const parts: DifferencePart[] = [
    { title: 'Newly violated', lines: difference.violated.map(lineOf) },
    { title: 'Newly blocked', lines: difference.blocked.map(lineOf) },
    { title: 'Newly warned', lines: difference.warned.map(lineOf) },
    { title: 'Level changed', lines: difference.levelChanged.map(levelLine) },
    { title: 'Unstable', lines: difference.unstable },
    { title: 'Fixed', lines: difference.fixed.map(lineOf) },
    {
      title: 'Slower',
      lines: difference.slower.map(
        ({ id, beforeMs, afterMs, factor }) => `${id}: ${duration(afterMs)} after ${duration(beforeMs)}, ${factor} times as long`,
      ),
    },
    { title: 'Clauses added', lines: difference.clausesAdded },
    { title: 'Clauses gone', lines: difference.clausesGone },
    { title: 'Checks added', lines: difference.checksAdded },
    { title: 'Checks gone', lines: difference.checksGone },
  ]
  return parts.filter(({ lines }) => lines.length > 0)
}

/** What the difference comes to, in one sentence. */
export const leadOfDifference = (difference: Difference): string => {
  const { regression, violated, fixed, blocked } = difference
  if (partsOf(difference).length === 0) return 'Nothing changed.'
  const counts = [
    `${plural(violated.length, 'clause')} newly violated`,
    `${violated.length === 0 && blocked.length === 0 ? 'none' : blocked.length} newly blocked`,
    `${fixed.length} fixed`,
  ].join(', ')
  return `${regression ? 'Regression' : 'No regression'}: ${counts}.`
}

const sides = ({ old, new: other }: Difference): string =>
  [old, other]
    .map(({ startedAt, verdict, server, assay }) =>
      [instant(startedAt), VERDICT_WORDS[verdict].label, server, `assay ${assay}`].filter((word) => word !== undefined).join(', '),
    )
    .join('  ->  ')

/** As text that ends with a line feed. */
export const differenceText = (difference: Difference): string =>
  `${[
    `${oneLine(difference.target)}: ${leadOfDifference(difference)}`,
    oneLine(sides(difference)),
    ...partsOf(difference).flatMap(({ title, lines }) => [
      '',
      `${title} (${lines.length})`,
      ...firstOf(lines, MOST).map((line) => `  ${oneLine(line)}`),
    ]),
  ].join('\n')}\n`

/** As Markdown; text from a server can neither format nor link. */
export const differenceMarkdown = (difference: Difference): string =>
  [
    `# ${difference.regression ? '✖' : '✔'} ${markdownText(difference.target)}: ${leadOfDifference(difference)}`,
    '',
    markdownText(sides(difference)),
    ...partsOf(difference).flatMap(({ title, lines }) => [
      '',
      `## ${title} (${lines.length})`,
      '',
      ...firstOf(lines, MOST).map((line) => `- ${markdownText(line)}`),
    ]),
    '',
  ].join('\n')
