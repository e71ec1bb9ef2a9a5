/** Mistakes with listings. */
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { around, type Family, memoryOf, type Operator } from './family.ts'
import { replyMember } from './members.ts'

export interface ListPlace {
  operations: readonly string[]
  /** Where the reply has the list; default `data.keys`. */
  member?: string
}

const list = (title: string, change: (items: Json[]) => Json[]): Operator<ListPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member = 'data.keys' }) =>
    around(
      operations,
      replyMember(member, (value) => (Array.isArray(value) ? change(value) : value)),
    ),
})

export const lists: Family<ListPlace> = {
  'ends-early': list('lacks its last entry', (items) => (items.length > 1 ? items.slice(0, -1) : items)),
  'begins-late': list('lacks its first entry', (items) => (items.length > 1 ? items.slice(1) : items)),
  twice: list('shows its first entry twice', (items) => [...items.slice(0, 1), ...items]),
  'of-ten': list('ends after ten entries', (items) => items.slice(0, 10)),
  'of-objects': list('has objects in place of names', (items) => items.map((item) => (typeof item === 'string' ? { name: item } : item))),
  'alone-only': list('shows an only entry in capital letters', (items) =>
    items.length === 1 ? items.map((item) => (typeof item === 'string' ? item.toUpperCase() : item)) : items,
  ),
  stale: {
    title: '{} stays what it was when it was first shown',
    change: ({ operations }) => {
      const shown = memoryOf<Reply>()
      return around(operations, (original) => async (call) => {
        const first = shown(call).get(call.path)
        if (first) return first
        const reply = await original(call)
        shown(call).set(call.path, reply)
        return reply
      })
    },
  },
}
