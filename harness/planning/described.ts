/** Which operations a server's own description names, as path templates relative to their mount. */
import type { Operation } from '../contract/contract.ts'

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** A parameter of the contract fits whatever is in its place, one of several segments all that follow; other segments are literal. */
const fits = ({ path, parameters }: Operation, template: string): boolean => {
  const given = segmentsOf(template)
  const wanted = segmentsOf(path).slice(1)
  for (const [index, segment] of wanted.entries()) {
    const parameter = parameters.find(({ name }) => segment === `{${name}}`)
    if (parameter?.multiSegment) return true
    if (given[index] === undefined || (parameter === undefined && given[index] !== segment)) return false
  }
  return given.length === wanted.length
}

/** Ids of the operations that none of the templates names. */
export const undescribed = (operations: readonly Operation[], templates: readonly string[]): string[] =>
  operations.filter((operation) => !templates.some((template) => fits(operation, template))).map(({ id }) => id)
