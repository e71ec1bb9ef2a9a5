/** One caller tries everything that can be tried on an entry: each verb and each spelling of a verb, with each carrier of tokens. */
import type { Answer, Bench, Caller, Expect, Identity } from '../../../harness/checks/index.ts'
import { namesIn, storedUnder, storeEntry } from '../fixtures.ts'

export const CARRIERS = ['token', 'bearer'] as const
type Carrier = (typeof CARRIERS)[number]

/** A directory with one entry, in a mount of its own. */
export interface Place {
  /** Alias of the mount. */
  mount: string
  namespace: string
  directory: string
  path: string
  value: string
}

export const placeIn = async (bench: Bench, mount: string, namespace = ''): Promise<Place> => {
  const directory = bench.fresh('dir')
  const { path, value } = await storeEntry(bench, { mount, path: { path: `${directory}/entry` } })
  return { mount, namespace, directory, path, value }
}

/** A caller who may do everything below the place's directory; `ttl` in seconds for one whose time ends. */
export const masterOf = (
  bench: Bench,
  { mount, namespace, directory }: Place,
  options: { ttl?: number; displayName?: string; like?: Identity } = {},
): Promise<Identity> =>
  bench.identity(
    [{ operation: 'kv1.read', mount, path: { path: `${directory}/*` }, capabilities: ['create', 'read', 'update', 'delete', 'list'] }],
    { namespace, ...options },
  )

/** What a caller may do is done, with each carrier; the place holds what it held. Whether both forms of a listing are there is not decided here. */
export const useEverywhere = async (bench: Bench, place: Place, as: Identity): Promise<void> => {
  for (const carrier of CARRIERS) {
    const entry = { mount: place.mount, path: { path: place.path }, as, carrier }
    await bench.given('kv1.read', entry)
    await bench.given('kv1.write', { ...entry, body: { value: place.value } })
    for (const method of ['LIST', 'GET']) await bench.call('kv1.list', { ...entry, path: { directory: `${place.directory}/` }, method })
  }
}

const NO_SUCH_METHOD = [405, 501]

type Kind = 'read' | 'list' | 'write' | 'delete'

/** The clauses of attempts by a caller without the capability that each kind needs. */
export const INCAPABLE: readonly [Kind, string][] = [
  ['read', 'CORE-CAP-01'],
  ['list', 'CORE-CAP-17'],
  ['write', 'CORE-CAP-04'],
  ['delete', 'CORE-CAP-18'],
]

/** An attempt: what it was, as a message names it, and the answer. */
export interface Attempt {
  kind: Kind
  label: string
  answer: Answer
}

/** Everything that a caller can try on a place, or what is of one kind; deletion comes last. */
export const attemptAll = async (bench: Bench, place: Place, as: Caller, carrier: Carrier, only?: Kind): Promise<Attempt[]> => {
  const { mount, directory, path } = place
  const entry = { mount, as, carrier, path: { path } }
  const fresh = { ...entry, path: { path: `${directory}/${bench.fresh('new')}` } }
  const list = { mount, as, carrier, path: { directory: `${directory}/` } }
  const body = { value: 'replaced' }
  const tries = [
    ['read', 'kv1.read', entry],
    ['list', 'kv1.list', { ...list, method: 'LIST' }],
    ['list', 'kv1.list', { ...list, method: 'GET' }],
    ['write', 'kv1.write', { ...entry, body }],
    ['write', 'kv1.write', { ...entry, body, method: 'PUT' }],
    ['write', 'kv1.write', { ...fresh, body }],
    ['write', 'kv1.write', { ...fresh, body, method: 'PUT' }],
    ['delete', 'kv1.delete', entry],
  ] as const
  // No row shows DELETE on a key: where nobody may, there is nothing to try.
  const absent = await bench.call('kv1.delete', { mount, path: { path: `${directory}/${bench.fresh('absent')}` } })
  const attempts: Attempt[] = []
  for (const [kind, operation, input] of tries) {
    if (kind !== (only ?? kind) || (kind === 'delete' && NO_SUCH_METHOD.includes(absent.status))) continue
    const method = 'method' in input ? ` by ${input.method}` : ''
    const label = `${kind}${method} with the ${carrier} header`
    attempts.push({ kind, label, answer: await bench.call(operation, input) })
  }
  return attempts
}

/** Asserts that a place holds what it held at first and nothing else. */
export const expectUntouched = async (bench: Bench, expect: Expect, { mount, directory, path, value }: Place): Promise<void> => {
  expect(await storedUnder(bench, path, { mount }), 'the entry afterwards').toBe(value)
  const listing = await bench.call('kv1.list', { mount, path: { directory: `${directory}/` } })
  expect(namesIn(listing), 'names in the directory afterwards').toEqual(['entry'])
}

/** Asserts that no answer shows the value, nor the name, of the place's entry. */
export const expectNothingShown = (expect: Expect, attempts: readonly Attempt[], { value }: Place): void => {
  for (const { answer, label } of attempts) {
    expect(answer.text, label).not.toContain(value)
    expect(answer.data.keys, `names shown: ${label}`).toBeUndefined()
  }
}
