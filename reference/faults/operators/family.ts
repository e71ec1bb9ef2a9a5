/** What an operator is: a kind of mistake that makes a fault at every place of its family. */
import type { JsonObject } from '../../core/json.ts'
import type { Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { remembered } from '../remembering.ts'

/** A request as operators see it, of either API: the body is parsed already, or it is the bytes that were sent. */
export interface AnyCall {
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string>
  path: string
  body: JsonObject | Uint8Array
  /** What the mount knows; undefined in the API whose requests share one world. */
  state?: object
  world?: object
  services?: { leases: Leases }
  now(): number
}

export type AnyHandle = (call: AnyCall) => Reply | Promise<Reply>

export type Wrap = (original: AnyHandle) => AnyHandle

/** A kind of mistake. P is what its family says of a place. */
export interface Operator<P> {
  /** What goes wrong; `{}` stands for the place. */
  title: string
  /** Wrappers of handlers, by operationId. */
  change(place: P): Record<string, Wrap>
}

/** All operators of a family, by their ids. */
export type Family<P> = Record<string, Operator<P>>

/** The same wrapper around several operations, by their ids. */
export const around = (operations: readonly string[], wrap: Wrap): Record<string, Wrap> =>
  Object.fromEntries(operations.map((operation) => [operation, wrap]))

/** What the memory of a faulty server hangs on: a mount's state, or the world of the other API. */
const ownerOf = ({ state, world }: AnyCall): object => state ?? world!

/** A memory for each owner, made when it is first asked for. */
export const memoryOf = <T>(): ((call: AnyCall) => Map<string, T>) => {
  const recordOf = remembered(() => new Map<string, T>())
  return (call) => recordOf(ownerOf(call))
}
