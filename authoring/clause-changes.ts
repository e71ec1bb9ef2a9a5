/** The page of what became of clauses since an earlier suite: other levels, parts that were split off, new and retired ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Clause, Contract } from '../harness/contract/contract.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import type { Level } from '../specs/meta/results.ts'
import { cell } from './traceability.ts'

const LEVELS: Record<string, Level> = { r: 'required', a: 'advised', o: 'open' }

/** An earlier suite: its day, and the levels of its clauses by id. */
export interface FormerLevels {
  asOf: string
  levels: Map<string, Level>
}

/** Reads specs/former-levels.yaml, where a letter stands for each clause of a family. */
export const formerLevels = (): FormerLevels => {
  const { asOf, levels } = parse(readFileSync(join(packageRoot, 'specs', 'former-levels.yaml'), 'utf8')) as {
    asOf: string
    levels: Record<string, string>
  }
  const pairs = Object.entries(levels).flatMap(([family, letters]) =>
    [...letters].flatMap((letter, index): [string, Level][] => {
      const level = LEVELS[letter]
      return level === undefined ? [] : [[`${family}-${String(index + 1).padStart(2, '0')}`, level]]
    }),
  )
  return { asOf, levels: new Map(pairs) }
}

const table = (title: string, columns: readonly string[], rows: readonly string[][]): string[] =>
  rows.length === 0
    ? []
    : [
        '',
        `## ${title} (${rows.length})`,
        '',
        `| ${columns.join(' | ')} |`,
        `| ${columns.map(() => '---').join(' | ')} |`,
        ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
      ]

/** What a clause rests on: the ruling with its sentence for this level, or how its doubt is graded. */
const reasonOf = ({ rulings }: Contract, { ruling, level, reading }: Clause): string => {
  const said = ruling === undefined ? undefined : rulings.get(ruling)?.[level]
  return said === undefined ? (reading ?? '') : `\`${ruling}\`: ${said}`
}

/** The page, in the order of the clauses. */
export const clauseChanges = (contract: Contract, { asOf, levels }: FormerLevels): string => {
  const clauses = [...contract.clauses.values()]
  const changed = clauses.filter(({ id, level }) => levels.has(id) && levels.get(id) !== level)
  const split = clauses.filter(({ splitFrom }) => splitFrom !== undefined)
  const added = clauses.filter(({ id, splitFrom }) => !levels.has(id) && splitFrom === undefined)
  const retired = [...levels].filter(([id]) => !contract.clauses.has(id))
  return `${[
    '# Changed clauses',
    '',
    `Made by \`npm run trace\`; do not edit. What became of the clauses of the suite of ${asOf}. An id is permanent: a retired one is not used`,
    'again. Where a clause was split, the stated part keeps its id; a known deviation of it covers what was split off, too, and a run names',
    'the part that the entry may have to name instead.',
    ...table(
      'Level changed',
      ['clause', 'was', 'is', 'text', 'why'],
      changed.map((clause) => [clause.id, levels.get(clause.id)!, clause.level, clause.text, reasonOf(contract, clause)]),
    ),
    ...table(
      'Split',
      ['clause', 'split off', 'level', 'text', 'why'],
      split.map((clause) => [clause.splitFrom!, clause.id, clause.level, clause.text, reasonOf(contract, clause)]),
    ),
    ...table(
      'Added',
      ['clause', 'level', 'text'],
      added.map(({ id, level, text }) => [id, level, text]),
    ),
    ...table('Retired', ['clause', 'was'], retired),
  ].join('\n')}\n`
}
