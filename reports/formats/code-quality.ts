/** The code-quality report of GitLab: one entry per failing check and clause, with a fingerprint that stays from run to run. */

import { createHash } from 'node:crypto'
import type { Results } from '../../specs/meta/results.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { leadOf } from '../lead.ts'
import { failsGate } from '../standing.ts'
import { clip, oneLine } from '../text.ts'
import { type Finding, viewOf } from '../view.ts'

const LONGEST = 500
const SHOWN_AS_CLAUSES = ['violated', 'advised']

/** GitLab wants a place in the repository; a server has none, so the clause stands for it. */
const entry = (name: string, place: string, severity: string, description: string, key: string) => ({
  description: clip(oneLine(description), LONGEST),
  check_name: oneLine(name),
  fingerprint: createHash('sha256').update(key).digest('hex'),
  severity,
  location: { path: oneLine(place), lines: { begin: 1 } },
})

/** Renders the report as JSON. */
export const renderCodeQuality = (results: Results): string => {
  const { violated, known, following, warned } = viewOf(results)
  const fails = failsGate(results)
  const entries = (findings: Finding[], severity: string) =>
    findings.flatMap(({ clause, failures }) =>
      failures.map(({ check, decision, deviation }) =>
        entry(
          clause.id,
          check.id,
          decision !== undefined && fails(decision) ? 'critical' : severity,
          `${clause.id}: ${deviation === undefined ? '' : `known deviation (${deviation}): `}${leadOf(decision, check.reason ?? clause.text)}`,
          `${clause.id} ${check.id}`,
        ),
      ),
    )
  const reasons = results.gateReasons
    .filter(({ kind }) => !SHOWN_AS_CLAUSES.includes(kind))
    .map(({ kind, subject, message }) => entry(`assay/${kind}`, subject ?? 'run', 'major', message, `${kind} ${subject ?? ''}`))
  return `${jsonText([...entries(violated, 'critical'), ...reasons, ...entries(warned, 'minor'), ...entries([...known, ...following], 'info')], 2)}\n`
}
