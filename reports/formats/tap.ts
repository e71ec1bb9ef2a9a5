/** TAP 14: one test point per check, and one per reason of the gate that no check shows. */
import type { Results } from '../../specs/meta/results.ts'
import { leadOf } from '../lead.ts'
import { reasonsApart, standingIn, toleratedFor } from '../standing.ts'
import { oneLine } from '../text.ts'

const escaped = (text: string): string => oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')

/** A YAML block; JSON is YAML. */
const block = (facts: Record<string, string | undefined>): string[] => [
  '  ---',
  ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${JSON.stringify(oneLine(value))}`])),
  '  ...',
]

/** Renders the test points; what a known deviation covers is a TODO, what did not run is skipped. */
export const renderTap = (results: Results): string => {
  const standing = standingIn(results)
  const points = results.checks.map((check, at) => {
    const name = `${at + 1} - ${escaped(`${check.id}: ${check.title}`)}`
    const how = standing(check)
    if (how === 'open') return [`ok ${name} # SKIP ${escaped([check.reason, check.remedy].filter(Boolean).join('; ') || check.outcome)}`]
    if (how === 'tolerated') return [`not ok ${name} # TODO ${escaped(toleratedFor(check))}`]
    if (how === 'holds') return [`ok ${name}`]
    const violated = check.decisions.find(({ outcome }) => outcome === 'violated')
    return [
      `not ok ${name}`,
      ...block({ clause: violated?.clause, message: leadOf(violated, check.reason ?? check.outcome), again: check.rerun }),
    ]
  })
  const reasons = reasonsApart(results).map(({ kind, subject, message }, at) => [
    `not ok ${points.length + at + 1} - ${escaped(['gate', kind, subject].filter(Boolean).join(' '))}`,
    ...block({ message }),
  ])
  const all = [...points, ...reasons]
  return `${['TAP version 14', `1..${all.length}`, ...all.flat()].join('\n')}\n`
}
