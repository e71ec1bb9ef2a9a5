/** The commonest way of getting a refusal wrong, for the faults of any engine. */
import type { Reply } from '../core/engine.ts'
import { ApiError } from '../core/errors.ts'

/** Answers with success where the original refuses; C is the engine's kind of call. */
export const forgivingCalls =
  <C>(reply: (call: C) => Reply, when: (call: C) => boolean = () => true) =>
  (original: (call: C) => Reply | Promise<Reply>) =>
  async (call: C): Promise<Reply> => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && when(call)) return reply(call)
      throw cause
    }
  }
