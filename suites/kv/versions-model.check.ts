import { type Answer, check, commandsOf, fc, model } from '../../harness/checks/index.ts'
import { onVersions, store, storeVersion, VERSION_2 } from './entries.ts'

type State = 'live' | 'deleted' | 'destroyed'
interface World {
  path: string
  /** The value of each write, by its place in the order. */
  value(index: number): string
}
interface History {
  /** Number of the version and its state, in the order of the writes. */
  versions: { number: number; state: State }[]
}

const on = commandsOf<History, World>()

const ROUTES = { delete: 'deleted', undelete: 'live', destroy: 'destroyed' } as const

const after = (state: State, route: keyof typeof ROUTES): State => (state === 'destroyed' ? 'destroyed' : ROUTES[route])

/** A version route on one of the versions written so far. */
const change = (route: keyof typeof ROUTES) =>
  on<{ index: number }, null>({
    arguments: fc.record({ index: fc.nat(3) }),
    resolve: ({ versions }, { index }) => (versions.length === 0 ? undefined : { index: index % versions.length }),
    async run(bench, { index }, { path }) {
      await onVersions(bench, route, path, [index + 1])
      return null
    },
    expects: (_history, _input, seen, expect) => expect(seen).toBeNull(),
    next: ({ versions }, { index }) => ({
      versions: versions.map((version, place) => (place === index ? { ...version, state: after(version.state, route) } : version)),
    }),
  })

model<History, World>(
  'kv/versions-model',
  'KV-V2-29',
  'each version is as its own last operation left it',
  {},
  {
    async world(bench) {
      const [path, mark] = [bench.fresh('key'), bench.random.word(12)]
      // A server that numbers versions otherwise is not asked here: the other checks follow the numbers that it tells.
      const first = await storeVersion(bench, path, { value: `${mark}-0` }, 1)
      if (first !== 1) bench.blocked(`the first version of a key has the number ${first}`, 'see KV-V2-12')
      return { path, value: (index) => `${mark}-${index}` }
    },
    initial: () => ({ versions: [{ number: 1, state: 'live' }] }),
    commands: {
      write: on<{ index: number }, Answer>({
        arguments: fc.constant({ index: 0 }),
        resolve: ({ versions }) => ({ index: versions.length }),
        run: (bench, { index }, { path, value }) => store(bench, VERSION_2, path, { value: value(index) }),
        expects: (_history, _input, seen, expect) => expect(seen).toSucceed(),
        next: ({ versions }) => ({ versions: [...versions, { number: versions.length + 1, state: 'live' }] }),
      }),
      read: on<null, { answer: Answer; world: World }>({
        arguments: fc.constant(null),
        weight: 3,
        run: async (bench, _input, world) => ({ answer: await bench.call('kv2.read', { path: { path: world.path } }), world }),
        expects({ versions }, _input, { answer, world }, expect) {
          const newest = versions.length - 1
          if (versions[newest]?.state === 'live') expect(answer.data.data, 'the newest version').toEqual({ value: world.value(newest) })
          for (const [index, { state }] of versions.entries()) {
            if (state !== 'live') expect(answer.text, `the ${state} version ${index + 1}`).not.toContain(`"${world.value(index)}"`)
          }
          expect(answer.status, 'status of a read').toBeLessThan(500)
        },
        next: (history) => history,
      }),
      delete: change('delete'),
      undelete: change('undelete'),
      destroy: change('destroy'),
    },
  },
)

check(
  'kv/concurrent-versions',
  'KV-V2-26',
  'concurrent writes each make a version of their own',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((value) => store(bench, VERSION_2, path, { value })))
    const numbers = answers.map(({ data }) => data.version)
    if (numbers.some((number) => typeof number !== 'number'))
      bench.blocked('writes do not tell the number of their version', 'none: the answer is not shown')
    expect(new Set(numbers).size, 'different numbers of versions').toBe(numbers.length)
  },
)
