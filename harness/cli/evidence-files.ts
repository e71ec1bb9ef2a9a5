/** The folder `evidence/` beside the results: files that show a violation and send it again. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../../specs/meta/results.ts'
import type { Attempts } from '../base/separate-steps.ts'
import { writeWhole } from '../base/whole-file.ts'

const FOLDER = 'evidence'
const isOurs = (name: string): boolean => /^[A-Z0-9-]+\.(?:har|sh)$/.test(name)

/** Removes what an earlier run left in the folder of a report. */
const removeEarlier = (out: string): void => {
  const folder = join(out, FOLDER)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter(isOurs)) rmSync(join(folder, name))
}

/**
 * Writes the files instead of those of an earlier run.
 *
 * @param files texts by their path in the folder of the report.
 * @param attempts keeps what could not be written.
 * @returns the paths of what was written.
 */
export const writeEvidence = async (files: ReadonlyMap<string, string>, out: string, attempts: Attempts): Promise<string[]> => {
  await attempts.make(() => removeEarlier(out))
  const written: string[] = []
  for (const [name, text] of files)
    await attempts.make(() => {
      writeWhole(join(out, name), text, name.endsWith('.sh') ? 0o755 : undefined)
      written.push(join(out, name))
    })
  return written
}

/**
 * The evidence of shards, for the report that joins them.
 *
 * @param parts folders of reports with their results, in order; of one clause the first evidence counts.
 */
export const evidenceOf = (parts: readonly { place: string; results: Results }[]): Map<string, string> => {
  const files = new Map<string, string>()
  for (const { place, results } of parts) {
    for (const { reproduction } of results.clauses) {
      for (const name of [reproduction?.har, reproduction?.script]) {
        if (name === undefined || files.has(name) || !isOurs(name.slice(FOLDER.length + 1))) continue
        const file = join(place, name)
        if (existsSync(file)) files.set(name, readFileSync(file, 'utf8'))
      }
    }
  }
  return files
}
