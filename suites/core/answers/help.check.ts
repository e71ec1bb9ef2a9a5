import { type Answer, asObject, check, isObject, sweep } from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'

const QUERY = { help: '1' }

const pathsIn = (answer: Answer): string[] => {
  const { paths } = asObject(asObject(answer.body).openapi)
  return Object.keys(asObject(paths))
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

check(
  'core/help-paths',
  ['CORE-HELP-01', 'CORE-HELP-03'],
  'help names paths relative to the path that was asked',
  { needs: { mounts: { own: { type: 'kv2' } } } },
  async ({ bench, expect }) => {
    const mount = bench.mountPath('own')
    const asked = await bench.call('core.help', { path: { helpPath: mount }, query: QUERY })
    await bench.decide('CORE-HELP-01', () => expect(asked, 'help at a mount').toHaveStatus(200))
    const atMount = await bench.given('core.help', { path: { helpPath: mount }, query: QUERY })
    const below = await bench.given('core.help', { path: { helpPath: `${mount}/config` }, query: QUERY })
    await bench.decide('CORE-HELP-03', async () => {
      const [first] = segmentsOf(mount)
      expect(
        pathsIn(atMount).filter((path) => segmentsOf(path).includes(first!)),
        'paths that repeat the mount',
      ).toEqual([])
      const repeating = pathsIn(below).filter((path) => [first, 'config'].includes(segmentsOf(path)[0]))
      expect(repeating, 'paths that repeat the path asked').toEqual([])
      // Whether a slash may stand at the end is not said; the answered paths are still relative.
      for (const queried of [`${mount}/`, `${mount}/config/`]) {
        const answer = await bench.call('core.help', { path: { helpPath: queried }, query: QUERY })
        const absolute = pathsIn(answer).filter((path) => segmentsOf(path)[0] === first)
        expect(absolute, `paths that repeat ${queried}`).toEqual([])
      }
    })
  },
)

sweep({
  id: 'core/help-describes',
  clauses: ['CORE-HELP-04', 'CORE-HELP-07'],
  title: 'help at a mount says something and names the path of every operation there',
  kind: 'scenario',
  applies: (operation) => operation.isFirstOfMount,
  async body({ bench, expect, operation }) {
    const helpPath = bench.mountPath(await bench.mount(operation.mount!))
    const answer = await bench.given('core.help', { path: { helpPath }, query: QUERY })
    const { help } = (answer.body ?? {}) as { help?: unknown }
    await bench.decide('CORE-HELP-07', () => expect(String(help ?? '').trim().length, 'characters of the text').toBeGreaterThan(0))
    // Who asks again is told the same.
    const again = await bench.call('core.help', { path: { helpPath }, query: QUERY })
    await bench.decide('CORE-HELP-04', () => {
      for (const one of [answer, again])
        expect(operation.undescribed(pathsIn(one)), 'operations that no path in the description names').toEqual([])
    })
  },
})

sweep({
  id: 'core/help-own-path',
  clauses: ['CORE-HELP-09'],
  title: 'help at a path that has paths below it names that path too',
  kind: 'scenario',
  applies: ({ isList, mount, parameters }) => isList && mount !== undefined && parameters.length === 0,
  async body({ bench, expect, operation, input }) {
    const { body: _, ...request } = await input()
    const answer = await bench.call(operation.id, { ...request, method: 'GET', query: QUERY, pathSuffix: '', invalid: true })
    // Whether there is help is decided where a mount is asked.
    if (!answer.ok) return bench.observe('CORE-HELP-09', answer.status)
    // What stands below a listing has a name for its parameter. One that repeats the path asked names it as well; that it should not is another clause.
    const own = pathsIn(answer).filter((path) => !/[{<:]/.test(path))
    expect(own.length, `paths that stand for what was asked, among ${pathsIn(answer).join(' ')}`).toBeGreaterThan(0)
  },
})

check(
  'core/help-in-turn',
  'CORE-HELP-10',
  'help at a path names the same paths, whichever of its neighbours was asked before',
  { needs: { features: ['mounts'] } },
  async ({ bench, expect }) => {
    const siblings = ['config', 'data', 'metadata']
    const described = async (order: readonly string[]): Promise<Record<string, string[]>> => {
      const mount = bench.mountPath(await bench.mount('kv2'))
      const named: Record<string, string[]> = {}
      for (const path of order) {
        const answer = await bench.call('core.help', { path: { helpPath: `${mount}/${path}` }, query: QUERY })
        // That a path repeats the mount is for another clause.
        named[path] = answer.ok
          ? pathsIn(answer)
              .map((one) => one.replaceAll(mount, ''))
              .sort()
          : []
      }
      return named
    }
    const before = await described(siblings)
    // Whether there is help is decided where a mount is asked.
    if (Object.values(before).every((paths) => paths.length === 0)) return bench.observe('CORE-HELP-10', 'no path is described')
    for (const order of [siblings.toReversed(), [...siblings.slice(1), siblings[0]!, siblings[1]!]])
      expect(await described(order), `paths named below each path, asked in the order ${order.join(', ')}`).toEqual(before)
  },
)

sweep({
  id: 'core/help-relative',
  clauses: ['CORE-HELP-01', 'CORE-HELP-02', 'CORE-HELP-09', 'CORE-HELP-03'],
  title: 'there is help at the path of an operation, which names a path, and none that repeats it',
  kind: 'scenario',
  // Also where no mount is: those of the system have paths that could be repeated, too.
  applies: ({ engine }) => engine !== 'core',
  async body({ bench, expect, operation, input }) {
    const { body: _, ...request } = await input()
    // With a suffix, if an empty one, the answer is none of the operation's, whose schema would judge it.
    const answer = await bench.call(operation.id, { ...request, method: 'GET', query: QUERY, pathSuffix: '', invalid: true })
    // A path that is not served at all is for the clause that states it.
    if (!answer.ok) await bench.given(operation.id, await input())
    const { help, openapi } = asObject(answer.body)
    await bench.decide('CORE-HELP-01', () => {
      expect(answer, 'help at the path of an operation').toHaveStatus(200)
      // A read of the path answers data, not help.
      expect(typeof help, 'the type of help').toBe('string')
    })
    if (typeof help !== 'string') return
    await bench.decide('CORE-HELP-02', () => expect(isObject(openapi), 'whether openapi is an object').toBe(true))
    if (isObject(openapi)) await bench.decide('CORE-HELP-09', () => expect(pathsIn(answer).length, 'paths described').toBeGreaterThan(0))
    // Mounts and names carry the name of the run.
    await bench.decide('CORE-HELP-03', () =>
      expect(
        pathsIn(answer).filter((path) => path.includes(bench.run)),
        'paths that repeat the path asked',
      ).toEqual([]),
    )
  },
})

check(
  'core/help-permission',
  ['CORE-HELP-05', 'CORE-CAP-23'],
  'help needs permission on the path',
  { kind: 'security', needs: { features: ['identities'], mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path } = await storeEntry(bench)
    const helpPath = `${bench.mountPath('own')}/${path}`
    const reads = (key: string) => bench.identity([{ operation: 'kv1.read', path: { path: key }, capabilities: ['read'] }])
    const [reader, stranger] = [await reads(path), await reads(bench.fresh('other'))]
    await bench.decide('CORE-HELP-05', async () => {
      const answer = await bench.refuses('core.help', {
        bad: { path: { helpPath }, query: QUERY, as: stranger },
        control: { path: { helpPath }, query: QUERY, as: reader },
        unchanged: null,
        because: 'help changes nothing',
        status: [403, 404],
      })
      expect((answer.body as { help?: unknown } | undefined)?.help).toBeUndefined()
    })
    const denied = await bench.identity([
      { operation: 'kv1.read', path: { path: '*' }, capabilities: ['read', 'list'] },
      { operation: 'kv1.read', path: { path }, capabilities: ['deny'] },
    ])
    const refused = await bench.call('core.help', { path: { helpPath }, query: QUERY, as: denied })
    await bench.decide('CORE-CAP-23', () => {
      expect(refused, 'help for a caller to whom the path is denied').toHaveStatus(403, 404)
      expect((refused.body as { help?: unknown } | undefined)?.help).toBeUndefined()
    })
  },
)

check(
  'core/help-hides-values',
  'CORE-HELP-06',
  'the help of an entry does not show its value',
  { kind: 'security', needs: { mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const answer = await bench.given('core.help', { path: { helpPath: `${bench.mountPath('own')}/${path}` }, query: QUERY })
    expect(answer.text).not.toContain(value)
  },
)
