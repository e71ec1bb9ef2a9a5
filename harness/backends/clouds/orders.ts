/** Misbehaviour to order, for one project: slow, failing, cut off, or signing wrongly. */

export interface Order {
  /** Beginning of the operations concerned, e.g. `iam.` or `iam.createKey`; empty: all. */
  operation: string
  delayMs?: number
  /** Answered instead of doing anything. */
  status?: number
  /** The connection is closed without an answer. */
  cut?: boolean
  /** Signatures come with a bit turned over. */
  wrongSignature?: boolean
  /** How many requests are concerned; default all. */
  times?: number
}

/** The first order that concerns an operation; it has been used once more afterwards. */
export const orderFor = (orders: Order[], operation: string): Order | undefined => {
  const order = orders.find(({ operation: start, times }) => operation.startsWith(start) && (times === undefined || times > 0))
  if (order?.times !== undefined) order.times -= 1
  return order
}

/** Whether signatures of this operation are to be wrong. Looks only: the order is used up by the request itself. */
export const signsWrongly = (orders: Order[], operation: string): boolean =>
  orders.some(({ operation: start, wrongSignature }) => wrongSignature === true && operation.startsWith(start))
