/** The pages of docs/ that are made from the contract, by path. */
import type { Contract } from '../harness/contract/contract.ts'
import { clauseChanges, formerLevels } from './clause-changes.ts'
import { rulingsPage } from './rulings-page.ts'
import { TRACEABILITY, traceability } from './traceability.ts'

/** Makes every page from the contract; `npm run trace` writes them, and a test compares them with docs/. */
export const madePages = async (contract: Contract): Promise<Record<string, string>> => ({
  [TRACEABILITY]: await traceability(contract),
  'docs/rulings.md': rulingsPage(contract),
  'docs/clause-changes.md': clauseChanges(contract, formerLevels()),
})
