/** Prometheus text, for a node exporter's folder or a push gateway: what a dashboard of nightly runs draws. */
import type { Results, Verdict } from '../../specs/meta/results.ts'
import { oneLine } from '../text.ts'
import { CLAUSE_OUTCOMES } from '../words.ts'

const VERDICTS: Verdict[] = ['conformant', 'nonConformant', 'incomplete', 'partial', 'notClaimed']
const GATES: Results['gate'][] = ['passed', 'failed', 'incomplete', 'errored']

type Labels = Record<string, string>

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${oneLine(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
    .join(',')

const metric = (name: string, help: string, samples: [labels: Labels, value: number][]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  ...samples.map(([labels, value]) => `${name}{${labelsText(labels)}} ${value}`),
]

const deviationSamples = ({ target: { name }, deviations }: Results): [Labels, number][] =>
  [...new Set(deviations.map(({ state }) => state))].map((state) => [
    { target: name, state },
    deviations.filter((one) => one.state === state).length,
  ])

/** Renders gauges of one run. */
export const renderPrometheus = (results: Results): string => {
  const target = { target: results.target.name }
  const { stats, engines } = results
  return `${[
    ...metric(
      'assay_verdict',
      '1 for the verdict of the run.',
      VERDICTS.map((verdict) => [{ ...target, verdict }, Number(verdict === results.verdict)]),
    ),
    ...metric(
      'assay_gate',
      '1 for what the gate says, known deviations aside.',
      GATES.map((gate) => [{ ...target, gate }, Number(gate === results.gate)]),
    ),
    ...metric(
      'assay_clauses',
      'Clauses by engine and outcome.',
      engines.flatMap(({ id, clauses }) =>
        CLAUSE_OUTCOMES.map((outcome): [Labels, number] => [{ ...target, engine: id, outcome }, clauses[outcome]]),
      ),
    ),
    ...metric('assay_requests', 'Requests that the run sent.', [[target, stats.requests]]),
    ...metric('assay_duration_seconds', 'How long the run took.', [[target, stats.durationMs / 1000]]),
    ...metric('assay_deviations', 'Known deviations by state.', deviationSamples(results)),
    ...metric('assay_last_run_timestamp_seconds', 'When the run ended.', [[target, Math.floor(Date.parse(results.finishedAt) / 1000)]]),
  ].join('\n')}\n`
}
