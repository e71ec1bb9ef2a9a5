/** Contract checks that need no line per engine: each operation with a body and a sample gets generated valid and invalid requests. */
import fc, { type Arbitrary } from 'fast-check'
import { AssertionFailure, Blocked, LostAnswer } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { cut } from '../base/text.ts'
import { type InvalidCase, places } from '../contract/generate/invalid.ts'
import { rawBodies } from '../contract/generate/raw.ts'
import { at, schemaOf, stepsOf } from '../contract/generate/schema.ts'
import { variations } from '../contract/generate/vary.ts'
import type { Answer, CallInput } from '../target/exchange.ts'
import type { OperationFacts } from './sweep.ts'
import type { Bench, CheckContext, RunnableCheck, Sample } from './vocabulary.ts'

type Schema = NonNullable<OperationFacts['requestSchema']>

/** The clause that a place is graded under; the root's own is the sweep's that sends arrays and texts. */
const clauseOf = (operation: OperationFacts, { clause, pointer }: InvalidCase): string | undefined =>
  clause ?? (pointer === '' ? undefined : operation.badInput?.refused)

const grouped = (operation: OperationFacts, schema: Schema): Map<string, InvalidCase[]> => {
  const groups = new Map<string, InvalidCase[]>()
  for (const place of places(schema)) {
    const clause = place.grade === 'refusable' ? clauseOf(operation, place) : undefined
    if (clause !== undefined) groups.set(clause, [...(groups.get(clause) ?? []), place])
  }
  return groups
}

/** One run over an operation: keeps what was seen until the plain request has shown that it works. */
class Trial {
  readonly #context: CheckContext
  readonly #operation: OperationFacts
  readonly #sample: Sample
  readonly failures = new Map<string, AssertionFailure>()
  readonly shown = new Set<string>()
  /** Answers of 500 and above to input that is plainly bad. */
  /** Bad requests that were answered with 500 or above. */
  readonly broken: { what: string; answer: Answer }[] = []
  sent = 0
  #input: CallInput = {}

  constructor(context: CheckContext, operation: OperationFacts, sample: Sample) {
    this.#context = context
    this.#operation = operation
    this.#sample = sample
  }

  get body(): Json {
    return this.#input.body ?? {}
  }

  async renew(): Promise<void> {
    this.#input = await this.#sample.input(this.#context.bench)
  }

  async state(): Promise<unknown> {
    return this.#sample.state?.(this.#context.bench, this.#input)
  }

  async send(change: Partial<CallInput>, what: string, isBad: boolean): Promise<Answer> {
    const { body: _replaced, ...rest } = this.#input
    this.sent += 1
    const answer = await this.#context.bench.call(this.#operation.id, { ...rest, ...change })
    if (isBad && answer.status >= 500) this.broken.push({ what: `${what}: ${answer.status}`, answer })
    return answer
  }

