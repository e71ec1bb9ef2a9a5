/** SARIF 2.1.0: one rule per clause that does not hold, one result per failing check, for code-scanning views. */
import type { ClauseResult, Results } from '../specs/meta/results.ts'
import { oneLine } from './text.ts'
import { type Finding, viewOf } from './view.ts'

/** Renders violated and warned clauses; known deviations are present but suppressed. */
export const renderSarif = (results: Results): string => {
  const view = viewOf(results)
  const findings = [...view.violated, ...view.known, ...view.warned]
  const run = {
    tool: { driver: { name: 'assay', semanticVersion: results.assay, rules: findings.map(({ clause }) => rule(clause)) } },
    invocations: [
      {
        commandLine: oneLine(results.environment.command),
        startTimeUtc: results.startedAt,
        endTimeUtc: results.finishedAt,
        executionSuccessful: results.gate !== 'errored',
      },
    ],
    results: findings.flatMap((finding, ruleIndex) => finding.failures.map((_, failure) => result(finding, failure, ruleIndex))),
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`
}

const rule = (clause: ClauseResult) => ({
  id: oneLine(clause.id),
  shortDescription: { text: oneLine(clause.text) },
  help: { text: oneLine(`${clause.source.document}, section ${clause.source.section}. ${clause.reading ?? ''}`) },
  defaultConfiguration: { level: levelOf(clause) },
})

const result = ({ clause, failures, deviation }: Finding, failure: number, ruleIndex: number) => {
  const { check, decision } = failures[failure]!
  const seen = decision?.seen === undefined ? '' : ` Expected ${decision.expected ?? 'otherwise'}; seen ${decision.seen}.`
  return {
    ruleId: oneLine(clause.id),
    ruleIndex,
    level: levelOf(clause),
    message: { text: oneLine(`${decision?.message ?? check.reason ?? clause.text}.${seen} Run again: ${check.rerun}`) },
    locations: [{ logicalLocations: [{ fullyQualifiedName: oneLine(check.id), kind: 'function' }] }],
    partialFingerprints: { clauseAndCheck: oneLine(`${clause.id} ${check.id}`) },
    ...(deviation === undefined ? {} : { suppressions: [{ kind: 'external', justification: oneLine(deviation) }] }),
  }
}

const levelOf = (clause: ClauseResult): 'error' | 'warning' => (clause.outcome === 'violated' ? 'error' : 'warning')
