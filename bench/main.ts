/**
 * `npm run bench`: one JSON object on standard output.
 *
 * Flags: `--requests N` (default 20 000 per measurement), `--instances N` (default 10 000 per schema and generator), `--checks N` (default
 * 20 000 on the page).
 */
import { execFile } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    instances: { type: 'string', default: '10000' },
    checks: { type: 'string', default: '20000' },
  },
})

const run = promisify(execFile)

// Each measurement has a process of its own, so that its peak memory is its own.
const measured = async (file: string, ...words: string[]): Promise<unknown> => {
  process.stderr.write(`${file} ...\n`)
  const path = fileURLToPath(new URL(`./${file}.ts`, import.meta.url))
  const { stdout } = await run(process.execPath, ['--import', 'tsx', path, ...words], { maxBuffer: 1 << 20 })
  return JSON.parse(stdout) as unknown
}

const result = {
  node: process.version,
  cores: availableParallelism(),
  loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  startup: await measured('startup'),
  exchanges: await measured('exchanges', values.requests),
  generators: await measured('generators', values.instances),
  transform: await measured('transform', values.requests),
  keyBackends: await measured('key-backends', values.requests),
  page: await measured('page', values.checks),
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
