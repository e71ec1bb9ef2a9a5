/** Mistakes with the shape of replies: a member that is not there, or is of another type. */
import type { Json } from '../../core/json.ts'
import { around, type Family, type Operator } from './family.ts'
import { replyMember } from './members.ts'
import type { ReplyPlace } from './replies.ts'

/** The value in a type that it does not have. */
const retyped = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return { value }
  if (Array.isArray(value)) return value.join(',')
  return value && JSON.stringify(value)
}

const shape = (title: string, change: (value: Json | undefined) => Json | undefined): Operator<ReplyPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member }) => around(operations, replyMember(member, change)),
})

export const shapes: Family<ReplyPlace> = {
  'left-out': shape('is not in the reply', () => undefined),
  null: shape('is null', () => null),
  retyped: shape('is of another type', retyped),
}
