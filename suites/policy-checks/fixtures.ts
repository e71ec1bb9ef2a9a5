/** Words that the checks of policy checks share. */
import {
  type Answer,
  asObject,
  type Bench,
  type Caller,
  comesToHold,
  type Json,
  type JsonObject,
  textsIn,
} from '../../harness/checks/index.ts'

export const asArray = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(asObject) : [])

/** A policy check that the provisioner made. */
export interface CheckFixture {
  id: string
  run: string
  workspace: string | undefined
}

const text = (bench: Bench, purpose: string, fixture: JsonObject, key: string): string => {
  const value = fixture[key]
  if (typeof value !== 'string') bench.blocked(`the fixture ${purpose} has no ${key}`, 'see specs/run-management/fixtures.yaml')
  return value as string
}

/** A policy check in a given state, e.g. `soft-failed-check`. */
export const aCheck = async (bench: Bench, purpose: string): Promise<CheckFixture> => {
  const fixture = await bench.fixture(purpose)
  return {
    id: text(bench, purpose, fixture, 'id'),
    run: text(bench, purpose, fixture, 'run'),
    workspace: typeof fixture.workspace === 'string' ? fixture.workspace : undefined,
  }
}

/** Blocks where a check was overridden when it was given. */
export const unlessOverridden = async (bench: Bench, purpose: string, id: string): Promise<void> => {
  const { data } = await bench.given('policyChecks.show', { path: { id } })
  if (statusOf(data) === 'overridden')
    bench.blocked(`the fixture ${purpose} is overridden already`, 'each need takes one: list many, or use the command provisioner')
}

/** A soft-failed policy check that may be overridden; one that was given before, and overridden, blocks. */
export const softFailed = async (bench: Bench, purpose: string): Promise<CheckFixture> => {
  const fixture = await aCheck(bench, purpose)
  await unlessOverridden(bench, purpose, fixture.id)
  return fixture
}

/** A run with the ids of its policy checks: `run`, `run-to-override`, `large-run` or `empty-run`. */
export const aRun = async (bench: Bench, purpose: string): Promise<{ id: string; checks: string[]; workspace: string | undefined }> => {
  const fixture = await bench.fixture(purpose)
  if (!Array.isArray(fixture.checks) && purpose !== 'empty-run') {
    bench.blocked(`the fixture ${purpose} does not list its checks`, 'see specs/run-management/fixtures.yaml')
  }
  const checks = textsIn(fixture.checks)
  return {
    id: text(bench, purpose, fixture, 'id'),
    checks,
    workspace: typeof fixture.workspace === 'string' ? fixture.workspace : undefined,
  }
}

export const show = (bench: Bench, id: string, options: { as?: Caller; include?: string } = {}): Promise<Answer> =>
  bench.call('policyChecks.show', {
    path: { id },
    as: options.as ?? 'root',
    ...(options.include === undefined ? {} : { query: { include: options.include } }),
  })

export const list = (bench: Bench, run: string, query: Record<string, string> = {}, as: Caller = 'root'): Promise<Answer> =>
  bench.call('policyChecks.list', { path: { run_id: run }, query, as })

export const override = (bench: Bench, id: string, as: Caller = 'root'): Promise<Answer> =>
  bench.call('policyChecks.override', { path: { id }, as })

export const itemsOf = (answer: Answer): JsonObject[] => asArray(asObject(answer.body).data)
export const idsOf = (answer: Answer): string[] => itemsOf(answer).map(({ id }) => String(id))
export const includedOf = (answer: Answer): JsonObject[] => asArray(asObject(answer.body).included)

export const attributesOf = (resource: JsonObject): JsonObject => asObject(resource.attributes)
export const statusOf = (resource: JsonObject): Json | undefined => attributesOf(resource).status
/** The keys that the document names. A server may show others, with any values. */
export const TIMESTAMPS = ['queued-at', 'soft-failed-at', 'overridden-at']

