/** Listings follow what is written and removed below the directory, though the same listing was asked for before. */
import { type Bench, check } from '../../../harness/checks/index.ts'
import { namesIn, store, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'

const METHODS = ['LIST', 'GET'] as const

const listings = async (bench: Bench, { list }: Version, directory: string) => {
  const answers = []
  for (const method of METHODS) answers.push({ method, answer: await bench.call(list, { path: { directory }, method }) })
  return answers
}

for (const [what, version, remove] of [
  ['v1', VERSION_1, 'kv1.delete'],
  ['v2', VERSION_2, 'kv2.deleteMetadata'],
] as const)
  check(
    `kv/list-follows-${what}`,
    ['KV-LIST-03', 'KV-LIST-10'],
    'a directory is listed in one that was listed before it was there, and no longer once it is empty',
    async ({ bench, expect }) => {
      const empty = `${bench.fresh('empty')}/`
      await listings(bench, version, empty)
      await store(bench, version, `${empty}new/deep/key`, { value: 'deep' })
      await bench.decide('KV-LIST-03', async () => {
        for (const { method, answer } of await listings(bench, version, empty))
          expect(namesIn(answer), `by ${method}, once there is something two directories below`).toEqual(['new/'])
      })
      const directory = `${bench.fresh('dir')}/`
      const [within, path] = [`${directory}new/`, `${directory}new/key`]
      await store(bench, version, `${directory}kept`, { value: 'kept' })
      await listings(bench, version, directory)
      await store(bench, version, path, { value: 'new' })
      await bench.decide('KV-LIST-03', async () => {
        for (const { method, answer } of await listings(bench, version, directory))
          expect(namesIn(answer).sort(), `by ${method}, once there is a directory within`).toEqual(['kept', 'new/'])
      })
      await listings(bench, version, within)
      await bench.call(remove, { path: { path } })
      if ((await bench.call(version.read, { path: { path } })).ok) return bench.observe('KV-LIST-10', 'the key is not removed')
      await bench.decide('KV-LIST-10', async () => {
        for (const { method, answer } of await listings(bench, version, within))
          expect(answer, `the emptied directory by ${method}`).toHaveStatus(404)
        for (const { method, answer } of await listings(bench, version, directory))
          expect(namesIn(answer), `by ${method}, once the directory within is empty`).toEqual(['kept'])
      })
    },
  )
