/** What a second server answered otherwise, in a line for each clause. */
import type { Against } from '../specs/meta/results.ts'
import { plural, thousands } from './text.ts'

const SILENT = 'where the contract is silent'

/** How many answers were compared and how many differ. */
export const againstTitle = ({ url, exchanges, differences }: Against): string => {
  const differ = differences.reduce((sum, { count }) => sum + count, 0)
  return `Against ${url}: ${plural(exchanges, 'answer')} compared, ${thousands(differ)} differ`
}

/** Clauses with differing answers, those with most first: how many, and the first place. */
export const againstWords = ({ differences }: Against): string[] => {
  const byClause = new Map<string, Against['differences']>()
  for (const one of differences) byClause.set(one.clause ?? SILENT, [...(byClause.get(one.clause ?? SILENT) ?? []), one])
  const sum = (of: Against['differences']): number => of.reduce((total, { count }) => total + count, 0)
  return [...byClause]
    .sort(([, one], [, other]) => sum(other) - sum(one))
    .map(([clause, of]) => {
      const [first] = of
      return `${clause}: ${plural(sum(of), 'answer')}, first ${first!.operation} ${first!.place || 'status'}: ${first!.here} here, ${first!.there} there`
    })
}
