/** What a matrix of killers keeps on its way: a line for each fault that was tried, so that a stop loses none of them. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { writeWhole } from '../base/whole-file.ts'
import { packageRoot } from '../contract/package-root.ts'
import { DID, type FaultTrials } from '../mutation/trials.ts'

/** A digest of everything that decides what a check makes of a fault. */
export const sourcesDigest = (): string => {
  const code = fileURLToPath(new URL('../..', import.meta.url))
  const folders = [join(packageRoot, 'specs'), ...['harness', 'suites', 'reference'].map((name) => join(code, name))]
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !/\.(test|d)\.[tj]s$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const digest = createHash('sha256')
  for (const file of files.sort()) digest.update(readFileSync(file))
  return digest.digest('hex').slice(0, 16)
}

/** The first line of each session: what it was made from. */
interface Session {
  sources: string
  at: string
}

/** A line that a stop cut in two says nothing. */
const parsed = (line: string): Session | FaultTrials | undefined => {
  try {
    return JSON.parse(line) as Session | FaultTrials
  } catch {
    return undefined
  }
}

/** The journal in a folder: what earlier sessions tried, and what this one adds. */
export class KillersJournal {
  /** By the ids of faults; the last word on each counts. */
  readonly records = new Map<string, FaultTrials>()
  /** Whether an earlier session was made from other sources. */
  readonly isMixed: boolean
  readonly #file: string

  constructor(out: string, sources: string) {
    mkdirSync(out, { recursive: true })
    this.#file = join(out, 'killers.jsonl')
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : ''
    const lines = text.split('\n').flatMap((line) => parsed(line) ?? [])
    for (const line of lines) if ('fault' in line) this.records.set(line.fault, line)
    this.isMixed = lines.some((line) => 'sources' in line && line.sources !== sources)
    // Begins a line of its own, where the last one was cut.
    appendFileSync(
      this.#file,
      `${text === '' || text.endsWith('\n') ? '' : '\n'}${JSON.stringify({ sources, at: new Date().toISOString() })}\n`,
    )
  }

  add(record: FaultTrials): void {
    this.records.set(record.fault, record)
    appendFileSync(this.#file, `${JSON.stringify(record)}\n`)
  }
}

/** The matrix as one compact object: each id once, and rows of places in these lists. */
const matrixOf = (records: readonly FaultTrials[]) => {
  const checks = [...new Set(records.flatMap(({ trials }) => trials.map(([check]) => check)))].sort()
  const placeOf = new Map(checks.map((check, place) => [check, place]))
  return {
    columns: ['fault', 'check', 'did', 'requests', 'ms'],
    did: DID,
    checks,
    faults: records.map(({ fault, state, seed }) => [fault, state, seed] as const),
    rows: records.flatMap(({ trials }, fault) =>
      trials.map(([check, did, requests, ms]) => [fault, placeOf.get(check)!, DID.indexOf(did), requests, ms]),
    ),
  }
}

/** Writes the matrix into a folder. @returns the name of the file */
export const writeMatrix = (records: readonly FaultTrials[], out: string): string => {
  const file = join(out, 'killers.json.gz')
  writeWhole(file, gzipSync(JSON.stringify(matrixOf(records)), { level: 9 }))
  return file
}
