/** For `.ci/run`: `split` prints the engines of either half of the proof; `missing FILE...` fails where the proofs leave an engine out. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../harness/contract/package-root.ts'
import { halvesOf, missingFrom } from './proof-halves.ts'

const list = <T>(what: string): T[] => {
  const words = [join(packageRoot, 'bin/assay.js'), 'list', what, '--json']
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })) as T[]
}

const [what, ...files] = process.argv.slice(2)
const engines = list<{ id: string }>('engines')
if (what === 'split') {
  for (const half of halvesOf(engines, list<{ engine: string }>('faults'))) process.stdout.write(`${half.join(',')}\n`)
} else {
  const kills = files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { kills: { engine: string }[] }).kills)
  const missing = missingFrom(engines, kills)
  if (missing.length > 0) {
    process.stderr.write(`not proven: no fault was tried of ${missing.join(', ')}\n`)
    process.exitCode = 1
  }
}
