/** Every form in which the checks of a run can be read: not paged and paged, with and without related resources, listed and shown. */
import type { Bench, Caller, JsonObject } from '../../harness/checks/index.ts'
import { itemsOf, list, show } from './fixtures.ts'

type Query = Record<string, string>

/** Items of a page whose size is not asked for. */
const DEFAULT_SIZE = 20

/** What `include` may ask for, nothing first. */
export const INCLUDES: readonly Query[] = [{}, { include: 'run' }, { include: 'run.workspace' }]

/** The query of one page. */
export const page = (number: number | string, size?: number | string): Query => ({
  'page[number]': String(number),
  ...(size === undefined ? {} : { 'page[size]': String(size) }),
})

/** The queries of all pages of so many checks. */
export const pagesFor = (count: number, size?: number): Query[] =>
  Array.from({ length: Math.max(1, Math.ceil(count / (size ?? DEFAULT_SIZE))) }, (_, at) => page(at + 1, size))

/** Ways of reading a list of so many checks to its end, as the queries that it takes. */
const waysThrough = (count: number): Record<string, Query[]> => ({
  whole: [{}],
  'by number': pagesFor(count),
  'by size': [{ 'page[size]': String(Math.max(count, DEFAULT_SIZE)) }],
  'in pages of two': pagesFor(count, 2),
})

const named = (way: string, { include }: Query): string => (include === undefined ? way : `${way} with ${include}`)

/** The items of a run's list in every form, by form; `count` is how many checks the run has, 20 at most. */
export const listings = async (bench: Bench, run: string, count: number, as: Caller = 'root'): Promise<Record<string, JsonObject[]>> => {
  const seen: Record<string, JsonObject[]> = {}
  for (const [way, queries] of Object.entries(waysThrough(count))) {
    for (const include of INCLUDES) {
      const items: JsonObject[] = []
      for (const query of queries) items.push(...itemsOf(await list(bench, run, { ...query, ...include }, as)))
      seen[named(way, include)] = items
    }
  }
  return seen
}

/** One check as it is shown, in every form, by form. */
export const showings = async (bench: Bench, id: string, as: Caller = 'root'): Promise<Record<string, JsonObject>> => {
  const seen: Record<string, JsonObject> = {}
  for (const include of INCLUDES) seen[named('shown', include)] = (await show(bench, id, { as, ...include })).data
  return seen
}

/** The same value under every key of a reading: what each form is to say. */
export const inEach = <T>(seen: Record<string, unknown>, value: T): Record<string, T> =>
  Object.fromEntries(Object.keys(seen).map((form) => [form, value]))

export const mapped = <T, U>(seen: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(seen).map(([form, value]) => [form, change(value)]))
