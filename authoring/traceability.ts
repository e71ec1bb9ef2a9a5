/** The table from clauses to what decides them: checks, faults, or the reason why nothing does. */

import { registeredSweeps } from '../harness/checks/sweep.ts'
import type { Clause, Contract } from '../harness/contract/contract.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'

/** Where `npm run trace` writes it, from the project's root. */
export const TRACEABILITY = 'docs/traceability.md'

const HEAD = `# Traceability

Made by \`npm run trace\`; do not edit. Which checks decide each clause, and how many seeded faults of the reference server break it: \`npx assay explain CLAUSE\`
names them. A check of the section's own engine stands without the engine's name, and \`contract\` is the check that a response schema makes of the clause.
The checks of a sweep or generator, one for each operation, stand as one: \`no-token/* (40)\`.
`

/** Text as one cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Ids with those that differ in their operation only as one. */
const grouped = (ids: readonly string[], families: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const id of ids) {
    const family = families.find((one) => id.startsWith(`${one}/`))
    const name = family === undefined ? id : `${family}/*`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => (name.endsWith('/*') ? `${name} (${count})` : name)).sort()
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** The id of a check, without what its row and section say already. */
const shortened = ({ id, engine }: Clause, check: string): string => {
  if (check === `${engine}/contract/${id.toLowerCase()}`) return 'contract'
  return check.startsWith(`${engine}/`) ? check.slice(engine.length + 1) : check
}

/** The document, by engine and in the order of the clauses. */
export const traceability = async (contract: Contract): Promise<string> => {
  const engines = [...contract.engines.keys()]
  const checks = await catalogue(contract, engines)
  const families = [...registeredSweeps().map(({ id }) => id), ...engines.map((engine) => `${engine}/generated`)]
  const row = (clause: Clause): string => {
    const { id, level, excluded } = clause
    const deciding = grouped(
      checks.filter(({ clauses }) => clauses.includes(id)).map((check) => check.id),
      families,
    )
    const breaking = allFaults.filter(({ clauses }) => clauses.includes(id)).length
    const cells = [
      id,
      level,
      codes(deciding.map((name) => shortened(clause, name))),
      breaking === 0 ? '' : String(breaking),
      cell(excluded ?? ''),
    ]
    return `| ${cells.join(' | ')} |`
  }
  const sections = [...contract.engines.values()].map(({ id, title }) => {
    const rows = [...contract.clauses.values()].filter(({ engine }) => engine === id).map(row)
    return [`\n## ${title}\n`, '| clause | level | checks | faults | excluded |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
  })
  return `${[HEAD, ...sections].join('\n')}\n`
}