/** ISO 8601 in the form that Date knows: it also allows a comma before the fraction and an offset of hours alone. */
const plainTime = (time: string): string =>
  time.replace(',', '.').replace(/([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)

/** Milliseconds of a timestamp; undefined where there is none that can be read. */
export const timeOf = (resource: JsonObject, key: string): number | undefined => {
  const value = asObject(attributesOf(resource)['status-timestamps'])[key]
  const time = typeof value === 'string' ? Date.parse(plainTime(value)) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/**
 * The times alone, to the second in UTC: one time may come in several offsets and digits. A null, which has a clause of its own, is left out; what cannot be
 * read as a time is left as it is.
 */
export const timestampsOf = (resource: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(asObject(attributesOf(resource)['status-timestamps']))
      .filter(([key, value]) => TIMESTAMPS.includes(key) && value !== null)
      .map(([key, value]) => {
        const time = timeOf(resource, key)
        return [key, time === undefined ? value : new Date(Math.floor(time / 1000) * 1000).toISOString()]
      }),
  )

/** The members of `result` that the document names, without the engine details, whose content may change. */
export const COUNTS = ['passed', 'total-failed', 'hard-failed', 'soft-failed', 'advisory-failed', 'duration-ms']

/** What the document names of a policy check: a server may show more, and that may change from one reading to the next. */
export const documented = (resource: JsonObject): JsonObject => {
  const { result, scope, status, actions, permissions } = attributesOf(resource)
  const counts = Object.fromEntries(['result', ...COUNTS].map((name) => [name, asObject(result)[name] ?? null]))
  return {
    id: resource.id ?? null,
    type: resource.type ?? null,
    scope: scope ?? null,
    status: status ?? null,
    counts,
    timestamps: timestampsOf(resource),
    isOverridable: asObject(actions)['is-overridable'] ?? null,
    canOverride: asObject(permissions)['can-override'] ?? null,
    run: relatedId(resource, 'run') ?? null,
    output: asObject(resource.links).output ?? null,
  }
}

/** The id that a relationship points to. */
export const relatedId = (resource: JsonObject, name: string): Json | undefined =>
  asObject(asObject(asObject(resource.relationships)[name]).data).id

/** An id of the same shape that nobody has. */
export const otherId = (bench: Bench, id: string): string => {
  const cut = id.lastIndexOf('-') + 1
  return id.slice(0, cut) + bench.random.word(Math.max(16, id.length - cut))
}

/** What an override changes: status and timestamps. */
export const progressOf = (resource: JsonObject): JsonObject => ({ status: statusOf(resource) ?? null, timestamps: timestampsOf(resource) })

/** What nobody's action may change of a check but its own override: whether it is overridable is open. */
const lastingOf = (resource: JsonObject): JsonObject => {
  const { isOverridable: _is, canOverride: _can, ...lasting } = documented(resource)
  return lasting
}

/** What the document names of a check of a run, by route and id: the list, pages of two, and each check shown. */
export const wholeRun = async (bench: Bench, run: string, checks: readonly string[]): Promise<Record<string, JsonObject>> => {
  const seen: Record<string, JsonObject> = {}
  const note = (route: string, items: readonly JsonObject[]): void => {
    for (const item of items) seen[`${route} ${String(item.id)}`] = lastingOf(item)
  }
  note('list', itemsOf(await list(bench, run)))
  for (let number = 1; number <= Math.ceil(checks.length / 2); number += 1) {
    note('page', itemsOf(await list(bench, run, { 'page[number]': String(number), 'page[size]': '2' })))
  }
  for (const id of checks) note('show', [(await show(bench, id)).data])
  return seen
}

/** What a refused override must not change. */
export const stateOf = async (bench: Bench, id: string): Promise<Json> => {
  const { data, status } = await show(bench, id)
  return { answered: status, ...progressOf(data) }
}

/** Overrides a check as set-up, and waits until it shows that: nothing says that it does at once. */
export const overrideFirst = async (bench: Bench, id: string): Promise<void> => {
  await bench.given('policyChecks.override', { path: { id } })
  await comesToHold(bench, async () => statusOf((await show(bench, id)).data) === 'overridden')
}
