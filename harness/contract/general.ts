/** Engines whose clauses speak of the operations of others, and what a selection of engines needs to try them. */
import type { Contract } from './contract.ts'

/** Engines that state what all others of their API keep to. */
export const generalEngines = (contract: Contract): Set<string> =>
  new Set([...contract.apis.values()].flatMap(({ general }) => (general === undefined ? [] : [general.engine])))

/** Adds the engine on whose operations a general one is tried, where a general one is among them; in the contract's order. */
export const withShown = (contract: Contract, engines: ReadonlySet<string>): string[] => {
  const shown = [...contract.apis.values()].flatMap(({ general }) => (general && engines.has(general.engine) ? [general.shownOn] : []))
  return [...contract.engines.keys()].filter((id) => engines.has(id) || shown.includes(id))
}

/** Adds every engine of an API whose general engine is among these: what that states may show in any of their operations. */
export const withGoverned = (contract: Contract, engines: readonly string[]): string[] => {
  const general = generalEngines(contract)
  const apis = new Set(engines.filter((id) => general.has(id)).map((id) => contract.engines.get(id)?.api))
  return [...contract.engines.values()].filter(({ id, api }) => engines.includes(id) || apis.has(api)).map(({ id }) => id)
}

/** Engines whose statements are tried on the operations of this one, besides the sweeps. */
export const shownOnIt = (contract: Contract, engine: string): string[] =>
  [...contract.apis.values()].flatMap(({ general }) => (general?.shownOn === engine ? [general.engine] : []))

/** Whether a general engine is among these and none whose operations it could be tried on. */
export const lacksOperations = (contract: Contract, engines: readonly string[]): boolean =>
  [...contract.apis.values()].some(
    ({ api, general }) =>
      general !== undefined &&
      engines.includes(general.engine) &&
      !engines.some((id) => id !== general.engine && contract.engines.get(id)?.api === api),
  )
