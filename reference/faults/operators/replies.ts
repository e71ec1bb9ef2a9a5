/** Mistakes with members of replies: plausible values that are not the right ones. */
import type { Json } from '../../core/json.ts'
import { around, type Family, memoryOf, type Operator } from './family.ts'
import { replyMember } from './members.ts'

export interface ReplyPlace {
  operations: readonly string[]
  /** For instance `data.ttl`. */
  member: string
}

const other = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? [...value, ...value.slice(0, 1)] : value
}

const emptied = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return ''
  return Array.isArray(value) ? [] : value
}

const member = (title: string, change: (value: Json | undefined) => Json | undefined): Operator<ReplyPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member: path }) => around(operations, replyMember(path, change)),
})

export const replies: Family<ReplyPlace> = {
  other: member('is near the right value', other),
  emptied: member('is empty, or 0', emptied),
  stale: {
    title: '{} stays what it was when it was first shown',
    change: ({ operations, member: path }) => {
      const first = memoryOf<Json>()
      return around(
        operations,
        replyMember(path, (value, call) => {
          const kept = first(call).get(call.path) ?? value
          if (kept !== undefined) first(call).set(call.path, kept)
          return kept
        }),
      )
    },
  },
  neighbours: {
    title: '{} is that of what was shown before, whatever that was',
    change: ({ operations, member: path }) => {
      const last = memoryOf<Json>()
      return around(
        operations,
        replyMember(path, (value, call) => {
          const before = last(call).get('')
          if (value !== undefined) last(call).set('', value)
          return before ?? value
        }),
      )
    },
  },
}
