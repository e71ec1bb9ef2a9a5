import { check, sweep } from '../../../harness/checks/index.ts'
import { writesObject } from '../access/writes.ts'
import { namesIn, storeEntry } from '../fixtures.ts'

const SETTLED = 5_000

sweep({
  id: 'core/list-verb',
  clauses: ['CORE-LIST-01', 'CORE-LIST-02'],
  title: 'LIST and GET with list=true name the same',
  kind: 'scenario',
  applies: (operation) => operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const list = (method: string) => bench.call(operation.id, { ...request, method })
    await bench.decide('CORE-LIST-01', async () => {
      const answer = await list('LIST')
      expect(answer, 'the verb LIST').toHaveStatus(200)
      expect(namesIn(answer).length, 'names shown').toBeGreaterThan(0)
    })
    // Others create and delete all the while: what stands in the listings before and after must be in the one between.
    await bench.decide('CORE-LIST-02', async () => {
      await bench.eventually(
        async () => {
          const [before, query, after] = [await list('LIST'), await list('GET'), await list('LIST')]
          expect(query, 'GET with list=true').toHaveStatus(200)
          const steady = namesIn(before).filter((name) => namesIn(after).includes(name))
          expect(
            steady.filter((name) => !namesIn(query).includes(name)),
            'names that LIST alone shows',
          ).toEqual([])
          const known = [...namesIn(before), ...namesIn(after)]
          expect(
            namesIn(query).filter((name) => !known.includes(name)),
            'names that GET alone shows',
          ).toEqual([])
        },
        { within: SETTLED, because: 'both forms show the same names' },
      )
    })
  },
})

sweep({
  id: 'core/listed-while-there',
  clauses: ['CORE-LIST-01'],
  title: 'a name is listed once it is there, no longer after its deletion, and once it is made again',
  kind: 'scenario',
  applies: (operation, sample) =>
    writesObject(operation, sample) && operation.pathMethods.includes('DELETE') && operation.listing !== undefined,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const { body: _, ...there } = request
    const end = operation.parameters.at(-1)!.name
    const { [end]: name, ...above } = request.path ?? {}
    const place = { path: above, ...(request.mount === undefined ? {} : { mount: request.mount }) }
    const isListed = async () => namesIn(await bench.call(operation.listing!, place)).includes(name!)
    await bench.given(operation.id, request)
    expect(await isListed(), `${name} is listed`).toBe(true)
    await bench.given(operation.id, { ...there, method: 'DELETE', invalid: true })
    expect(await isListed(), `${name} is listed after its deletion`).toBe(false)
    // A deletion may take with it what the object needs.
    if (!(await bench.call(operation.id, request)).ok) return bench.observe('CORE-LIST-01', 'it is not made again')
    expect(await isListed(), `${name}, which was made again, is listed`).toBe(true)
  },
})

check(
  'core/list-whole',
  ['CORE-LIST-01', 'CORE-LIST-02'],
  'both forms of a listing name all there is, after each write and by either method',
  async ({ bench, expect }) => {
    const directory = `${bench.fresh('dir')}/`
    const names: string[] = []
    for (const [index, method] of ['POST', 'PUT', 'POST', 'PUT'].entries()) {
      // Longer and longer ones.
      const name = `${method === 'PUT' ? 'B' : 'a'}${bench.mixedName('key')}`.padEnd(index * 50, '-long')
      names.push(name)
      await bench.given('kv1.write', { path: { path: `${directory}${name}` }, body: { value: name }, method })
      for (const [form, clause] of [
        ['LIST', 'CORE-LIST-01'],
        ['GET', 'CORE-LIST-02'],
      ] as const)
        await bench.decide(clause, async () =>
          expect(namesIn(await bench.call('kv1.list', { path: { directory }, method: form })).toSorted(), form).toEqual(names.toSorted()),
        )
    }
  },
)

check('core/empty-list', 'CORE-LIST-04', 'an empty listing is answered with 404', async ({ bench, expect }) => {
  const directory = `${bench.fresh('dir')}/`
  for (const method of ['LIST', 'GET']) expect(await bench.call('kv1.list', { path: { directory }, method }), method).toHaveStatus(404)
  await storeEntry(bench, { path: { path: `${directory}key` } })
  expect(await bench.call('kv1.list', { path: { directory } })).toHaveStatus(200)
})

check(
  'core/empty-list-in-namespaces',
  'CORE-LIST-04',
  'an empty listing is answered with 404 in namespaces too, at a mount and below it, before there was anything and after it has gone',
  { needs: { features: ['namespaces'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    for (const namespace of [outer, await bench.namespace(outer)]) {
      const mount = await bench.mount('kv1', { namespace })
      const directory = `${bench.fresh('dir')}/`
      const path = `${directory}key`
      const isEmpty = async (when: string): Promise<void> => {
        for (const place of ['', directory])
          for (const method of ['LIST', 'GET']) {
            const answer = await bench.call('kv1.list', { mount, path: { directory: place }, method })
            expect(answer, `${method} of ${place || 'the mount'} in ${namespace}, ${when}`).toHaveStatus(404)
          }
      }
      await isEmpty('before there was anything')
      await storeEntry(bench, { mount, path: { path } })
      expect(await bench.call('kv1.list', { mount, path: { directory } }), `LIST in ${namespace}`).toHaveStatus(200)
      // No row shows DELETE on a key.
      await bench.call('kv1.delete', { mount, path: { path } })
      // Nor is it said that a deleted name is listed no more.
      if (namesIn(await bench.call('kv1.list', { mount, path: { directory } })).length === 0) await isEmpty('after it has gone')
    }
  },
)

check('core/list-spellings', ['CORE-LIST-05', 'CORE-LIST-06'], 'other spellings of a listing', async ({ bench }) => {
  const directory = bench.fresh('dir')
  await storeEntry(bench, { path: { path: `${directory}/key` } })
  const seen: Record<string, number> = {}
  for (const list of ['false', '1', 'TRUE', '']) {
    seen[list] = (
      await bench.call('kv1.list', { path: { directory: `${directory}/` }, method: 'GET', query: { list }, observing: true })
    ).status
  }
  bench.observe('CORE-LIST-05', seen)
  const status = async (path: string, method: string) =>
    (await bench.call('kv1.list', { path: { directory: path }, method, observing: true })).status
  bench.observe('CORE-LIST-06', {
    'LIST with slash': await status(`${directory}/`, 'LIST'),
    'LIST without slash': await status(directory, 'LIST'),
    'GET with slash': await status(`${directory}/`, 'GET'),
    'GET without slash': await status(directory, 'GET'),
  })
})
