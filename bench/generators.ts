/** Instances per second of the generators, and whether each instance is what it should be. */
import fc, { type Arbitrary } from 'fast-check'
import type { Json } from '../harness/base/json.ts'
import { invalidInstances } from '../harness/contract/generate/invalid.ts'
import { isValid } from '../harness/contract/generate/judge.ts'
import { plain } from '../harness/contract/generate/merge.ts'
import { validInstances } from '../harness/contract/generate/valid.ts'
import { loadContract } from '../harness/contract/load.ts'

const perSchema = Number(process.argv[2] ?? 10_000)
const BATCH = 500

interface Tally {
  instances: number
  wrong: number
  seconds: number
}

const measure = (arbitrary: Arbitrary<Json>, isRight: (value: Json) => boolean, tally: Tally): void => {
  for (let done = 0; done < perSchema; done += BATCH) {
    const begun = performance.now()
    const values = fc.sample(arbitrary, { numRuns: Math.min(BATCH, perSchema - done), seed: done + 1 })
    tally.seconds += (performance.now() - begun) / 1000
    tally.instances += values.length
    tally.wrong += values.filter((value) => !isRight(value)).length
  }
}

const { operations } = await loadContract()
const schemas = [...new Set([...operations.values()].flatMap(({ request }) => (request === undefined ? [] : [request.schema])))]
const valid: Tally = { instances: 0, wrong: 0, seconds: 0 }
const invalid: Tally = { instances: 0, wrong: 0, seconds: 0 }
for (const schema of schemas) {
  const judge = plain(schema)
  measure(validInstances(schema), (value) => isValid(judge, value), valid)
  const broken = invalidInstances(schema)
  if (broken !== undefined) measure(broken, (value) => !isValid(judge, value), invalid)
}

const summary = ({ instances, wrong, seconds }: Tally) => ({ instances, wrong, perSecond: Math.round(instances / seconds) })
console.log(
  JSON.stringify({
    schemas: schemas.length,
    perSchema,
    valid: summary(valid),
    invalid: summary(invalid),
    peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
)
