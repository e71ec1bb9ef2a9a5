/** Mistakes with numbers of requests, seconds among them. */

import { around, type Family, type Operator } from './family.ts'
import { requestMember } from './members.ts'
import type { ParameterPlace } from './request-parameters.ts'

const number = (title: string, change: (value: number) => number | undefined): Operator<ParameterPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member }) =>
    around(
      operations,
      requestMember(member, (value) => {
        const isDigits = typeof value === 'string' && /^\d+$/.test(value)
        return typeof value === 'number' || isDigits ? change(Number(value)) : value
      }),
    ),
})

export const numbers: Family<ParameterPlace> = {
  'one-more': number('counts one more', (value) => value + 1),
  'one-less': number('counts one less', (value) => Math.max(0, value - 1)),
  doubled: number('counts twice', (value) => value * 2),
  'in-minutes': number('counts as minutes', (value) => value * 60),
  'zero-left-out': number('of 0 counts as left out', (value) => (value === 0 ? undefined : value)),
}
