/** The page of rulings: what is demanded where the documents leave a doubt, at which level, and by which clauses. */
import type { Contract, Ruling } from '../harness/contract/contract.ts'
import type { Level } from '../specs/meta/results.ts'

const LEVELS: Level[] = ['required', 'advised', 'open']

const sectionOf = ({ clauses }: Contract, ruling: Ruling): string => {
  const resting = [...clauses.values()].filter((clause) => clause.ruling === ruling.id)
  const lines = LEVELS.flatMap((level) => {
    const said = ruling[level]
    if (said === undefined) return []
    const ids = resting.filter((clause) => clause.level === level).map(({ id }) => id)
    return [`- **${level}**: ${said}${ids.length === 0 ? '' : ` (${ids.join(', ')})`}`]
  })
  return [`## ${ruling.id}`, '', `Sections: ${ruling.sections.join('; ')}.`, '', ...lines].join('\n')
}

/** The page, in the order of specs/rulings.yaml. */
export const rulingsPage = (contract: Contract): string =>
  `${[
    [
      '# Rulings',
      '',
      'Made by `npm run trace` from specs/rulings.yaml; do not edit. Where the documents are silent or can be read in more than one way, a ruling',
      'says what is demanded, at which level. The clauses that rest on it follow each sentence. A section stands after the number that its',
      "document's file name begins with.",
    ].join('\n'),
    ...[...contract.rulings.values()].map((ruling) => sectionOf(contract, ruling)),
  ].join('\n\n')}\n`
