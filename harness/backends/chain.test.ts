import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { lacksBackend } from '../../tests/support/needs.ts'
import { readAddress } from './addresses.ts'
import { describeChain, removeBackendEntry, startBackends } from './chain.ts'
import type { BackendEntry } from './provider.ts'
import { rabbitmq } from './rabbitmq.ts'

const onDisk = backendJournal()

const journalOf = () => {
  const entries: BackendEntry[] = []
  const same = (a: BackendEntry, b: BackendEntry): boolean => JSON.stringify(a) === JSON.stringify(b)
  return {
    entries,
    add(entry: BackendEntry) {
      onDisk.add(entry)
      entries.push(entry)
    },
    remove(entry: BackendEntry) {
      entries.splice(
        entries.findIndex((one) => same(one, entry)),
        1,
      )
      onDisk.remove(entry)
    },
  }
}

const options = (external: Record<string, string | object> = {}, signal = new AbortController().signal) => ({
  external,
  journal: journalOf(),
  onProgress: () => {},
  signal,
})

const workingIn = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })

const foldersOf = (entries: BackendEntry[]): string[] => entries.flatMap((entry) => (entry.kind === 'backend-folder' ? [entry.path] : []))

const { PATH } = process.env
afterEach(() => {
  delete process.env.ASSAY_PROVIDERS
  process.env.PATH = PATH
})

const pairs = [
  ['postgres', 'local'],
  ['postgres', 'embedded'],
  ['mariadb', 'local'],
  ['rabbitmq', 'local'],
] as const

describe('private instances', async () => {
  for (const [backend, provider] of pairs)
    it.skipIf(await lacksBackend(backend, [provider]))(
      `${backend} (${provider}) starts, answers and leaves nothing`,
      async () => {
        process.env.ASSAY_PROVIDERS = provider
        const given = options()
        const backends = await startBackends([backend], given)
        expect(backends.missing).toEqual({})
        const handle = backends.handles[backend]!
        expect(handle.provider).toBe(provider)
        expect(handle.version).toMatch(/^\d+\.\d+/)
        const [folder] = foldersOf(given.journal.entries)
        expect(workingIn(folder!).length).toBeGreaterThan(0)
        await backends.stop()
        await backends.stop()
        expect(given.journal.entries).toEqual([])
        expect(existsSync(folder!)).toBe(false)
        expect(workingIn(folder!)).toEqual([])
      },
      120_000,
    )

  it.skipIf(await lacksBackend('mariadb', ['local']))(
    'an instance whose owner was killed is removed by its journal',
    async () => {
      const file = join(mkdtempSync(join(tmpdir(), 'assay-test-')), 'journal')
      const code = `
      import { appendFileSync } from 'node:fs'
      import { startBackends } from ${JSON.stringify(new URL('./chain.ts', import.meta.url).href)}
      const journal = { add: (entry) => appendFileSync(${JSON.stringify(file)}, JSON.stringify(entry) + '\\n'), remove: () => {} }
      await startBackends(['mariadb'], { external: {}, journal, onProgress: () => {}, signal: new AbortController().signal })
      console.log('up')
      setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
        env: { ...process.env, ASSAY_PROVIDERS: 'local' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      const entries = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as BackendEntry)
      const [folder] = foldersOf(entries)
      expect(workingIn(folder!).length).toBeGreaterThan(0)
      for (const entry of entries.reverse()) await removeBackendEntry(entry)
      expect(workingIn(folder!)).toEqual([])
      expect(existsSync(folder!)).toBe(false)
      rmSync(join(file, '..'), { recursive: true })
    },
    120_000,
  )

  it.skipIf(await lacksBackend('mariadb', ['local']))(
    'an abort during the start leaves nothing',
    async () => {
      process.env.ASSAY_PROVIDERS = 'local'
      const controller = new AbortController()
      const given = options({}, controller.signal)
      const starting = startBackends(['mariadb'], {
        ...given,
        onProgress: () => setTimeout(() => controller.abort(new Error('interrupted')), 150),
      })
      await expect(starting).rejects.toThrow('interrupted')
      expect(given.journal.entries).toEqual([])
    },
    60_000,
  )
})

describe('what is not to be had', () => {
  it('is what a tool is missing for, whatever provider there is, with the package that brings the tool', async () => {
    process.env.PATH = '/nonexistent'
    const { missing } = await startBackends(['sshd'], options({ sshd: { host: '127.0.0.1' } }))
    expect(missing.sshd?.reason).toContain('without ssh on the PATH')
    expect(missing.sshd?.remedy).toBe('apt-get install openssh-client')
    const rows = await describeChain({ sshd: 'ssh://127.0.0.1' })
    expect(rows.find(({ backend }) => backend === 'sshd')).toMatchObject({ chosen: undefined })
  })

  it('is reported with the reason of every provider and a remedy', async () => {
    process.env.ASSAY_PROVIDERS = 'embedded'
    const { missing } = await startBackends(['rabbitmq', 'oracle'], options())
    expect(missing.rabbitmq?.remedy).toContain('apt-get install rabbitmq-server')
    expect(missing.oracle?.reason).toContain('oracle')
  })

  it('an address in the configuration that does not answer is not replaced by another provider', async () => {
    const { missing, handles } = await startBackends(['postgres'], options({ postgres: 'postgresql://a:b@127.0.0.1:1/postgres' }))
    expect(handles).toEqual({})
    expect(missing.postgres?.reason).toContain('backends.postgres of the configuration')
  })
})

describe('addresses', () => {
  const kind = rabbitmq
  it('are read from a URL', () => {
    expect(readAddress(kind, 'amqp://adm%40in:pw@broker?managementPort=8080')).toEqual({
      host: 'broker',
      port: 5672,
      username: 'adm@in',
      password: 'pw',
      extra: { managementPort: '8080' },
    })
  })
  it('are read from an object, which may add what the target must use', () => {
    const address = readAddress(kind, { url: 'amqp://a:b@127.0.0.1:5673/vh', targetHost: 'rabbit', targetPort: 5672, managementPort: 1 })
    expect(address).toMatchObject({ port: 5673, targetHost: 'rabbit', targetPort: 5672, extra: { database: 'vh', managementPort: '1' } })
  })
  it('must name a host', () => expect(() => readAddress(kind, {})).toThrow('backends.rabbitmq names no host'))
})

describe('A server that runs already', () => {
  it('cannot be told of a module or a gateway, and the remedy says how it is', async () => {
    const { handles, missing, stop } = await startBackends(['clouds', 'softhsm'], { ...options(), runsAlready: true })
    await stop()
    expect(handles).toEqual({})
    expect(missing.clouds).toEqual({
      reason: 'clouds has to be named to the server before it starts',
      remedy: 'start the server with what npx assay backends --up clouds prints, and name it in backends.clouds',
    })
  })
})
