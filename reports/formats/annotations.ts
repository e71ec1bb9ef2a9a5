/** Annotations of GitHub Actions: one workflow command per failing clause and per other reason of the gate. */
import type { Results } from '../../specs/meta/results.ts'
import { leadOf } from '../lead.ts'
import { oneLine } from '../text.ts'
import { viewOf } from '../view.ts'

/** GitHub shows ten of a kind per step. */
const MOST = 10
const SHOWN_AS_CLAUSES = ['violated', 'advised']

const inMessage = (text: string): string => oneLine(text).replaceAll('%', '%25')
const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Renders the lines; no text from a server can begin a command of its own. */
export const renderAnnotations = (results: Results): string => {
  const { violated, known, following, warned } = viewOf(results)
  const line = (kind: 'error' | 'warning' | 'notice', title: string, message: string) =>
    `::${kind} title=${inProperty(title)}::${inMessage(message)}`
  const failsIn = (clause: string): boolean => results.gateReasons.some(({ kind, subject }) => kind === 'advised' && subject === clause)
  const reasons = results.gateReasons.filter(({ kind }) => !SHOWN_AS_CLAUSES.includes(kind))
  const lines = [
    violated.map(({ clause, failures: [failure] }) =>
      line('error', clause.id, `${clause.text} ${leadOf(failure?.decision, failure?.check.reason ?? 'no check recorded why')}`),
    ),
    reasons.map(({ kind, subject, message }) => line('error', subject ?? kind, message)),
    warned.map(({ clause, failures: [failure] }) =>
      line(failsIn(clause.id) ? 'error' : 'warning', clause.id, leadOf(failure?.decision, clause.text)),
    ),
    following.map(({ clause }) => line('notice', clause.id, `follows from ${clause.causedBy?.join(', ')}`)),
    known.map(({ clause, deviation }) => line('notice', clause.id, `known deviation: ${deviation}`)),
  ]
  return lines.flatMap((some) => some.slice(0, MOST).map((one) => `${one}\n`)).join('')
}
