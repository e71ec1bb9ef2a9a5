/** Words that the faults of the core share. A fault spares the provisioning endpoints, so that what it breaks is the contract. */
import type { Json, JsonObject } from '../core/json.ts'
import type { Reply } from '../core/reply.ts'
import type { RequestFacts, RouteFacts } from '../core/rules.ts'

/** True for paths of `sys/` and `auth/`, in any namespace. */
export const isProvisioning = ({ path }: Pick<RequestFacts, 'path'>): boolean => /(^|\/)(sys|auth)\//.test(path)

export const isEngineRoute = ({ id }: RouteFacts): boolean => !/^(sys|token|core)\./.test(id)

export const isRead = (request: RequestFacts): boolean => /^(GET|LIST)$/.test(request.method) && !isProvisioning(request)

export const isWrite = (request: RequestFacts): boolean => /^(POST|PUT)$/.test(request.method) && !isProvisioning(request)

/** The reply with its JSON object changed; replies without one stay. */
export const withBody = (reply: Reply, change: (body: JsonObject) => Json): Reply => {
  const { body } = reply
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return reply
  return { ...reply, body: change(body) }
}
