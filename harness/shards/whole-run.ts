/** Whether files of results are the parts of one run, each there once; what is not is refused by its name. */
import type { Results } from '../../specs/meta/results.ts'
import { UsageError } from '../base/usage.ts'

/** The results of one part, and where they were read. */
export interface Part {
  place: string
  results: Results
}

/** Hours that the parts of one run may begin after one another. */
const APART = 24
const HOUR = 3_600_000

const named = ({ place, results: { scope } }: Part): string =>
  scope.shard === undefined ? place : `shard ${scope.shard.index}/${scope.shard.of} in ${place}`

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The addresses of a run. The port of an embedded server does not count: the system chose it. */
const urlsOf = ({ target, environment }: Results): string[] =>
  target.apis.map(({ url }) => (/ --embedded\b/.test(environment.command) ? 'embedded' : url))

const SAME: [what: string, of: (results: Results) => unknown][] = [
  ['version of the suite', ({ assay }) => assay],
  ['target', ({ target }) => target.name],
  ['address', urlsOf],
  ['dialect', ({ target }) => target.apis.map(({ api, dialect }) => `${api} ${dialect}`)],
  ['seed', ({ seed }) => seed],
  ['effort', ({ effort }) => effort],
  ['set of claimed engines', ({ scope }) => scope.claimed],
  ['selection of engines', ({ scope }) => scope.engines],
  ['selection', ({ scope, environment }) => [scope.part, environment.command.replace(/ --shard[ =]\S+/, '')]],
  ['--fail-on', ({ failOn }) => failOn],
  ['known deviations', ({ deviations }) => deviations.map(({ state: _, ...entry }) => entry)],
]

/**
 * Checks that results are all parts of one run.
 *
 * @throws UsageError that names what is missing, there twice, of another run, or configured differently.
 */
export const requireWhole = (parts: readonly Part[]): void => {
  const first = parts[0]
  if (first === undefined) throw new UsageError('nothing to merge: name the report folders of the shards')
  for (const part of parts)
    if (part.results.scope.shard === undefined)
      throw new UsageError(`${part.place} is not a shard: only results of --shard I/N can be merged`)
  const { of } = first.results.scope.shard!
  for (const part of parts) {
    if (part.results.scope.shard!.of !== of)
      throw new UsageError(
        `${named(part)} is of a run in ${part.results.scope.shard!.of} shards, and ${named(first)} of one in ${of}: leave one of them out`,
      )
    for (const [what, value] of SAME) {
      const [mine, theirs] = [shown(value(part.results)), shown(value(first.results))]
      if (mine !== theirs)
        throw new UsageError(`${named(part)} has another ${what} (${mine}) than ${named(first)} (${theirs}): merge shards of one run only`)
    }
    if (Math.abs(Date.parse(part.results.startedAt) - Date.parse(first.results.startedAt)) > APART * HOUR)
      throw new UsageError(`${named(part)} began more than ${APART} hours apart from ${named(first)}: it is of another run`)
  }
  for (let index = 1; index <= of; index += 1) {
    const mine = parts.filter(({ results }) => results.scope.shard!.index === index)
    if (mine.length === 0) throw new UsageError(`shard ${index}/${of} is missing: name its report folder too`)
    if (mine.length > 1)
      throw new UsageError(`shard ${index}/${of} is there ${mine.length} times: ${mine.map(({ place }) => place).join(', ')}`)
  }
}
