/** What the faults of the broker engine share. */
import { type Fault, fault, type Mutation } from '../../core/mutation.ts'
import { type BrokerRoute, brokerEngine } from '../../engines/broker/index.ts'
import type { BrokerRules } from '../../engines/broker/rules.ts'

export type Handle = BrokerRoute['handle']

/** Declares a fault of the engine. */
export const brokerFault = (id: string, clauses: string[], title: string, mutation: Mutation<BrokerRules, Handle>): Fault =>
  fault(brokerEngine, { id: `broker-${id}`, engine: 'broker', title, clauses }, mutation)
