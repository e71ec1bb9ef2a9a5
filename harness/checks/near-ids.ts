/** Ids that are near to one that was given, and were not given themselves. */
import type { Bench } from './vocabulary.ts'

/** Whether an id in another spelling may be the given one: letter case may not count, blanks may be cut off, and an ending may name a format. */
const MAY_MEAN_IT = ['in upper case', 'in lower case', 'with a blank before it', 'with a blank behind it', 'with the ending of a format']

/**
 * Ids that a comparison of parts, or without letter case, takes for the given one. A caller that asks for one has to look whether it is somebody's: where ids are short
 * or counted, it may be. Where `open` is true a server may take the id for the given one.
 */
export const nearIds = (bench: Pick<Bench, 'random'>, id: string): [how: string, near: string, open: boolean][] => {
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
  return near
    .filter(([, other]) => other !== id && other !== '')
    .map(([how, other]): [string, string, boolean] => [how, other, MAY_MEAN_IT.includes(how)])
}
