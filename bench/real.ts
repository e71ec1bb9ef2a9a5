/**
 * `npm run real`: certifies servers that others wrote, started on loopback from programs of the user's own, with their files in targets/. It
 * installs nothing: `ASSAY_REAL_OPENBAO`, `ASSAY_REAL_RUSTYVAULT` and `ASSAY_REAL_OTF` name the programs, and a row without one says "not given".
 * All checks are tried. Flags of `assay certify` may follow (`npm run real -- --engine kv`).
 * Exits with 1 where the row of a server that was given is not right.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readResults } from '../reports/index.ts'
import { PROGRAM } from '../tests/support/command-line.ts'
import { type RealRow, realTable, rowNotGiven, rowOf, rowOfFailure } from './real-row.ts'
import { type RealServer, realServers, startChild } from './real-servers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = resolve('assay-report-real')
const INTERRUPTED = 130

const abort = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error(`ended by ${name}`)))

const runAssay = async (words: string[], env: Record<string, string>): Promise<{ code: number | null; output: string }> => {
  const child = startChild([...PROGRAM, ...words], { NO_COLOR: '1', ...env }, ROOT, abort.signal)
  // It cleans up on the server before it ends, and only then the server is stopped.
  const end = (): void => void child.process.kill('SIGTERM')
  abort.signal.addEventListener('abort', end)
  const code = await new Promise<number | null>((done) => child.process.on('close', done))
  abort.signal.removeEventListener('abort', end)
  return { code, output: child.output() }
}

const certify = async ({ name, variable, start }: RealServer, flags: string[]): Promise<RealRow> => {
  const program = process.env[variable]
  if (program === undefined || program === '') return rowNotGiven(name)
  const out = join(OUT, name)
  const folder = mkdtempSync(join(tmpdir(), 'assay-real-'))
  rmSync(out, { recursive: true, force: true })
  try {
    const running = await start(program, folder, abort.signal)
    try {
      process.stderr.write(`${name} is certified at ${running.url}\n`)
      const files = ['--config', `targets/${name}.config.yaml`, '--deviations', `targets/${name}.deviations.yaml`]
      const { code, output } = await runAssay(
        ['certify', running.url, '--effort', 'thorough', ...files, '--out', out, ...flags],
        running.env,
      )
      try {
        return rowOf(name, code, await readResults(join(out, 'results.json')))
      } catch {
        return rowOfFailure(name, String(code), output.trim().split('\n').at(-1) ?? '')
      }
    } finally {
      await running.stop()
    }
  } catch (error) {
    return rowOfFailure(name, '', (error as Error).message)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const flags = process.argv.slice(2)
const rows: RealRow[] = []
for (const server of realServers) if (!abort.signal.aborted) rows.push(await certify(server, flags))
process.stdout.write(realTable(rows))
const reports = rows.filter(({ verified }) => verified !== '').map(({ server }) => join(OUT, server))
if (reports.length > 1 && !abort.signal.aborted) {
  const { code, output } = await runAssay(['compare', ...reports, '--out', OUT], {})
  if (code !== 0) process.stderr.write(output)
  else process.stdout.write(`side by side: ${join(OUT, 'compare.html')}\n`)
}
if (rows.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
if (abort.signal.aborted) process.exitCode = INTERRUPTED
