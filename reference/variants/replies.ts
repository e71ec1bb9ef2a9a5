/** Alternatives that several engines share. */

import type { Reply } from '../core/engine.ts'
import { secret } from '../core/envelope.ts'

/** Writes that succeed answer 200 with an envelope. */
export const withBody =
  <C>(original: (call: C) => Reply | Promise<Reply>) =>
  async (call: C): Promise<Reply> => {
    const reply = await original(call)
    return reply.status === 204 ? secret(null) : reply
  }
