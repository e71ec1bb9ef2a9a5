/** Mistakes with names under which things are kept: two names come to mean one thing. */
import { type AnyCall, around, type Family, type Operator } from './family.ts'

export interface NamePlace {
  /** Every operation whose path has the name. */
  operations: readonly string[]
  /** The parameter of the path; default `name`. */
  parameter?: string
}

const name = (title: string, change: (name: string) => string): Operator<NamePlace> => ({
  title: `{} ${title}`,
  change: ({ operations, parameter = 'name' }) =>
    around(operations, (original) => (call: AnyCall) => {
      const given = call.params[parameter]
      return original(given === undefined ? call : { ...call, params: { ...call.params, [parameter]: change(given) || given } })
    }),
})

export const names: Family<NamePlace> = {
  cut: name('counts by its first 24 characters', (given) => given.slice(0, 24)),
  hyphens: name('has underscores and hyphens for one', (given) => given.replaceAll('_', '-')),
  digits: name('counts without its digits', (given) => given.replace(/\d/g, '')),
  prefix: name('counts up to its first hyphen', (given) => given.split('-')[0] ?? ''),
  dots: name('counts without its dots', (given) => given.replaceAll('.', '')),
}
