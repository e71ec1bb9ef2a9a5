/** Drafts entries of known deviations from results: everything that the gate holds against the run, for a person to give reasons for. */
import { Document } from 'yaml'
import type { Results } from '../../specs/meta/results.ts'
import { type Deviation, type Failure, matchDeviations } from '../planning/deviations.ts'
import { UNWRITTEN } from '../planning/deviations-file.ts'
import { entriesIn, failuresIn } from './failed-decisions.ts'

/** What may change from run to run (quoted names and values, counts of answers, words with digits, long numbers), and invisible characters. */
const VOLATILE =
  /"[^"]*"|'[^']*'|`[^`]*`|‹[^›]*›|<[^>]*>|\([^()]*\)|\n|…|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\S*(?:[a-z]\d|\d[a-z]|\d{4})\S*/giu
const LEAST = 8

/** The longest part of a reason that the next run says again; undefined where none is telling. */
export const signatureOf = (reason: string): string | undefined => {
  const parts = reason
    .split(VOLATILE)
    .map((part) => part.trim())
    .sort((left, right) => right.length - left.length)
  return parts[0] !== undefined && parts[0].length >= LEAST ? parts[0] : undefined
}

const isHeld = ({ level, outcome }: Failure, { failOn }: Results): boolean =>
  level === 'required' || (outcome === 'violated' && level === 'advised' && failOn.includes('advised'))

/** What a reported violation or a lacking feature explains, as check and clause: it goes as soon as that goes. */
const explainedIn = ({ checks }: Results): Set<string> =>
  new Set(
    checks.flatMap(({ id, decisions, undecided = [] }) => {
      const failed = decisions.filter(({ outcome }) => outcome === 'violated')
      const explained = [...failed, ...undecided].filter(({ causedBy }) => causedBy !== undefined)
      return explained.flatMap(({ clause }) =>
        failed.some((one) => one.clause === clause && one.causedBy === undefined) ? [] : [`${id} ${clause}`],
      )
    }),
  )

/** One entry for each clause and check that fails the gate or leaves it incomplete and that no entry covers yet. */
export const draftDeviations = (results: Results): Deviation[] => {
  const today = results.startedAt.slice(0, 10)
  const { uncovered } = matchDeviations(entriesIn(results), failuresIn(results), [], [], today)
  const outcomes = new Map(results.clauses.map(({ id, outcome }) => [id, outcome]))
  const explained = explainedIn(results)
  const own = uncovered.filter(({ check, clause }) => !explained.has(`${check} ${clause}`))
  const held = own.filter((one) => isHeld(one, results) && (one.outcome === 'violated' || outcomes.get(one.clause) === 'blocked'))
  const drafts = held.map(({ clause, check, outcome, reason }): Deviation => {
    const signature = signatureOf(reason)
    return {
      clause,
      check,
      ...(signature === undefined ? {} : { signature }),
      ...(outcome === 'blocked' ? { outcome } : {}),
      reason: `${UNWRITTEN}: why the target differs`,
      owner: `${UNWRITTEN}: who answers for it`,
    }
  })
  return [...new Map(drafts.map((draft) => [JSON.stringify(draft), draft])).values()]
}

/** A file of drafts as text. */
export const draftText = (results: Results, drafts: readonly Deviation[]): string => {
  const document = new Document({ target: results.target.name, deviations: drafts })
  document.commentBefore = ` Drafted from run ${results.run} of ${results.startedAt}.
 Write the reason and the owner of each entry: the gate refuses ${UNWRITTEN}. Delete entries that are not known deviations.`
  return document.toString({ lineWidth: 0 })
}
