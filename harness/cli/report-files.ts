/** The files of a report, each of them written although another one could not be. */
import { join } from 'node:path'
import { FORMATS, type Format, type TargetNights, WRITERS } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import type { Attempts } from '../base/separate-steps.ts'
import { writeWhole } from '../base/whole-file.ts'

/** What a report is written from and to. */
interface ReportPlace {
  results: Results
  /** Folder; made where it is absent, files of an earlier run are replaced. */
  out: string
  /** Earlier runs of the target, this one included, where they are kept. */
  nights?: TargetNights | undefined
}

/**
 * Writes the reports of a run.
 *
 * @param attempts keeps what could not be written.
 * @param formats default all.
 * @returns the paths of what was written, in the order of the formats.
 */
export const writeReports = async (
  { results, out, nights }: ReportPlace,
  attempts: Attempts,
  formats: readonly Format[] = FORMATS,
): Promise<string[]> => {
  const files: string[] = []
  for (const format of formats) {
    const { file, render } = WRITERS[format]
    await attempts.make(() => {
      writeWhole(join(out, file), render(results, nights))
      files.push(join(out, file))
    })
  }
  return files
}