  draw<T>(values: Arbitrary<T>): T {
    return fc.sample(values, { numRuns: 1, seed: this.#context.bench.random.seed() })[0]!
  }

  /** Whether a member means something in this kind of object, as far as the schema says. */
  #applies(pointer: string): boolean {
    const [name = ''] = stepsOf(pointer)
    const within = Object.entries(schemaOf(schemaOf(this.#operation.requestSchema).properties?.[name])['x-applies'] ?? {})
    return within.every(([beside, values]) => values.some((value) => value === at(this.body, [beside])))
  }

  // A member is graded only where it applies to this kind of object; a set, where the sample uses it.
  invalidBody(place: InvalidCase): Json | undefined {
    if (!this.#applies(place.pointer)) return undefined
    if (place.keyword === 'enum' && at(this.body, stepsOf(place.pointer)) === undefined) return undefined
    const bodies = place.invalidate(this.body)
    return bodies === undefined ? undefined : this.draw(bodies)
  }

  /** Sends a body that must be refused and changes nothing. */
  async refused(clause: string, place: InvalidCase): Promise<void> {
    const body = this.invalidBody(place)
    if (body === undefined) return
    this.shown.add(clause)
    const { expect } = this.#context
    const before = await this.state()
    const what = `${place.pointer || 'the body'} ${place.keyword === 'required' ? 'left out' : `made invalid (${place.what})`} in ${cut(JSON.stringify(body))}`
    const answer = await this.send({ body, invalid: true }, what, true)
    try {
      expect(answer, what).toBeRefused()
      expect(await this.state(), `state after the refusal of ${what}`).toEqual(before)
    } catch (error) {
      if (!(error instanceof AssertionFailure)) throw error
      if (!this.failures.has(clause)) this.failures.set(clause, error)
      await this.renew()
    }
  }
}

/** What could be taken for something else is sent for one reason: it must not break the server. */
const openLane = async (trial: Trial, context: CheckContext, schema: Schema): Promise<void> => {
  const { bench } = context
  const open = bench.random.shuffle(places(schema).filter((place) => place.grade === 'coercible'))
  for (const place of open.slice(0, bench.effort(3, 10))) {
    const body = trial.invalidBody(place)
    if (body !== undefined) await trial.send({ body, invalid: true }, `${place.pointer || 'the body'} made invalid (${place.what})`, true)
  }
  for (const { name, bytes, contentType } of bench.few(rawBodies(trial.body), 6)) {
    try {
      await trial.send(
        { rawBody: bytes, ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }) },
        `a body that is ${name}`,
        true,
      )
    } catch (error) {
      // A connection that is closed on such a body is a refusal too.
      if (!(error instanceof LostAnswer)) throw error
    }
  }
}

/** Valid requests beside the sample: which of them a server accepts depends on more than the schema, so that is counted, not judged. */
const validLane = async (trial: Trial, context: CheckContext, schema: Schema, usesBackends: boolean): Promise<void> => {
  const { bench } = context
  const count = usesBackends ? bench.effort(1, 2) : bench.effort(2, 5)
  for (let index = 0; index < count; index += 1) {
    await trial.renew()
    const bodies = variations(schema, trial.body)
    if (bodies === undefined) return
    const answer = await trial.send({ body: trial.draw(bodies) }, 'a valid request', false)
    bench.count('generated valid requests')
    if (answer.ok) bench.count('generated valid requests accepted')
  }
}

const judge = async (trial: Trial, { bench, expect }: CheckContext, clauses: string[]): Promise<void> => {
  for (const clause of clauses) {
    const failure = trial.failures.get(clause)
    if (!trial.shown.has(clause)) bench.observe(clause, 'the sample has no place where this could be made invalid')
    else {
      await bench.decide(clause, () => {
        if (failure !== undefined) throw failure
        expect(trial.shown.has(clause), 'invalid requests were refused').toBe(true)
      })
    }
  }
}

/** One operation that a target does not serve must not leave the clauses of the whole API undecided. */
const unproven = (bench: Bench, operation: OperationFacts, groups: Map<string, unknown>, status: number): never => {
  const reason = `the plain request of ${operation.id} is refused too (${status}): its refusals prove nothing`
  const { refused, failed } = operation.badInput ?? {}
  if (refused !== undefined && groups.has(refused)) bench.observe(refused, reason)
  if (failed !== undefined) bench.observe(failed, reason)
  throw new Blocked(reason, 'see why the plain request fails', { refused: { operation: operation.id, status } })
}

const run = async (context: CheckContext, operation: OperationFacts, schema: Schema, sample: Sample): Promise<void> => {
  const { bench, expect } = context
  const trial = new Trial(context, operation, sample)
  const groups = grouped(operation, schema)
  const failed = operation.badInput?.failed
  const usesBackends = (sample.needs?.backends ?? []).length > 0
  await trial.renew()
  const all = [...groups].flatMap(([clause, list]) => list.map((place) => ({ clause, place })))
  // Each place once, then some again with other values.
  const again = all.length === 0 ? [] : Array.from({ length: bench.effort(0, 5) }, () => bench.random.pick(all))
  for (const { clause, place } of [...all, ...again]) await trial.refused(clause, place)
  const control = await trial.send({ body: trial.body }, 'the plain request', false)
  if (!control.ok) return unproven(bench, operation, groups, control.status)
  // Behind a backend a strange value may fail for the backend's reasons.
  if (failed !== undefined && !usesBackends) await openLane(trial, context, schema)
  await validLane(trial, context, schema, usesBackends)
  await judge(
    trial,
    context,
    [...groups.keys()].filter((clause) => clause !== failed),
  )
  const [first] = trial.broken
  const broken = trial.broken.map(({ what }) => what)
  if (failed !== undefined)
    await bench.decide(failed, () => {
      // Named by its answer, so that the request is shown that had it.
      if (first !== undefined) expect(first.answer, `bad requests answered with 500 or above: ${broken.join('; ')}`).toBeRefused()
      expect(broken, 'bad requests answered with 500 or above').toEqual([])
    })
  bench.count('generated requests', trial.sent)
}

/**
 * One check per operation with a request schema and a sample, `<engine>/generated/<operationId>`: bodies made invalid at every place that no server can coerce are refused and change nothing,
 * the plain request works afterwards, other strange bodies do not break the server, and valid variations are counted. A sample opts out by `excluded.generated`, a schema
 * node by `x-generate: false`.
 *
 * @param samples of the engines that are tested.
 * @param factsOf facts of an operation by id.
 */
export const generatedChecks = (samples: readonly Sample[], factsOf: (operation: string) => OperationFacts): RunnableCheck[] =>
  samples.flatMap((sample) => {
    const operation = factsOf(sample.operation)
    const { requestSchema: schema } = operation
    if (schema === undefined || sample.excluded?.generated !== undefined || sample.needs?.allow !== undefined) return []
    const clauses = new Set(grouped(operation, schema).keys())
    if (operation.badInput !== undefined) clauses.add(operation.badInput.failed)
    if (clauses.size === 0) return []
    return [
      {
        id: `${operation.engine}/generated/${operation.id}`,
        engine: operation.engine,
        clauses: [...clauses],
        title: `${operation.id}: invalid requests are refused and change nothing`,
        kind: 'property' as const,
        needs: sample.needs ?? {},
        deadline: 240_000,
        operation: operation.id,
        body: (context) => run(context, operation, schema, sample),
      },
    ]
  })
