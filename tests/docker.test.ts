/** The Docker provider for real. Needs an engine and images: scripts/ci-docker-image.sh, then ASSAY_TEST_DOCKER=1. */
import { connect } from 'amqplib'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { getContainerRuntimeClient } from 'testcontainers'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeBackendEntry, startBackends } from '../harness/backends/chain.ts'
import type { BackendEntry } from '../harness/backends/provider.ts'
import { type BackendHandle, serviceOf } from '../harness/base/backend-handle.ts'
import { onSshHost } from '../harness/oracles/ssh-login.ts'

const run = process.env.ASSAY_TEST_DOCKER === '1'
const kinds = ['postgres', 'mariadb', 'rabbitmq', 'sshd'] as const
for (const kind of kinds) process.env[`ASSAY_IMAGE_${kind.toUpperCase()}`] ??= `assay-${kind}:ci`

const containers = async (): Promise<string[]> => {
  const { container } = await getContainerRuntimeClient()
  return (await container.list()).filter(({ Labels }) => Labels['assay.backend'] !== undefined).map(({ Id }) => Id)
}

const journalOf = (entries: BackendEntry[]) => ({
  add: (entry: BackendEntry) => void entries.push(entry),
  remove: (entry: BackendEntry) =>
    void entries.splice(
      entries.findIndex((one) => JSON.stringify(one) === JSON.stringify(entry)),
      1,
    ),
})

const start = (kind: string, entries: BackendEntry[]) =>
  startBackends([kind], { external: {}, journal: journalOf(entries), onProgress: () => {}, signal: new AbortController().signal })

/** Uses a backend as its administrator. */
const uses: Record<(typeof kinds)[number], (handle: BackendHandle) => Promise<void>> = {
  async postgres({ host, port, username: user, password }) {
    const client = new pg.Client({ host, port, user, password, database: 'postgres' })
    await client.connect()
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await client.end()
  },
  async mariadb({ host, port, username: user, password }) {
    const connection = await mysql.createConnection({ host, port, user, password })
    await connection.query("CREATE USER 'someone'@'%' IDENTIFIED BY 'secret'")
    await connection.query("GRANT SELECT ON *.* TO 'someone'@'%'")
    await connection.end()
    await expect(mysql.createConnection({ host, port, user, password: 'wrong' })).rejects.toThrow(/denied/)
    const other = await mysql.createConnection({ host, port, user: 'someone', password: 'secret' })
    const [rows] = await other.query('SELECT 1 AS one')
    expect(rows).toEqual([{ one: 1 }])
    await other.end()
  },
  async rabbitmq({ host, port, username, password, extra }) {
    const connection = await connect({ hostname: host, port, username, password })
    const channel = await connection.createChannel()
    const { queue } = await channel.assertQueue('', { exclusive: true })
    expect(queue).not.toBe('')
    await connection.close()
    await expect(connect({ hostname: host, port, username, password: 'wrong' })).rejects.toThrow(/ACCESS-REFUSED|403/)
    const whoAmI = async (secret: string) => {
      const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
      const answer = await request(`http://${host}:${extra.managementPort}/api/whoami`, { headers: { authorization } })
      return { status: answer.statusCode, body: (await answer.body.json()) as { tags?: string[] } }
    }
    expect(await whoAmI(password)).toMatchObject({ status: 200, body: { tags: ['administrator'] } })
    expect((await whoAmI('wrong')).status).toBe(401)
  },
  async sshd(handle) {
    const line = `id -u; echo $HOME; sudo -n id -u; sudo -u bob id -un; [ -w '${handle.extra.trustedCas}' ] && echo writable`
    expect(await onSshHost(handle, line)).toBe('0\n/home/admin\n0\nbob\nwritable\n')
  },
}

beforeEach(() => {
  process.env.ASSAY_PROVIDERS = 'docker'
})
afterEach(() => {
  delete process.env.ASSAY_PROVIDERS
})

describe.runIf(run).each(kinds)('%s by testcontainers', (kind) => {
  it('starts, answers and leaves no container', async () => {
    const entries: BackendEntry[] = []
    const backends = await start(kind, entries)
    expect(backends.missing).toEqual({})
    const handle = serviceOf(backends.handles[kind])
    try {
      expect(handle.provider).toBe('docker')
      await uses[kind](handle)
      expect((await containers()).length).toBe(1)
    } finally {
      await backends.stop()
    }
    expect(await containers()).toEqual([])
    expect(entries).toEqual([])
  }, 180_000)

  it('a container that outlived its run is removed by its journal', async () => {
    const entries: BackendEntry[] = []
    await start(kind, entries)
    expect((await containers()).length).toBe(1)
    for (const entry of entries) await removeBackendEntry(entry)
    expect(await containers()).toEqual([])
    for (const entry of entries) await removeBackendEntry(entry)
  }, 180_000)
})
