/** Mistakes with members that are true or false. */
import type { Json } from '../../core/json.ts'
import { around, type Family, type Operator } from './family.ts'
import { requestMember } from './members.ts'
import type { ParameterPlace } from './request-parameters.ts'

const toggle = (title: string, change: (value: Json | undefined) => Json | undefined): Operator<ParameterPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member }) => around(operations, requestMember(member, change)),
})

export const switches: Family<ParameterPlace> = {
  on: toggle('counts as true whatever was sent', () => true),
  off: toggle('counts as false whatever was sent', () => false),
  inverted: toggle('counts as its contrary', (value) => (typeof value === 'boolean' ? !value : value)),
  'text-is-true': toggle('counts as true when it comes as a text', (value) => (typeof value === 'string' ? true : value)),
}
