/** Ways of changing answers of the run-management API after they were made: wrappers of handlers for faults of both parts. */
import type { Json, JsonObject } from '../core/json.ts'
import type { Reply } from '../core/reply.ts'
import type { PartCall, PartRoute } from './part.ts'
import type { Caller, World } from './world.ts'

type Handle<R> = PartRoute<R>['handle']
type Wrap<R> = (original: Handle<R>) => Handle<R>

/** The reply with its document changed; replies without one stay. */
const withDocument = (reply: Reply, change: (body: JsonObject) => Json): Reply => {
  const { body } = reply
  if (body === null || typeof body !== 'object' || Array.isArray(body) || !('data' in body)) return reply
  return { ...reply, body: change(body) }
}

/** Another document in answers that succeed. */
export const changedDocument =
  <R>(change: (body: JsonObject, call: PartCall<R>) => Json): Wrap<R> =>
  (original) =>
  async (call) =>
    withDocument(await original(call), (body) => change(body, call))

/** Another form of every resource under `data`, be it one or a list. */
export const changedResources = <R>(
  change: (resource: JsonObject, call: PartCall<R>, index: number, all: readonly JsonObject[]) => JsonObject,
): Wrap<R> =>
  changedDocument((body, call) => {
    const all = [body.data ?? null].flat() as JsonObject[]
    const changed = all.map((resource, index) => change(resource, call, index, all))
    return { ...body, data: Array.isArray(body.data) ? changed : (changed[0] ?? null) }
  })

/** The user that a request without a token counts as. */
export const anybody = (rights: { readRuns: boolean; overrideChecks: boolean; managePools: boolean }): Caller => ({
  kind: 'user',
  user: { id: 'user-anonymous', name: 'anonymous', rights },
})

type Recognises = (token: never, secret: string) => boolean
type FindCaller<F extends Recognises> = (world: World, bearer: string, recognises: F) => Caller | undefined

/** An unrecognised caller counts as the caller that was recognised before. */
export const lastCallerStays = <F extends Recognises>(original: FindCaller<F>): FindCaller<F> => {
  const latest = new WeakMap<World, Caller>()
  return (world, bearer, recognises) => {
    const found = original(world, bearer, recognises) ?? latest.get(world)
    if (found) latest.set(world, found)
    return found
  }
}

/** A bearer that only begins with a good one is taken for it. */
export const longerBearersPass = <F extends Recognises>(original: FindCaller<F>): FindCaller<F> => {
  const good = new Map<string, Caller>()
  return (world, bearer, recognises) => {
    const found = original(world, bearer, recognises)
    if (found) good.set(bearer, found)
    return found ?? [...good].find(([known]) => bearer.startsWith(known))?.[1]
  }
}

/** The letter case of a bearer is of no importance. */
export const anyCasePasses = <F extends Recognises>(original: FindCaller<F>): FindCaller<F> => {
  const good = new Map<string, Caller>()
  return (world, bearer, recognises) => {
    const found = original(world, bearer, recognises)
    if (found) good.set(bearer.toLowerCase(), found)
    return found ?? good.get(bearer.toLowerCase())
  }
}
