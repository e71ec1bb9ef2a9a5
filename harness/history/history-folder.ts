/** A folder in which results of earlier runs are kept, by date and digest: packed, without evidence, and no more of them than asked for. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Results } from '../../specs/meta/results.ts'
import { writeWhole } from '../base/whole-file.ts'

const NAME = /^\d{8}T\d{6}Z-[0-9a-f]{12}\.json\.gz$/

/** Exchanges take most of the room, and the report that was written then has them. */
const withoutEvidence = ({ answers: _, ...results }: Results): Results => ({
  ...results,
  checks: results.checks.map((check) => ({ ...check, evidence: [] })),
})

const nameOf = (startedAt: string, text: string): string => {
  const at = `${startedAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  return `${at}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json.gz`
}

/** The files of a folder, the oldest first. */
export const keptIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => NAME.test(name))
        .sort()
        .map((name) => join(folder, name))
    : []

/**
 * Keeps results, and removes the oldest of what is kept beyond a number.
 *
 * @param most how many runs stay.
 */
export const keepResults = (folder: string, results: Results, most: number): void => {
  const text = JSON.stringify(withoutEvidence(results))
  writeWhole(join(folder, nameOf(results.startedAt, text)), gzipSync(text))
  for (const file of keptIn(folder).slice(0, -most)) rmSync(file)
}
