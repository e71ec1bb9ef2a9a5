/** The run-management API as the listener serves it. */

import type { Api, Request } from '../core/api.ts'
import type { Random } from '../core/random.ts'
import type { Reply } from '../core/reply.ts'
import { matching } from '../core/router.ts'
import type { CallerRules } from './caller-rules.ts'
import { errorDocument, Refusal } from './documents.ts'
import type { Part, PartCall, PartRoute } from './part.ts'
import type { World } from './world.ts'

const BASE_PATH = '/api/v2'

export interface RunManagementOptions {
  /** Seconds since the epoch. */
  now(): number
  world: World
  random: Random
  parts: Part<CallerRules>[]
}

interface Served {
  path: string
  method: string
  handle(request: Request, params: Record<string, string>): Promise<Reply>
}

const authenticated = (rules: CallerRules, world: World, request: Request, now: number): PartCall<unknown>['caller'] => {
  const bearer = rules.bearer(request.headers.authorization)
  const caller = bearer === undefined ? undefined : rules.caller(world, bearer, rules.recognises)
  if (!caller) throw new Refusal(rules.unauthenticatedStatus(), 'a valid bearer token is needed')
  if (caller.kind === 'agent') rules.used(caller.token, now)
  return caller
}

const served = <R extends CallerRules>(part: Part<R>, { world, random, now }: RunManagementOptions): Served[] => {
  const serve = async (route: PartRoute<R>, request: Request, params: Record<string, string>): Promise<Reply> => {
    const caller = authenticated(part.rules, world, request, now())
    const path = `${BASE_PATH}/${request.path}`
    return route.handle({ ...request, path, params, caller, world, rules: part.rules, random, now })
  }
  return part.routes.map((route) => ({
    path: route.path,
    method: route.method,
    handle: (request, params) => serve(route, request, params),
  }))
}

/** Answers of the API under `/api/v2`. Every refusal is an error document; what is thrown besides is a 500. */
export const runManagementApi = (options: RunManagementOptions): Api => {
  const routes = options.parts.flatMap((part) => served(part, options))
  const answer = async (request: Request): Promise<Reply> => {
    const matches = matching(routes, request.path)
    if (matches.length === 0) throw new Refusal(404, 'no such route')
    const match = matches.find(({ route }) => route.method === request.method)
    if (!match) {
      const reply = errorDocument({ status: 405, message: `${request.method} is not offered here` })
      return { ...reply, headers: { ...reply.headers, allow: matches.map(({ route }) => route.method).join(', ') } }
    }
    return match.route.handle(request, match.params)
  }
  return {
    basePath: BASE_PATH,
    async handle(request) {
      try {
        return await answer(request)
      } catch (error) {
        if (error instanceof Refusal) return errorDocument(error)
        return errorDocument({ status: 500, message: 'the server failed' })
      }
    },
  }
}
