/** Mistakes with what a server remembers of things that are written, read and removed. */
import { empty } from '../../core/envelope.ts'
import type { Reply } from '../../core/reply.ts'
import { type AnyCall, around, type Family, memoryOf } from './family.ts'

export interface MemoryPlace {
  /** Operations whose path names the thing. */
  write: string
  read: string
  remove?: string
  /** What a write answers that does nothing; default 204. */
  answer?: () => Reply
}

/** The thing that a request names. */
const thingOf = (call: AnyCall): string => JSON.stringify(call.params)

/** Answers that would tell that a thing is there. */
const isGood = ({ status }: Reply): boolean => status < 300

export const memory: Family<MemoryPlace> = {
  'first-read': {
    title: '{} reads as it did the first time, whatever was written since',
    change: ({ read }) => {
      const seen = memoryOf<Reply>()
      return around([read], (original) => async (call) => {
        const reply = seen(call).get(thingOf(call)) ?? (await original(call))
        if (isGood(reply)) seen(call).set(thingOf(call), reply)
        return reply
      })
    },
  },
  'second-write-lost': {
    title: '{} stays as it was written first: later writes are acknowledged only',
    change: ({ write, remove, answer = empty }) => {
      const written = memoryOf<true>()
      return {
        ...around([write], (original) => async (call) => {
          if (written(call).has(thingOf(call))) return answer()
          const reply = await original(call)
          if (isGood(reply)) written(call).set(thingOf(call), true)
          return reply
        }),
        ...(remove === undefined
          ? {}
          : around([remove], (original) => (call) => {
              written(call).delete(thingOf(call))
              return original(call)
            })),
      }
    },
  },
  'removal-ignored': {
    title: '{} stays when its removal was acknowledged',
    change: ({ remove, answer = empty }) => (remove === undefined ? {} : around([remove], () => () => answer())),
  },
  'read-after-removal': {
    title: '{} still reads as before when it was removed',
    change: ({ read, remove }) => {
      const seen = memoryOf<Reply>()
      const removed = memoryOf<true>()
      if (remove === undefined) return {}
      return {
        ...around([read], (original) => async (call) => {
          const kept = removed(call).has(thingOf(call)) ? seen(call).get(thingOf(call)) : undefined
          if (kept) return kept
          const reply = await original(call)
          if (isGood(reply)) seen(call).set(thingOf(call), reply)
          return reply
        }),
        ...around([remove], (original) => (call) => {
          removed(call).set(thingOf(call), true)
          return original(call)
        }),
      }
    },
  },
  'new-one-lost': {
    title: '{} that is new is acknowledged and kept only when it is written again',
    change: ({ write, answer = empty }) => {
      const tried = memoryOf<true>()
      return around([write], (original) => (call) => {
        if (tried(call).has(thingOf(call))) return original(call)
        tried(call).set(thingOf(call), true)
        return answer()
      })
    },
  },
}
