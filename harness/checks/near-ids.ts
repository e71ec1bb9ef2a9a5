/** Ids that are near to one that was given, and were not given themselves. */
import type { Bench } from './vocabulary.ts'

/**
 * Ids that a comparison of parts, or without letter case, takes for the given one. A caller that asks for one has to look whether it is somebody's: where ids are short
 * or counted, it may be.
 */
export const nearIds = (bench: Pick<Bench, 'random'>, id: string): [how: string, near: string][] => {
  const cut = id.lastIndexOf('-') + 1
  const [kind, own] = [id.slice(0, cut), id.slice(cut)]
  const near: [string, string][] = [
    ['without its end', id.slice(0, -1)],
    ['without its beginning', id.slice(1)],
    ['with more at its end', `${id}${bench.random.word(2)}`],
    ['with more before it', `${bench.random.word(2)}${id}`],
    ['in upper case', kind + own.toUpperCase()],
    ['in lower case', kind + own.toLowerCase()],
    ['without its kind', own],
    ['with a blank before it', ` ${id}`],
    ['with a blank behind it', `${id} `],
    ['with the ending of a format', `${id}.json`],
  ]
  return near.filter(([, other]) => other !== id && other !== '')
}
