/**
 * Prints a table of what becomes of a run against a server that misbehaves, from the first request on and from the 201st:
 * `npm run hostile -- WORDS OF A NAME`, with `--engines all` or some names another choice than kv. Every run has to end by itself and in
 * time, with an exit code that is neither 0 nor 4, and may take no more memory and write no more than its bound above the same run against a server
 * that behaves well.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createReference } from '../reference/index.ts'
import { misbehaving, misbehaviours } from '../tests/support/misbehaviour.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const AFTER = [0, 200]
const TOKEN = 'root-token-of-the-hostile-table'
const FLAGS = ['--effort', 'quick', '--timeout', '2s', '--max-time', '3m', '--json']
const LOOK_EVERY = 50
/** The longest time of a run, and a minute to clean up. */
const MAX_SECONDS = 240
const MORE_MB = 150
const MORE_WRITTEN_MB = 10
const MB = 1024 * 1024

interface Row {
  code: number | null
  seconds: number
  peakMb: number
  writtenMb: number
  reason: string
}

/** Most memory that a process has had, in MB, as the system counts it. */
const peakOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

const writtenIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) / MB

const reasonIn = (stdout: string, stderr: string): string => {
  try {
    const { verdict, gateReasons } = JSON.parse(stdout) as { verdict: string; gateReasons: { message: string }[] }
    return `${verdict}: ${gateReasons[0]?.message ?? ''}`
  } catch {
    return stderr.split('\n').find((line) => line.startsWith('assay:')) ?? ''
  }
}

const certify = async (url: string, engines: string): Promise<Row> => {
  const narrowed = engines === 'all' ? [] : ['--engine', engines]
  const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'harness/cli/main.ts'), 'certify', url, '--token', TOKEN, '--out', folder, ...narrowed, ...FLAGS],
    {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', ASSAY_STATE_DIR: join(folder, 'journal') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let stdout = ''
  let stderr = ''
  let peakMb = 0
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const timer = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid ?? 0))), LOOK_EVERY)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  clearInterval(timer)
  const writtenMb = writtenIn(folder)
  rmSync(folder, { recursive: true, force: true })
  return { code, seconds: (performance.now() - begun) / 1000, peakMb, writtenMb, reason: reasonIn(stdout, stderr) }
}

const tryOne = async (name: string, after: number, engines: string): Promise<Row> => {
  const reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
  const proxy = await misbehaving(reference.url, name, after)
  try {
    return await certify(proxy.url, engines)
  } finally {
    await proxy.close()
    await reference.close()
  }
}

const { values, positionals } = parseArgs({ options: { engines: { type: 'string', default: 'kv' } }, allowPositionals: true })
const wanted = positionals.join(' ')
const show = (name: string, from: string, { code, seconds, peakMb, writtenMb, reason }: Row): void =>
  void process.stdout.write(
    `| ${name} | ${from} | ${code} | ${seconds.toFixed(1)} | ${peakMb.toFixed(0)} | ${writtenMb.toFixed(1)} | ${reason.slice(0, 160).replaceAll('|', '/')} |\n`,
  )

process.stdout.write(
  '| the server ... | from request | exit code | seconds | peak MB | written MB | first reason |\n|---|---|---|---|---|---|---|\n',
)
const good = await tryOne(Object.keys(misbehaviours)[0]!, Number.POSITIVE_INFINITY, values.engines)
show('behaves well', '', good)
const isRight = ({ code, seconds, peakMb, writtenMb }: Row): boolean =>
  (code === 1 || code === 3) && seconds <= MAX_SECONDS && peakMb <= good.peakMb + MORE_MB && writtenMb <= good.writtenMb + MORE_WRITTEN_MB
for (const name of Object.keys(misbehaviours).filter((one) => one.includes(wanted))) {
  for (const after of AFTER) {
    const row = await tryOne(name, after, values.engines)
    if (!isRight(row)) process.exitCode = 1
    show(name, String(after + 1), row)
  }
}
