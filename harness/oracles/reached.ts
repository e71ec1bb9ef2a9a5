/** Connections of judges to backends, which a busy machine may reset before anything was said on them. */
import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from '../base/errors.ts'
import { codeOf } from './sql-refusals.ts'

const RESET = ['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'UND_ERR_SOCKET']
/** What clients of databases say where nothing came in time: the server hangs, or this process stood still meanwhile. */
const LATE = ['ETIMEDOUT', 'PROTOCOL_SEQUENCE_TIMEOUT']
const LATE_WORDS =
  /^(?:Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/
const isLate = (error: unknown): boolean => LATE.includes(codeOf(error)) || (error instanceof Error && LATE_WORDS.test(error.message))

const ATTEMPTS = 4
const PAUSE_MS = 250

/**
 * Connects, or asks what may be asked twice, and again where the connection is reset.
 *
 * @param place what is connected to, for the message.
 * @throws Blocked where it is reset each time, or nothing comes in time; other errors as they are.
 */
export const reached = async <T>(place: string, attempt: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isOver = isLate(error) || tried === ATTEMPTS
      if (!isLate(error) && !RESET.includes(codeOf(error))) throw error
      if (isOver) throw new Blocked(`${place} is not reached: ${(error as Error).message}`, 'see why it stopped, and run again')
      await wait(tried * PAUSE_MS)
    }
  }
}

/**
 * Asks a backend that is connected.
 *
 * @param place what is asked, for the message.
 * @throws Blocked where no answer comes in time; other errors as they are.
 */
export const answered = async <T>(place: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (isLate(error)) throw new Blocked(`${place} does not answer: ${(error as Error).message}`, 'see what keeps it busy, and run again')
    throw error
  }
}
