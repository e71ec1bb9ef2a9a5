/** The page of an engine: what is judged, what that needs, its operations and its clauses. */
import type { Clause, Contract, EngineSpec, Operation } from '../harness/contract/contract.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { cell } from './traceability.ts'

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const list = (names: Iterable<string>): string => [...new Set(names)].sort().join(', ') || 'nothing'

const operationRow = ({ id, method, path, summary, sudo, unauthenticated }: Operation): string[] => [
  `\`${method} ${path}\``,
  summary,
  unauthenticated ? 'nobody in particular' : sudo ? 'a token with sudo' : 'a token',
  `\`${id}\``,
]

const clauseRow = ({ id, level, section, text, excluded }: Clause): string[] => [
  id,
  excluded === undefined ? level : `${level}, excluded`,
  section,
  excluded === undefined ? text : `${text} (${excluded})`,
]

/** The page in Markdown. */
export const enginePage = async (contract: Contract, { id, title }: EngineSpec): Promise<string> => {
  const clauses = [...contract.clauses.values()].filter(({ engine }) => engine === id)
  const operations = [...contract.operations.values()].filter(({ engine }) => engine === id)
  const checks = (await catalogue(contract, [id])).filter(({ engine }) => engine === id)
  const count = (level: string): number => clauses.filter((clause) => clause.level === level).length
  return `${[
    `---\ntitle: ${title}\ngroup: Engines\n---`,
    `# ${title}`,
    `\`npx assay certify --embedded --engine ${id}\` certifies the reference server's. ${checks.length} checks decide ${clauses.length} clauses:`,
    `- ${count('required')} are required, ${count('advised')} advised and ${count('open')} open.`,
    `- The checks need these backends: ${list(checks.flatMap(({ needs }) => needs.backends ?? []))}.`,
    '## Operations',
    table(['request', 'what it does', 'who may ask', 'id'], operations.map(operationRow)),
    '## Clauses',
    table(['clause', 'level', 'section', 'statement'], clauses.map(clauseRow)),
  ].join('\n\n')}\n`
}
