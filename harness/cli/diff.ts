/** `assay diff OLD NEW`: what changed between two results. */
import {
  type Difference,
  differenceMarkdown,
  differenceOf,
  differenceText,
  incomparable,
  readResults,
  renderDiffPage,
} from '../../reports/index.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { UsageError } from '../base/usage.ts'
import { writeWhole } from '../base/whole-file.ts'
import { exit } from './exit.ts'
import { requireWritableFile } from './surroundings.ts'

export interface DiffOptions {
  format: keyof typeof RENDER
  slower: number
  force?: boolean
  out?: string
}

const RENDER = {
  text: differenceText,
  markdown: differenceMarkdown,
  json: (difference: Difference) => `${jsonText(difference, 2)}\n`,
  html: renderDiffPage,
}

export const diff = async (older: string, newer: string, { format, slower, force, out }: DiffOptions): Promise<number> => {
  const [old, other] = [await readResults(older), await readResults(newer)]
  const why = incomparable(old, other)
  if (why !== undefined && force !== true) throw new UsageError(`${why}: give two results of one target, or --force`)
  if (out !== undefined) requireWritableFile('--out', out)
  const difference = differenceOf(old, other, slower)
  const text = RENDER[format](difference)
  if (out === undefined) process.stdout.write(text)
  else writeWhole(out, text)
  return difference.regression ? exit.failed : exit.passed
}
