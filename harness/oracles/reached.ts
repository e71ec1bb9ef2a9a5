/** Connections of judges to backends, which a busy machine may reset before anything was said on them. */
import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from '../base/errors.ts'
import { codeOf } from './sql-refusals.ts'

const RESET = ['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'UND_ERR_SOCKET']
const ATTEMPTS = 4
const PAUSE_MS = 250

/**
 * Connects, or asks what may be asked twice, and again where the connection is reset.
 *
 * @param place what is connected to, for the message.
 * @throws Blocked where it is reset each time; other errors as they are.
 */
export const reached = async <T>(place: string, attempt: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!RESET.includes(codeOf(error))) throw error
      if (tried === ATTEMPTS) throw new Blocked(`${place} is not reached: ${(error as Error).message}`, 'see why it stopped, and run again')
      await wait(tried * PAUSE_MS)
    }
  }
}
