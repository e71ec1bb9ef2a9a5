/** What the faults of this folder that are called `*-gale` share. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

export const TOKEN_ROUTES = ['cloudc.readToken', 'cloudc.createToken']
export const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']

/** The roleset that a request names. */
export const nameIn = ({ params }: { params: Record<string, string> }): string => params.name ?? params.roleset ?? ''

/** The same request, decided otherwise. */
export const withRules = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

export const isOurs = (call: Call<unknown, object> | undefined): call is Call<CloudcState, object> => {
  const state = call?.state
  return typeof state === 'object' && state !== null && 'rolesets' in state && 'turns' in state
}

/** The lease that an answer shows. */
export const leaseOf = ({ services }: CloudcCall, { body }: Reply): Lease | undefined =>
  services.leases.find(String((body as { lease_id?: string } | undefined)?.lease_id))

/** What ids of leases of keys begin with, of one roleset or of a whole mount. */
export const keyPrefix = ({ mount }: CloudcCall, name?: string): string =>
  `${mount.namespace}${mount.path}key/${name === undefined ? '' : `${name}/`}`

export const without = (body: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

export const isKeyPath = (path: string): boolean => /(^|\/)key\/[^/]+$/.test(path)
