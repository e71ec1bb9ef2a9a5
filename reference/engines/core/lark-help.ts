/** What the faults of one author share. */
import type { Call } from '../../core/engine.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'

export type AnyCall = Call<unknown, object>

/** Namespace and path of a call. */
export const placeOf = (call: AnyCall): string => call.mount.namespace + call.path

const wireHeader = (headers: Record<string, string>, name: string): string | undefined =>
  headers[`x-service-${name}`] ?? headers[`x-vault-${name}`]

const ownToken = ({ headers }: RequestFacts): string | undefined => wireHeader(headers, 'token')

export const carriedToken = (request: RequestFacts): string | undefined => ownToken(request) ?? request.headers.authorization

/** Namespace header and path as they were sent. */
export const sentPlace = (request: RequestFacts): string => `${wireHeader(request.headers, 'namespace') ?? ''}|${request.path}`

/** Another status of an empty listing, where the call is one of these. */
export const emptyListing = (status: number, where: (call: AnyCall) => boolean) => {
  let concerned = false
  return {
    check: (original) => (call, route) => {
      concerned = call.method === 'LIST' && where(call)
      original(call, route)
    },
    emptyListStatus: (original) => () => (concerned ? status : original()),
  } satisfies Mutation<CoreRules, unknown>['rules']
}
