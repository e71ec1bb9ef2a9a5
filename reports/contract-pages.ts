/** All pages of the contract. */
import type { Results } from '../specs/meta/results.ts'
import { type ContractSite, pageOf, withOutcomes } from './contract-site.ts'
import { renderContractEngine } from './page/contract-engine.tsx'
import { renderContractIndex } from './page/contract-index.tsx'

/**
 * Renders the contract.
 *
 * @param results of a run, whose outcomes stand beside the clauses.
 * @returns pages by their file names, which link to one another.
 */
export const renderContractSite = (contract: ContractSite, results?: Results): Map<string, string> => {
  const site = results === undefined ? contract : withOutcomes(contract, results)
  return new Map([
    ['index.html', renderContractIndex(site, results)],
    ...site.engines.map((engine): [string, string] => [pageOf(engine.id), renderContractEngine(site, engine, results)]),
  ])
}
