/** Requests that prepare something or belong to a refusal, and that a server under load says it has not carried out. */
import { setTimeout } from 'node:timers/promises'

/** What storage of this family says of a write that gave way to another one: nothing of it was committed. */
const SAID = /transaction commit failed/i
const PAUSES_MS = [50, 150, 450, 1350]

/** Whether an answer of this status and text says that nothing was committed, so that the request may be sent again. */
export const saysUncommitted = (status: number, text: string): boolean => status === 500 && SAID.test(text)

/** Sends a request up to five times, as long as its answer says that nothing was committed. Never for a success that is judged. */
export const untilCommitted = async <A>(send: () => Promise<A>, isUncommitted: (answer: A) => boolean): Promise<A> => {
  let answer = await send()
  for (const pause of PAUSES_MS) {
    if (!isUncommitted(answer)) break
    await setTimeout(pause)
    answer = await send()
  }
  return answer
}
