/** What faults in the files `*-later.faults.ts` beside this one share. */
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import type { BrokerCall } from './anew-help.ts'
import { management } from './management.ts'
import type { BrokerRules } from './rules.ts'
import type { VhostRights } from './state.ts'

type Handler = (call: BrokerCall) => Reply | Promise<Reply>

export const byRules =
  (other: (call: BrokerCall) => Partial<BrokerRules>) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...other(call) } })

export const byCall =
  (change: (call: BrokerCall) => BrokerCall) =>
  (original: Handler): Handler =>
  (call) =>
    original(change(call))

export const afterwards =
  (act: (call: BrokerCall, given: Reply) => void) =>
  (original: Handler): Handler =>
  async (call) => {
    const given = await original(call)
    act(call, given)
    return given
  }

export const beforehand =
  (act: (call: BrokerCall) => void) =>
  (original: Handler): Handler =>
  (call) => {
    act(call)
    return original(call)
  }

export const withRights = (
  rights: Map<string, VhostRights>,
  change: (vhost: string, right: VhostRights) => [string, VhostRights],
): Map<string, VhostRights> => new Map([...rights].map(([vhost, right]) => change(vhost, right)))

export const withPatterns = (right: VhostRights, change: (pattern: string) => string): VhostRights => ({
  configure: change(right.configure),
  write: change(right.write),
  read: change(right.read),
})

export const removeUser = async (call: BrokerCall, user: string): Promise<void> => {
  if (call.state.connection) await management.deleteUser(call.state.connection, user)
}

export const asksForCreds = ({ method, path }: RequestFacts): boolean => method === 'GET' && /\/creds\/[^/]+$/.test(path)

export const writes = ({ method }: RequestFacts): boolean => method === 'POST' || method === 'PUT'

export const isRolePath = ({ path }: RequestFacts): boolean => /\/roles\/[^/]+$/.test(path)

export const isConfigPath = ({ path }: RequestFacts): boolean => /\/config\/(connection|lease)$/.test(path)

export const isLeasePath = ({ path }: RequestFacts): boolean => /\/config\/lease$/.test(path)
