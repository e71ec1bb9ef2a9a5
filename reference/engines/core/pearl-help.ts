/** What the faults of this set share: where a call goes, which caller it has, and listings that are looked at before they are answered. */
import type { Call } from '../../core/engine.ts'

export type AnyCall = Call<unknown, object>

/** The mount of a call with its namespace. */
export const mountKey = (call: AnyCall): string => `${call.mount.namespace}|${call.mount.path}`

/** Something that is the same for all calls of one server. */
export const serverOf = (call: AnyCall): object => call.services.leases

/** A call to an engine, not to the service's own routes. */
export const toEngine = (call: AnyCall | undefined): call is AnyCall => call !== undefined && !/^(sys|auth)(\/|$)/.test(call.path)
