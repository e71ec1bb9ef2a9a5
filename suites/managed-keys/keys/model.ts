/** What a random program does with two names in two namespaces, and with a mount that may list one of them. */
import { type Answer, type Bench, type CheckContext, commandsOf, fc, type Model } from '../../../harness/checks/index.ts'
import { administrativeOf, comparableKey, fieldsOf, goodBody, isTrue, namesOf, READABLE, removeLater, writeOf } from '../fixtures.ts'

/** The mount whose list a program changes; it is in the root. */
const MOUNT = 'own'
const PLACES = 4

export interface World {
  /** Two names in the root, then the same two in the administrative namespace. */
  places: { name: string; where: { namespace?: string } }[]
}

export interface State {
  /** By place: the kind by its number and the flags that were written last; null for an absent key. */
  keys: ({ kind: number; flags: number } | null)[]
  /** The place whose key the mount lists; null where it lists none. */
  listed: number | null
}

const flagsOf = (flags: number) => ({ any_mount: String((flags & 1) === 1), allow_store_key: String((flags & 2) === 2) })

const on = commandsOf<State, World>()
const ofPlace = { place: fc.nat(PLACES - 1), kind: fc.nat(READABLE.length - 1) }
const withKey = (state: State, at: number, key: State['keys'][number]): State => ({
  ...state,
  keys: state.keys.map((had, index) => (index === at ? key : had)),
})
const isOther = (key: State['keys'][number], kind: number): boolean => key !== null && key.kind !== kind

export const commands: Model<State, World>['commands'] = {
  write: on({
    arguments: fc.record({ ...ofPlace, flags: fc.nat(3) }),
    weight: 4,
    run: (bench, { place, kind, flags }, { places }) => {
      const { name, where } = places[place]!
      return bench.call(writeOf(READABLE[kind]!), {
        ...where,
        path: { name },
        body: { ...goodBody(bench, READABLE[kind]!), ...flagsOf(flags) },
      })
    },
    expects: (state, { place, kind }, seen: Answer, expect) =>
      isOther(state.keys[place]!, kind) ? expect(seen, 'a name that a key of another kind has').toBeRefused() : expect(seen).toSucceed(),
    next: (state, { place, kind, flags }) => (isOther(state.keys[place]!, kind) ? state : withKey(state, place, { kind, flags })),
  }),
  remove: on({
    arguments: fc.record(ofPlace),
    weight: 2,
    run: (bench, { place, kind }, { places }) => {
      const { name, where } = places[place]!
      return bench.call('managedKeys.delete', { ...where, path: { type: READABLE[kind]!, name } })
    },
    expects(state, { place, kind }, seen: Answer, expect) {
      if (state.keys[place]?.kind !== kind) return
      if (state.listed === place) expect(seen, 'the deletion of a key that a mount lists').toBeRefused()
      else expect(seen).toSucceed()
    },
    next: (state, { place, kind }) => (state.keys[place]?.kind !== kind || state.listed === place ? state : withKey(state, place, null)),
  }),
  // Only what is there: whether a mount may list what is not is open.
  list: on({
    arguments: fc.record({ place: fc.nat(1) }),
    resolve: (state, drawn) => (state.keys[drawn.place] === null ? undefined : drawn),
    run: (bench, { place }, { places }) => bench.tune(MOUNT, { allowedManagedKeys: [places[place]!.name] }),
    expects: () => {},
    next: (state, { place }) => ({ ...state, listed: place }),
  }),
  unlist: on({
    arguments: fc.constant(null),
    run: (bench) => bench.tune(MOUNT, { allowedManagedKeys: [] }),
    expects: () => {},
    next: (state) => ({ ...state, listed: null }),
  }),
}

export const worldFor = async (bench: Bench): Promise<World> => {
  const namespace = administrativeOf(bench)
  const names = [bench.fresh('key'), bench.fresh('key')]
  const places = [{}, { namespace }].flatMap((where) => names.map((name) => ({ name, where })))
  for (const { name, where } of places) for (const kind of READABLE) removeLater(bench, kind, name, where)
  await bench.tune(MOUNT, { allowedManagedKeys: [] })
  bench.defer(() => bench.tune(MOUNT, { allowedManagedKeys: [] }))
  return { places }
}

/** Every name read under every kind, and every listing, held against the state as a whole. */
export const holds = async ({ bench, expect }: CheckContext, { keys }: State, { places }: World): Promise<void> => {
  for (const [number, kind] of READABLE.entries()) {
    for (const [at, { name, where }] of places.entries()) {
      const read = await bench.call('managedKeys.read', { ...where, path: { type: kind, name } })
      const key = keys[at]
      if (key?.kind !== number) {
        expect(read, `place ${at} under kind ${kind}`).toHaveStatus(404)
        continue
      }
      const fields = comparableKey(fieldsOf(read))
      const seen = [fields.name ?? '', fields.type ?? '', isTrue(fields.any_mount), isTrue(fields.allow_store_key)]
      const { any_mount, allow_store_key } = flagsOf(key.flags)
      expect(seen, `place ${at}`).toEqual([name, kind, isTrue(any_mount), isTrue(allow_store_key)])
    }
    for (const half of [0, 2]) {
      const own = places.slice(half, half + 2)
      const listed = await bench.call('managedKeys.list', { ...own[0]!.where, path: { type: kind } })
      const wanted = own.filter((_place, index) => keys[half + index]?.kind === number).map(({ name }) => name)
      const names = namesOf(listed).filter((one) => own.some(({ name }) => name === one))
      expect(names.sort(), `the listing of kind ${kind}`).toEqual(wanted.sort())
    }
  }
}
