/** `assay explain ID`: a clause, check, operation, fault or variant. */
import { allFaults as faults, allVariants as variants } from '../../reference/faults/index.ts'
import { sourceOf } from '../../reports/index.ts'
import { requireKnown } from '../base/usage.ts'
import { loadContract } from '../contract/load.ts'
import { answerClauses, catalogue } from '../planning/catalogue.ts'

type Row = [name: string, value: string | undefined]

const render = (rows: Row[]): string =>
  rows
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name.padEnd(11)} ${value}\n`)
    .join('')

/** Explanations by id, of everything that has one. */
const explanations = async (): Promise<Map<string, () => Row[]>> => {
  const contract = await loadContract()
  const checks = await catalogue(contract, [...contract.engines.keys()])
  const found = new Map<string, () => Row[]>()
  for (const clause of contract.clauses.values()) {
    found.set(clause.id, () => [
      ['clause', clause.id],
      ['text', clause.text],
      ['engine', clause.engine],
      ['level', clause.level],
      ['source', sourceOf({ source: { title: clause.title ?? clause.document, section: clause.section } })],
      ['reading', clause.reading],
      ['ruling', clause.ruling === undefined ? undefined : `${clause.ruling}: ${contract.rulings.get(clause.ruling)![clause.level]}`],
      ['split from', clause.splitFrom],
      ['excluded', clause.excluded],
      [
        'decided by',
        checks
          .filter((check) => check.clauses.includes(clause.id))
          .map((check) => check.id)
          .join(', ') || 'no check',
      ],
      [
        'faults',
        faults
          .filter((fault) => fault.clauses.includes(clause.id))
          .map((fault) => fault.id)
          .join(', '),
      ],
    ])
  }
  for (const check of checks) {
    found.set(check.id, () => [
      ['check', check.id],
      ['title', check.title],
      ['engine', check.engine],
      ['kind', check.kind],
      ['decides', check.clauses.join(', ')],
      ['needs', Object.keys(check.needs).length === 0 ? undefined : JSON.stringify(check.needs)],
    ])
  }
  for (const operation of contract.operations.values()) {
    found.set(operation.id, () => [
      ['operation', operation.id],
      ['summary', operation.summary],
      ['engine', operation.engine],
      ['request', `${operation.method} ${operation.path}`],
      ['answers', Object.keys(operation.responses).join(', ')],
      ['clauses', [...answerClauses(operation)].join(', ')],
    ])
  }
  for (const fault of faults)
    found.set(fault.id, () => [
      ['fault', fault.id],
      ['title', fault.title],
      ['engine', fault.engine],
      ['breaks', fault.clauses.join(', ')],
    ])
  for (const variant of variants)
    found.set(variant.id, () => [
      ['variant', variant.id],
      ['title', variant.title],
      ['engine', variant.engine],
      ['reading', variant.reading],
    ])
  return found
}

export interface ExplainOptions {
  json?: boolean
}

/** Prints what there is to say of an id. @throws UsageError for one that nothing has. */
export const explain = async (id: string, { json }: ExplainOptions): Promise<void> => {
  const known = await explanations()
  requireKnown('id', [id], [...known.keys()])
  const rows = known.get(id)!()
  process.stdout.write(
    json === true ? `${JSON.stringify(Object.fromEntries(rows.filter(([, value]) => value !== undefined)))}\n` : render(rows),
  )
}
