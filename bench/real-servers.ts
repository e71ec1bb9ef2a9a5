/** How servers that others wrote are started on loopback, each from a program of the user's own, and stopped again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PROGRAM } from '../tests/support/command-line.ts'

/** A server that answers, and what a certification of it needs in its environment. */
export interface Running {
  url: string
  env: Record<string, string>
  /** Ends everything that was started for it; safe to call twice. */
  stop(): Promise<void>
}

/** A kind of server that `npm run real` knows. */
export interface RealServer {
  /** Also the name of its files in targets/. */
  name: string
  /** The variable that names the program. */
  variable: string
  start(program: string, folder: string, signal: AbortSignal): Promise<Running>
}

/** A child in a process group of its own, so that its children end with it, and a signal at the terminal reaches us alone. */
interface Child {
  process: ChildProcess
  output(): string
  /** The first group of the pattern, as soon as the output has it. */
  says(pattern: RegExp): Promise<string>
  stop(): Promise<void>
}

const LONGEST_START = 60_000
const LONGEST_END = 10_000
const LOOK_EVERY = 50
const TOKEN_BYTES = 16

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, LOOK_EVERY))

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const signalGroup = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(-pid, name)
  } catch {
    // It has ended.
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

/** Starts a program and keeps what it prints. */
export const startChild = (words: readonly [string, ...string[]], env: Record<string, string>, cwd: string, signal: AbortSignal): Child => {
  const [program, ...rest] = words
  signal.throwIfAborted()
  const child = spawn(program, rest, { cwd, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let failure: string | undefined
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.on('error', (error) => (failure = error.message))
  const closed = new Promise<void>((done) => child.on('close', () => done()))
  const hasEnded = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  return {
    process: child,
    output: () => output,
    async says(pattern) {
      const until = Date.now() + LONGEST_START
      for (;;) {
        const found = pattern.exec(output)
        if (found !== null) return found[1] ?? ''
        signal.throwIfAborted()
        if (hasEnded()) throw new Error(`${program} ended: ${failure ?? lastLine(output)}`)
        if (Date.now() > until) throw new Error(`${program} was not ready within a minute: ${lastLine(output)}`)
        await pause()
      }
    },
    async stop() {
      if (child.pid === undefined || hasEnded()) return
      signalGroup(child.pid, 'SIGTERM')
      const timer = setTimeout(() => signalGroup(child.pid ?? 0, 'SIGKILL'), LONGEST_END)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Waits until a server answers at all. */
const answers = async (url: string, child: Child, signal: AbortSignal): Promise<void> => {
  const until = Date.now() + LONGEST_START
  for (;;) {
    try {
      await fetch(url, { signal })
      return
    } catch {
      signal.throwIfAborted()
      if (child.process.exitCode !== null) throw new Error(`the server ended: ${lastLine(child.output())}`)
      if (Date.now() > until) throw new Error(`no answer at ${url} within a minute: ${lastLine(child.output())}`)
      await pause()
    }
  }
}

/** Stops in the opposite order what was started, and does so too where the start fails. */
const withChildren = async (start: (keep: (child: Child) => Child) => Promise<Omit<Running, 'stop'>>): Promise<Running> => {
  const children: Child[] = []
  const stop = async (): Promise<void> => {
    for (const child of children.splice(0).reverse()) await child.stop()
  }
  try {
    const running = await start((child) => {
      children.push(child)
      return child
    })
    return { ...running, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const put = async (url: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

const secret = (): string => randomBytes(TOKEN_BYTES).toString('hex')

const openbao: RealServer['start'] = (program, folder, signal) =>
  withChildren(async (keep) => {
    const address = `127.0.0.1:${await freePort()}`
    const token = secret()
    const flags = ['-dev', `-dev-root-token-id=${token}`, `-dev-listen-address=${address}`, '-dev-no-store-token']
    const server = keep(startChild([program, 'server', ...flags], {}, folder, signal))
    const unsealKey = await server.says(/^Unseal Key: (\S+)/m)
    await answers(`http://${address}/`, server, signal)
    return { url: `http://${address}`, env: { BAO_TOKEN: token, BAO_UNSEAL_KEY: unsealKey } }
  })

const rustyvault: RealServer['start'] = (program, folder, signal) =>
  withChildren(async (keep) => {
    const address = `127.0.0.1:${await freePort()}`
    const data = join(folder, 'data')
    mkdirSync(data)
    const file = join(folder, 'server.hcl')
    // Its reader wants each attribute of a block on a line of its own.
    const blocks = [`storage "file" {\n  path = "${data}"\n}`, `listener "tcp" {\n  address = "${address}"\n  tls_disable = "true"\n}`]
    writeFileSync(file, [...blocks, `work_dir = "${folder}"\n`].join('\n'))
    const server = keep(startChild([program, 'server', '--config', file], {}, folder, signal))
    await answers(`http://${address}/v1/sys/seal-status`, server, signal)
    const made = await put(`http://${address}/v1/sys/init`, { secret_shares: 1, secret_threshold: 1 })
    const [key] = made.keys as string[]
    await put(`http://${address}/v1/sys/unseal`, { key })
    return { url: `http://${address}`, env: { RUSTYVAULT_TOKEN: String(made.root_token), RUSTYVAULT_UNSEAL_KEY: String(key) } }
  })

/** The URL of a database from what `assay backends --up` prints of it. */
export const urlOfDatabase = (printed: string): string => {
  const { host, port, username, password, database } = JSON.parse(printed) as Record<string, string>
  return `postgres://${username}:${password}@${host}:${port}/${database}`
}

const otf: RealServer['start'] = (program, folder, signal) =>
  withChildren(async (keep) => {
    const postgres = keep(startChild([...PROGRAM, 'backends', '--up', 'postgres'], {}, folder, signal))
    const named = JSON.parse(await postgres.says(/^ +postgres: (\{.*\})$/m)) as Record<
      'host' | 'port' | 'username' | 'password' | 'database',
      string
    >
    const url = `postgres://${named.username}:${named.password}@${named.host}:${named.port}/${named.database}`
    const address = `127.0.0.1:${await freePort()}`
    const token = secret()
    const flags = ['--address', address, '--database', url, '--secret', secret(), '--site-token', token]
    const server = keep(startChild([program, ...flags], {}, folder, signal))
    await answers(`http://${address}/healthz`, server, signal)
    return { url: `http://${address}`, env: { OTF_URL: `http://${address}`, OTF_SITE_TOKEN: token } }
  })

export const realServers: readonly RealServer[] = [
  { name: 'openbao', variable: 'ASSAY_REAL_OPENBAO', start: openbao },
  { name: 'rustyvault', variable: 'ASSAY_REAL_RUSTYVAULT', start: rustyvault },
  { name: 'otf', variable: 'ASSAY_REAL_OTF', start: otf },
]
