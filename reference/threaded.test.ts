import { expect, it } from 'vitest'
import { startInThread } from './threaded.ts'

const health = async (url: string): Promise<number> => (await fetch(`${url}/v1/sys/health`)).status

it('serves from a thread, with faults by id, and counts what ran', async () => {
  const reference = await startInThread({ faults: ['kv/v1-first-write-wins'] })
  expect(await health(reference.url)).toBe(200)
  await reference.counts()
  expect(reference.hits.get('kv/v1-first-write-wins')).toBe(0)
  await reference.close()
  await expect(health(reference.url)).rejects.toThrow()
})

it('says what keeps a thread from starting', async () => {
  await expect(startInThread({}, new URL('./no-such-module.js', import.meta.url))).rejects.toThrow(/no-such-module/)
})
