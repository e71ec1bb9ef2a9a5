/** SARIF 2.1.0: one rule per clause that does not hold and per other reason of the gate, one result per failing check or reason, for code-scanning views. */

import type { ClauseResult, Decision, GateReason, Results } from '../specs/meta/results.ts'
import { jsonText } from '../specs/meta/unseen.ts'
import { leadOf, sourceOf } from './lead.ts'
import { failsGate } from './standing.ts'
import { oneLine } from './text.ts'
import { type Failure, unstableText, viewOf } from './view.ts'
import { REASON_WORDS } from './words.ts'

/** Reasons of the gate that the findings show already. */
const FOUND: GateReason['kind'][] = ['violated', 'advised']

/**
 * Renders violated and warned clauses, and every other reason why the gate did not pass. Known deviations are present but suppressed; a
 * result of level `error` that is not suppressed is one that fails the gate.
 */
export const renderSarif = (results: Results): string => {
  const view = viewOf(results)
  const fails = failsGate(results)
  const findings = [...view.violated, ...view.known, ...view.following, ...view.warned]
  const reasons = results.gateReasons.filter(({ kind }) => !FOUND.includes(kind))
  // Where they fail the gate they are among its reasons.
  const unstable = results.failOn.includes('unstable') ? [] : view.unstable
  const kinds = [...new Set([...reasons.map(({ kind }) => kind), ...unstable.map(() => 'unstable' as const)])]
  const run = {
    tool: {
      driver: {
        name: 'assay',
        semanticVersion: results.assay,
        rules: [...findings.map(({ clause }) => rule(clause)), ...kinds.map(reasonRule)],
      },
    },
    invocations: [
      {
        commandLine: oneLine(results.environment.command),
        startTimeUtc: results.startedAt,
        endTimeUtc: results.finishedAt,
        executionSuccessful: !['errored', 'incomplete'].includes(results.gate),
      },
    ],
    results: [
      ...findings.flatMap(({ clause, failures }, ruleIndex) =>
        failures.map((failure) =>
          result(
            clause,
            withTolerance(failure, fails),
            ruleIndex,
            failure.decision === undefined ? clause.outcome === 'violated' : fails(failure.decision),
          ),
        ),
      ),
      ...reasons.map((reason) => reasonResult(reason, findings.length + kinds.indexOf(reason.kind), 'error')),
      ...unstable.map((check) => {
        const reason = { gate: 'failed' as const, kind: 'unstable' as const, subject: check.id, message: unstableText(check) }
        return reasonResult(reason, findings.length + kinds.indexOf('unstable'), 'note')
      }),
    ],
  }
  return `${jsonText({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, 2)}\n`
}

/** A failure that follows from a tolerated one is tolerated with it. */
const withTolerance = (failure: Failure, fails: (decision: Decision) => boolean): Failure => {
  const { decision } = failure
  if (decision?.causedBy === undefined || fails(decision) || failure.deviation !== undefined) return failure
  return { ...failure, deviation: `follows from ${decision.causedBy.join(', ')}` }
}

const rule = (clause: ClauseResult) => ({
  id: oneLine(clause.id),
  shortDescription: { text: oneLine(clause.text) },
  help: { text: oneLine(`${sourceOf(clause)}. ${clause.reading ?? ''}`) },
  defaultConfiguration: { level: clause.outcome === 'violated' ? 'error' : 'warning' },
})

const reasonRule = (kind: GateReason['kind']) => ({
  id: `assay/${kind}`,
  shortDescription: { text: REASON_WORDS[kind] },
  defaultConfiguration: { level: 'error' },
})

const result = (clause: ClauseResult, failure: Failure, ruleIndex: number, failing: boolean) => {
  const { check, deviation } = failure
  return {
    ruleId: oneLine(clause.id),
    ruleIndex,
    level: failing || clause.outcome === 'violated' ? 'error' : 'warning',
    message: { text: oneLine(`${leadOf(failure.decision, check.reason ?? clause.text)}. Run again: ${check.rerun}`) },
    locations: placeOf(check.id),
    partialFingerprints: { clauseAndCheck: oneLine(`${clause.id} ${check.id}`) },
    ...(deviation === undefined ? {} : { suppressions: [{ kind: 'external', justification: oneLine(deviation) }] }),
  }
}

const reasonResult = ({ kind, subject, message }: GateReason, ruleIndex: number, level: 'error' | 'note') => ({
  ruleId: `assay/${kind}`,
  ruleIndex,
  level,
  message: { text: oneLine(message) },
  locations: placeOf(subject ?? 'run'),
  partialFingerprints: { clauseAndCheck: oneLine(`${kind} ${subject ?? ''}`) },
})

const placeOf = (name: string) => [{ logicalLocations: [{ fullyQualifiedName: oneLine(name), kind: 'function' }] }]
