/** One run of the fuzz: certifies a server through the odd proxy as a user does, and judges what the run left. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { namedInConfiguration } from '../../harness/backends/addresses.ts'
import { addSettings, serverSettingsOf } from '../../harness/running/server-settings.ts'
import type { Deck } from './cells.ts'
import { isNoiseOnly, oddProxy, type Sent } from './odd-proxy.ts'
import { type Leak, Search } from './search.ts'
import type { SharedServer } from './shared-server.ts'

const MAX_TIME = 60
/** After its longest time a run has a minute to clean up, and one for a report that it has begun; its start takes a while on a slow machine. */
const DEADLINE = MAX_TIME + 60 + 60 + 30
/** What the loader of TypeScript keeps of our own sources. */
const OUR_SOURCES = /^tsx-\d+\//
const JOURNAL_EVERY = 100

export interface FuzzRun {
  sent: Sent[]
  /** Secrets that passed, with the operations that gave or took them. */
  secrets: Map<string, Set<string>>
  leaks: Leak[]
  /** What is wrong beside leaks: exit code, report, deadline, stack trace. */
  wrong: string[]
  code: number | null
  seconds: number
}

const readText = (file: string): string => {
  try {
    const bytes = readFileSync(file)
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch {
    // What is written while the run goes on may go while it is read.
    return ''
  }
}

const textsBelow = (folder: string): Map<string, string> =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [])
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readText(file)]),
  )

const configure = (folder: string, url: string, { embedded, handles }: SharedServer): void => {
  addSettings(embedded.config, serverSettingsOf(handles))
  const targets = embedded.config.targets.map(({ api, identities, provisioner, settings, engines, allow }) => ({
    api,
    backends: Object.fromEntries(Object.entries(handles).map(([name, handle]) => [name, namedInConfiguration(handle)])),
    url,
    engines,
    identities,
    provisioner: provisioner.kind === 'command' ? { kind: 'command', command: `${url}/control` } : provisioner,
    settings,
    allow,
  }))
  const timing = { grace: '1s', timeout: '5s', run: `${MAX_TIME}s` }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ name: 'fuzz', targets, timing }))
}

interface Ended {
  code: number | null
  seconds: number
  stdout: string
  stderr: string
}

const certify = (folder: string, checks: readonly string[], program: readonly [string, ...string[]]): Promise<Ended> => {
  const begun = performance.now()
  const [node, ...first] = program
  const key = join(folder, 'key.pem')
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const words = ['certify', '--effort', 'quick', '--trace', '--json', '--history', 'history', '--sign', key, '--check', checks.join(',')]
  const { ASSAY_TOKEN: _, ...inherited } = process.env
  const child = spawn(node, [...first, ...words], {
    cwd: folder,
    env: { ...inherited, NO_COLOR: '1', ASSAY_STATE_DIR: join(folder, 'state'), TMPDIR: join(folder, 'temporary') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const killed = setTimeout(() => child.kill('SIGKILL'), DEADLINE * 1000)
  return new Promise((done) =>
    child.on('close', (code) => {
      clearTimeout(killed)
      const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString('utf8')) as [string, string]
      done({ code, seconds: (performance.now() - begun) / 1000, stdout, stderr })
    }),
  )
}

/** What is wrong with the way a run ended; a report is due once a check could begin. */
const faultsOf = ({ code, seconds, stderr }: Ended, report: ReadonlyMap<string, string>, sent: readonly Sent[]): string[] => {
  const wrong: string[] = []
  const isTested = sent.some(({ isOfCheck }) => isOfCheck)
  if (code !== 1 && code !== 3 && !(code === 0 && isNoiseOnly(sent))) wrong.push(`exit code ${code}: ${stderr.slice(-600)}`)
  if (seconds >= DEADLINE) wrong.push(`took ${seconds.toFixed(0)} s`)
  if (/^\s+at .+:\d+:\d+\)?$/m.test(stderr)) wrong.push(`a stack trace: ${stderr.slice(-1200)}`)
  if (!isTested && !stderr.includes('remedy:')) wrong.push(`no reason why nothing was tested: ${stderr.slice(-600)}`)
  for (const name of isTested ? ['results.json', 'report.html'] : [])
    if (!report.get(name)) wrong.push(`exit code ${code} without ${name}: ${stderr.slice(-300)}`)
  return wrong
}

export interface FuzzOptions {
  deck: Deck
  /** Cells of one operation at most. */
  most: number
  checks: readonly string[]
  /** The command line that is tried: Node and its first words. */
  program: readonly [string, ...string[]]
}

/** Certifies with some checks through a proxy that deals out cells of the deck. */
export const fuzzRun = async (server: SharedServer, { deck, most, checks, program }: FuzzOptions): Promise<FuzzRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'))
  mkdirSync(join(folder, 'temporary'))
  const proxy = await oddProxy(server.contract, server.embedded.reference.url, deck, most)
  configure(folder, proxy.url, server)
  const state = new Set<string>()
  const reading = setInterval(() => {
    for (const text of textsBelow(join(folder, 'state')).values()) for (const line of text.split('\n')) state.add(line)
  }, JOURNAL_EVERY)
  try {
    const ended = await certify(folder, checks, program)
    const report = textsBelow(join(folder, 'assay-report'))
    const search = new Search(proxy.secrets.keys())
    const left = new Map([
      ['standard output', ended.stdout],
      ['standard error', ended.stderr],
      ['state', [...state].join('\n')],
      ...[...report].map(([name, text]) => [name, text] as const),
      ...['history', 'temporary', 'state'].flatMap((name) =>
        [...textsBelow(join(folder, name))]
          .filter(([file]) => !OUR_SOURCES.test(file))
          .map(([file, text]) => [`${name}/${file}`, text] as const),
      ),
    ])
    const leaks = [...left].flatMap(([name, text]) => search.in(name, text))
    return {
      sent: proxy.sent,
      secrets: proxy.secrets,
      leaks,
      wrong: faultsOf(ended, report, proxy.sent),
      code: ended.code,
      seconds: ended.seconds,
    }
  } finally {
    clearInterval(reading)
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
