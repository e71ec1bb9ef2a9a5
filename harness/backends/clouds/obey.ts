/** Requests carried out under orders. */
import type { CloudAnswer, Step } from './cloud-exchange.ts'
import type { Order } from './orders.ts'

/** Ends the connection where it is thrown. */
export class CutOff extends Error {}

/** Answers a request under an order. Throws CutOff where the order says so. */
export const obey = async (order: Order | undefined, step: Step, failure: (status: number) => CloudAnswer): Promise<CloudAnswer> => {
  if (order?.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, order.delayMs))
  if (order?.cut === true) throw new CutOff()
  if (order?.status !== undefined) return failure(order.status)
  return step.run()
}
