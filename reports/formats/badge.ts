/** A badge: as SVG, and as the JSON that the endpoint badge of shields.io reads. */
import { makeBadge } from 'badge-maker'
import type { ClauseOutcome, Results } from '../../specs/meta/results.ts'
import { VERDICT_WORDS } from '../words.ts'

const COLOURS: Partial<Record<ClauseOutcome, string>> = { verified: 'brightgreen', violated: 'red', blocked: 'orange', observed: 'blue' }

const badgeOf = ({ verdict, clauses, gate }: Results) => {
  const { label, like } = VERDICT_WORDS[verdict]
  const required = clauses.filter(({ level, outcome }) => level === 'required' && !['excluded', 'notClaimed'].includes(outcome))
  const verified = required.filter(({ outcome }) => outcome === 'verified').length
  const known = verdict === 'nonConformant' && gate === 'passed' ? ', all known' : ''
  return { label: 'assay', message: `${label.toLowerCase()}${known} ${verified}/${required.length}`, color: COLOURS[like] ?? 'lightgrey' }
}

/** The badge as an SVG that asks for nothing else. */
export const renderBadge = (results: Results): string => `${makeBadge({ ...badgeOf(results), style: 'flat' })}\n`

/** The badge as JSON for https://img.shields.io/endpoint. */
export const renderShields = (results: Results): string =>
  `${JSON.stringify({ schemaVersion: 1, ...badgeOf(results), isError: results.gate === 'errored' })}\n`
