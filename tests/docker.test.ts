/** The Docker rung for real. Needs an engine and an image: scripts/ci-docker-image.sh, then ASSAY_TEST_DOCKER=1. */
import pg from 'pg'
import { getContainerRuntimeClient } from 'testcontainers'
import { afterEach, describe, expect, it } from 'vitest'
import { removeBackendEntry, startBackends } from '../harness/backends/ladder.ts'
import type { BackendEntry } from '../harness/backends/types.ts'

const run = process.env.ASSAY_TEST_DOCKER === '1'
process.env.ASSAY_IMAGE_POSTGRES ??= 'assay-postgres:ci'

const containers = async (): Promise<string[]> => {
  const { container } = await getContainerRuntimeClient()
  return (await container.list()).filter(({ Labels }) => Labels['assay.backend'] !== undefined).map(({ Id }) => Id)
}

const start = async (entries: BackendEntry[]) => {
  process.env.ASSAY_RUNGS = 'docker'
  const journal = {
    add: (entry: BackendEntry) => void entries.push(entry),
    remove: (entry: BackendEntry) =>
      void entries.splice(
        entries.findIndex((one) => JSON.stringify(one) === JSON.stringify(entry)),
        1,
      ),
  }
  return startBackends(['postgres'], { external: {}, journal, onProgress: () => {}, signal: new AbortController().signal })
}

afterEach(() => {
  delete process.env.ASSAY_RUNGS
})

describe.runIf(run)('PostgreSQL by testcontainers', () => {
  it('starts, answers and leaves no container', async () => {
    const entries: BackendEntry[] = []
    const backends = await start(entries)
    expect(backends.missing).toEqual({})
    const { host, port, username, password, provider } = backends.handles.postgres!
    expect(provider).toBe('docker')
    const client = new pg.Client({ host, port, user: username, password, database: 'postgres' })
    await client.connect()
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await client.end()
    expect((await containers()).length).toBe(1)
    await backends.stop()
    expect(await containers()).toEqual([])
    expect(entries).toEqual([])
  }, 180_000)

  it('a container that outlived its run is removed by its journal', async () => {
    const entries: BackendEntry[] = []
    await start(entries)
    expect((await containers()).length).toBe(1)
    for (const entry of entries) await removeBackendEntry(entry)
    expect(await containers()).toEqual([])
    for (const entry of entries) await removeBackendEntry(entry)
  }, 180_000)
})
