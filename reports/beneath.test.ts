/** What stands beneath a violated clause, in every format. */
import { expect, test } from 'vitest'
import type { Results } from '../specs/meta/results.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { terminalSummary } from './summary.ts'
import { sampleResults } from './testing/sample-results.ts'
import { viewOf } from './view.ts'

/** The sample, in which one violated clause explains another, and a blocked one. */
const explained = (tolerated: boolean): { results: Results; cause: string; consequence: string; resting: string } => {
  const results = structuredClone(sampleResults())
  const [cause, consequence] = viewOf(results).violated.map(({ clause }) => clause.id) as [string, string]
  const blocked = results.checks.find(({ outcome }) => outcome === 'blocked')!
  const resting = blocked.clauses[0]!
  blocked.undecided = blocked.clauses.map((clause) => ({ clause, vote: 'blocked', causedBy: [cause] }))
  for (const clause of results.clauses) if (clause.id === consequence || blocked.clauses.includes(clause.id)) clause.causedBy = [cause]
  for (const { decisions } of results.checks)
    for (const one of decisions) {
      if (one.outcome !== 'violated') continue
      if (one.clause === consequence) one.causedBy = [cause]
      if (one.clause === cause && tolerated) one.deviation = 'a team has accepted it'
    }
  results.gateReasons = results.gateReasons.filter(({ subject }) => subject !== consequence && !(tolerated && subject === cause))
  return { results, cause, consequence, resting }
}

test('violations that follow and clauses that rest are listed beneath their cause, and counted apart', () => {
  const { results, cause, consequence, resting } = explained(false)
  const { violated, following, blocked } = viewOf(results)
  expect(following.map(({ clause }) => clause.id)).toEqual([consequence])
  expect(violated.map(({ clause }) => clause.id)).not.toContain(consequence)
  expect(blocked.map(({ reason }) => reason)).toContain(`rests on ${cause}`)
  for (const text of [terminalSummary(results, { width: 400 }), renderMarkdown(results).replaceAll('&#58;', ':')]) {
    expect(text).toContain(`1 violation follows from ${cause}: ${consequence}`)
    expect(text).toMatch(new RegExp(`clauses? rests? on ${cause}: ${resting}`))
  }
})

test('in JUnit what follows from a violation is a failure that says so first, and is skipped where the cause is tolerated', () => {
  const { results, cause, consequence } = explained(false)
  expect(renderJunit(results)).toContain(`<failure message="follows from ${cause}; ${consequence}: `)
  expect(renderJunit(results)).toContain(`<skipped message="rests on ${cause}; blocked: `)
  const mixed = results.checks.find(({ decisions }) => decisions.some(({ clause }) => clause === consequence))!
  const own = { ...mixed.decisions.find(({ clause }) => clause === consequence)!, clause: cause }
  delete own.causedBy
  mixed.decisions.push(own)
  expect(renderJunit(results), 'a check that fails by itself too').toContain(`<failure message="${cause}: `)
  const tolerated = renderJunit(explained(true).results)
  expect(tolerated).toContain(`<skipped message="follows from ${cause}, which known deviations cover"`)
})
