/** `assay diff OLD NEW`: what changed between two results. */
import { Command, Option } from 'commander'
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
import { factorNumber } from './flags.ts'
import { requireWritableFile } from './surroundings.ts'

interface DiffOptions {
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

const diff = async (older: string, newer: string, { format, slower, force, out }: DiffOptions): Promise<number> => {
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

export const diffCommand = (): Command =>
  new Command('diff')
    .description('what changed between two results of one target; exit 1 on a regression')
    .argument('<old>', 'results.json of an earlier run')
    .argument('<new>', 'results.json of a later one')
    .addOption(new Option('--format <format>', 'how it is written').choices(Object.keys(RENDER)).default('text'))
    .option('--slower <factor>', 'a check counts as slower that takes more than so many times what it took', factorNumber, 3)
    .option('--force', 'compare results of different targets too')
    .option('--out <file>', 'write there, not to the terminal')
    .action(async (older: string, newer: string, options: DiffOptions) => {
      process.exitCode = await diff(older, newer, options)
    })
