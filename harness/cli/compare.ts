/** `assay compare A B ...`: implementations side by side. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Compared, comparisonOf, comparisonText, readResults, renderComparePage } from '../../reports/index.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { UsageError } from '../base/usage.ts'
import { writeWhole } from '../base/whole-file.ts'
import { requireConsistent } from './consistent.ts'
import { requireWritable } from './surroundings.ts'

export interface CompareOptions {
  out: string
  json?: boolean
}

const REPORT = 'report.html'

/** Results in a folder or a file, with the page beside them as seen from the folder of the comparison. */
const comparedIn = async (place: string, out: string): Promise<Compared> => {
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const file = isFolder ? join(place, 'results.json') : place
  const results = await readResults(file)
  requireConsistent(file, results)
  const page = join(dirname(file), REPORT)
  if (!existsSync(page)) return { results }
  const path = relative(resolve(out), resolve(page)).split(sep).map(encodeURIComponent).join('/')
  return { results, report: path }
}

export const compare = async (places: string[], { out, json }: CompareOptions): Promise<void> => {
  if (places.length < 2) throw new UsageError('compare takes two results at least: name their files or folders')
  const comparison = comparisonOf(await Promise.all(places.map((place) => comparedIn(place, out))))
  requireWritable(out)
  const [page, data] = [join(out, 'compare.html'), join(out, 'compare.json')]
  writeWhole(page, renderComparePage(comparison))
  writeWhole(data, `${jsonText(comparison, 2)}\n`)
  process.stdout.write(json === true ? `${jsonText(comparison)}\n` : `${comparisonText(comparison)}\npage  ${page}\n`)
}
