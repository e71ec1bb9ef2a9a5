/** A badge: as SVG, and as the JSON that the endpoint badge of shields.io reads. */

import { makeBadge } from 'badge-maker'
import type { ClauseOutcome, Results } from '../../specs/meta/results.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { VERDICT_WORDS } from '../words.ts'

const COLOURS: Partial<Record<ClauseOutcome, string>> = { verified: 'brightgreen', violated: 'red', blocked: 'orange', observed: 'blue' }

const GATE_COLOURS: Record<Results['gate'], string> = { passed: 'yellow', failed: 'red', incomplete: 'orange', errored: 'orange' }

/** What the gate makes of a verdict that says something else: a badge is green only where the exit code is 0. */
const gateWords = ({ verdict, gate }: Pick<Results, 'verdict' | 'gate'>): string => {
  if (gate === 'passed') return verdict === 'nonConformant' || verdict === 'incomplete' ? ', all known' : ''
  return verdict === 'conformant' || verdict === 'partial' ? `, gate ${gate}` : ''
}

const badgeOf = ({ verdict, clauses, gate }: Results) => {
  const { label, like } = VERDICT_WORDS[verdict]
  const required = clauses.filter(({ level, outcome }) => level === 'required' && !['excluded', 'notClaimed'].includes(outcome))
  const verified = required.filter(({ outcome }) => outcome === 'verified').length
  const words = gateWords({ verdict, gate })
  const color = words === '' ? (COLOURS[like] ?? 'lightgrey') : GATE_COLOURS[gate]
  return { label: 'assay', message: `${label.toLowerCase()}${words} ${verified}/${required.length}`, color }
}

/** The badge as an SVG that asks for nothing else. */
export const renderBadge = (results: Results): string => `${makeBadge({ ...badgeOf(results), style: 'flat' })}\n`

/** The badge as JSON for https://img.shields.io/endpoint. */
export const renderShields = (results: Results): string =>
  `${jsonText({ schemaVersion: 1, ...badgeOf(results), isError: results.gate === 'errored' })}\n`
