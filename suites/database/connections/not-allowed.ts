/** What becomes of a role that its connection does not allow. */
import { type Answer, type CheckContext, isBackendFailure } from '../../../harness/checks/index.ts'

/** The clause that a refusal of credentials is 4xx. */
export const REFUSED_WELL = 'DATABASE-ALLOWED-10'

/**
 * Decides that no credentials are given. A request for credentials is well-formed, so that the status of its refusal is a clause of its own.
 * A write that names a role which is not allowed has to be refused with 4xx.
 */
export const givesNone = async ({ bench, expect }: CheckContext, clause: string, answer: Answer, what: string): Promise<void> => {
  const isWrite = answer.operation.includes('write')
  await bench.decide(clause, () => {
    if (isWrite) expect(answer, what).toBeRefused()
    else expect(isBackendFailure(answer.status), `no credentials of ${what}; it was ${answer.status}`).toBe(true)
  })
  if (isWrite) bench.observe(REFUSED_WELL, 'refused when it is written')
  else await bench.decide(REFUSED_WELL, () => expect(answer, what).toBeRefused())
}
