import { sample } from '../../harness/checks/index.ts'
import { anyKind, givenKey, goodBody, KINDS, removeLater, stateOf, writeOf } from './fixtures.ts'

for (const kind of KINDS)
  sample({
    operation: writeOf(kind),
    async input(bench) {
      const name = bench.fresh('key')
      removeLater(bench, kind, name)
      return { path: { name }, body: goodBody(bench, kind) }
    },
    ...(kind === 'cloudckms' ? {} : { state: (bench, input) => stateOf(bench, kind, input.path?.name ?? '') }),
    excluded: {
      method: 'the path of each kind is that of all operations on a key, of which it names one',
      near: 'it makes a key of any name',
    },
  })

sample({
  operation: 'managedKeys.list',
  async input(bench) {
    const type = anyKind(bench)
    await givenKey(bench, type)
    return { path: { type } }
  },
})

for (const operation of ['managedKeys.read', 'managedKeys.delete'])
  sample({
    operation,
    input: async (bench) => ({ path: { type: anyKind(bench), name: await givenKey(bench, anyKind(bench)) } }),
    ...(operation === 'managedKeys.delete' ? { state: (bench, input) => stateOf(bench, anyKind(bench), input.path?.name ?? '') } : {}),
  })
