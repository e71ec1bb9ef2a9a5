/** What several faults of the conventions share. */
import type { Call } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { withBody } from '../../mutations/request-kinds.ts'

type AnyCall = Call<unknown, object>

/** The namespace header, however the dialect spells it. */
const namespaceHeader = ({ headers }: Pick<RequestFacts, 'headers'>): string | undefined =>
  headers['x-service-namespace'] ?? headers['x-vault-namespace']

/** Namespace and path of a request as one, without trailing slash. */
export const placeOf = (request: RequestFacts): string =>
  [...(namespaceHeader(request) ?? '').split('/'), ...request.path.split('/')].filter((segment) => segment !== '').join('/')

/** The same of a call. */
export const placeOfCall = (call: AnyCall): string => call.mount.namespace + call.path

export const asksForList = ({ method, query }: RequestFacts): boolean =>
  method === 'LIST' || (method === 'GET' && query.get('list') === 'true')

/** The reply with other names in its `data.keys`; replies without stay. */
export const withKeys = (reply: Reply, change: (keys: string[]) => Json): Reply =>
  withBody(reply, (body) => {
    const data = body.data
    if (data === null || typeof data !== 'object' || Array.isArray(data) || !Array.isArray(data.keys)) return body
    return { ...body, data: { ...data, keys: change(data.keys.map(String)) } }
  })

/** Names of path parameters that take the rest of a path. */
const RESTS = new Set(['path', 'directory', 'id', 'prefix'])

/** The path parameters that stand for one name each. */
export const namedParameters = ({ params }: AnyCall): [string, string][] => Object.entries(params).filter(([name]) => !RESTS.has(name))
