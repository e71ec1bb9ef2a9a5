/** Leases as a check deals with them, through the provisioner. */
import { Blocked } from '../base/errors.ts'
import { asObject } from '../base/json.ts'
import type { Bench } from '../checks/vocabulary.ts'
import type { Answer } from '../target/exchange.ts'
import { type RunContext, targetOfCheck } from './context.ts'
import type { Session } from './session.ts'

/** The lease endpoints of the target that a check is about. */
export const leasesOf = (context: RunContext, session: Session): Bench['leases'] => {
  const target = targetOfCheck(context, session.check)
  const shaped = async (action: 'renew' | 'lookup', leaseId: string, increment?: number): Promise<Answer> => {
    const { status, body } = await target.provisioner.lease(action, leaseId, increment)
    const data = asObject(body.data)
    const text = JSON.stringify(body)
    return {
      status,
      headers: {},
      body,
      text,
      bytes: Buffer.from(text),
      exchange: session.exchanges,
      operation: `lease ${action}`,
      data,
      ok: status >= 200 && status < 300,
    }
  }
  return {
    async revoke(leaseId) {
      const { status } = await target.provisioner.lease('revoke', leaseId)
      if (status >= 300) throw new Blocked(`revoking a lease answered ${status}`, 'give a token that may use the lease endpoints')
    },
    renew: (leaseId, increment) => shaped('renew', leaseId, increment),
    lookup: (leaseId) => shaped('lookup', leaseId),
  }
}
