/** What the afresh faults of the broker engine share. */
import type { RequestFacts } from '../../core/rules.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { BrokerRules } from './rules.ts'
import type { VhostRights } from './state.ts'

type Where = (request: RequestFacts) => boolean

const endsIn =
  (pattern: RegExp): Where =>
  (request) =>
    pattern.test(request.path) && !isProvisioning(request)

export const atRole = endsIn(/(^|\/)roles\/[^/]+$/)

export const atConnection = endsIn(/(^|\/)config\/connection$/)

export const atLease = endsIn(/(^|\/)config\/lease$/)

export const patternsBy =
  (change: (pattern: string) => string) =>
  (original: BrokerRules['rightsOfUser']): BrokerRules['rightsOfUser'] =>
  (rights) => {
    const changed = ({ configure, write, read }: VhostRights): VhostRights => ({
      configure: change(configure),
      write: change(write),
      read: change(read),
    })
    return new Map([...original(rights)].map(([vhost, right]) => [vhost, changed(right)]))
  }
