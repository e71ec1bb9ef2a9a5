/** The secrets API: from a request to a reply, by way of namespace, mount, route, token, policy and handler. */
import type { Api, Request } from './api.ts'
import type { Call, Route } from './engine.ts'
import { ApiError } from './errors.ts'
import { help } from './help.ts'
import { type JudgedRequest, judging } from './judged-request.ts'
import type { Mount } from './mounts.ts'
import type { Capability } from './policy-syntax.ts'
import type { Reply } from './reply.ts'
import { type Match, matching } from './router.ts'
import type { Server } from './server.ts'
import { spell, unspelled } from './spelling.ts'
import type { Token } from './tokens.ts'

/** Where a request goes: its namespace, its path in there, and the routes that may take it. */
interface Place {
  namespace: string
  path: string
  /** Undefined for the service's own routes (`sys/`, `auth/`) and where nothing is mounted. */
  mount: Mount | undefined
  /** The engine's type, where one serves the request. */
  type?: string
  routes: Route<unknown, object>[]
  /** Path below the mount. */
  rest: string
  rules: object
  /** What handlers get as their state; a mount's, that of a system path, or the server. */
  state: unknown
}

/** The API at each of its base paths. */
export const secretsApis = (server: Server): Api[] => server.rules.basePaths().map((basePath) => secretsApi(server, basePath))

const secretsApi = (server: Server, basePath: string): Api => ({
  basePath,
  async handle(request) {
    const judged: JudgedRequest = { method: request.method, path: request.path }
    return judging(judged, () => answerOrRefuse(server, request, judged))
  },
})

const answerOrRefuse = async (server: Server, request: Request, judged: JudgedRequest): Promise<Reply> => {
  try {
    return await answer(server, request, judged)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    return server.rules.failure(cause.status, server.rules.errorBody(cause.messages), request)
  }
}

const answer = async (server: Server, request: Request, judged: JudgedRequest): Promise<Reply> => {
  const { rules } = server
  const isListing = rules.isListing(request.method, request.query)
  const method = isListing ? 'LIST' : rules.canonicalMethod(request.method)
  const place = locate(server, request, isListing)
  Object.assign(judged, { engine: place.type, mount: place.mount?.path })
  const fitting = matching(place.routes, place.rest)
  const match = fitting.find(({ route }) => route.method === method)
  judged.operation = match?.route.id
  const unavailable = worksWhileSealed(match) ? undefined : rules.outOfService(server.seal, request)
  if (unavailable !== undefined) throw new ApiError(unavailable, unavailable === 501 ? 'not initialized' : 'sealed')
  const token = rules.needsToken(match?.route) ? authenticate(server, request, place) : undefined
  judged.caller = token
  const granted = () => (token ? grantedTo(server, token, place, isListing) : new Set<Capability>())

  if (rules.asksForHelp(request.method, request.query)) {
    if (token && !isRoot(token) && !rules.helpAllowed(granted())) throw denied(server)
    return help(rules, place.routes, place.rest, place.path)
  }
  if (!match) {
    const needed = rules.capabilityOf(method, true)
    if (token && !isRoot(token) && !(needed && rules.capabilityGranted(granted(), needed, undefined))) throw denied(server)
    if (fitting.length === 0) throw new ApiError(rules.unknownPathStatus(), 'unsupported path')
    throw new ApiError(
      rules.wrongMethodStatus(
        method,
        fitting.map(({ route }) => route),
      ),
      'unsupported operation',
    )
  }
  const { text, body } = method === 'POST' || method === 'PATCH' ? rules.parseBody(request.body, request) : { text: '{}', body: {} }
  const call = callOf(server, place, match, { method, query: request.query, headers: request.headers, text, body, token })
  if (token && !isRoot(token)) await authorise(server, match.route, call, granted())
  if (Object.entries(match.params).some(([name, value]) => match.route.path.includes(`:${name}`) && !rules.pathParameterAllowed(value))) {
    throw new ApiError(rules.unsupportedPathStatus(), 'unsupported path: a path parameter must not end in a period')
  }
  rules.check(call, match.route)
  const reply = await match.route.handle(call)
  if (token) await server.tokens.use(token)
  return finishReply(server, call, match.route, reply)
}

const locate = (server: Server, request: Request, isListing: boolean): Place => {
  const { rules } = server
  const header = request.headers[server.spelling.headers.namespace]
  const namespaces = server.namespaces.paths()
  const effective = rules.effectivePath(header, request, namespaces)
  const namespace = rules.namespaceOf(effective, namespaces, header)
  const path = effective.slice(namespace.length)
  const system = [...server.engines.values()].find(({ systemPath }) => systemPath !== undefined && `${path}/`.startsWith(`${systemPath}/`))
  if (system?.systemPath !== undefined) {
    const rest = unspelled(server.spelling, trimmed(path.slice(system.systemPath.length + 1), isListing))
    const served = rules.servesSystemPath(namespace, server.operator.administrativeNamespace)
    const state = server.systemStates.get(system.type)
    return { namespace, path, mount: undefined, type: system.type, routes: served ? system.routes : [], rest, rules: system.rules, state }
  }
  if (/^(sys|auth)(\/|$)/.test(path)) {
    return { namespace, path, mount: undefined, routes: server.core.routes, rest: trimmed(path, isListing), rules, state: server }
  }
  const mounts = rules.mountsSeen(server.mounts.all(), namespace)
  const mountPath = rules.mountOf(
    path,
    mounts.map((mount) => mount.path),
  )
  const mount = mounts.find((candidate) => candidate.path === mountPath)
  if (!mount) return { namespace, path, mount, routes: [], rest: path, rules, state: server }
  return {
    namespace,
    path,
    mount,
    type: mount.engine.type,
    routes: mount.engine.routes,
    rest: trimmed(rules.pathBelow(mount.path, path, mount.engine.type), isListing),
    rules: mount.engine.rules,
    state: mount.state,
  }
}

/** `roles/` lists as `roles` does; key paths keep their meaning, for a directory is one with or without the slash. */
const trimmed = (path: string, isListing: boolean): string => (isListing && path.endsWith('/') ? path.slice(0, -1) : path)

const worksWhileSealed = (match: Match<Route<unknown, object>> | undefined): boolean =>
  ['core.health', 'sys.sealStatus', 'core.unseal', 'sys.init', 'sys.initStatus'].includes(match?.route.id ?? '')

/** The caller's token; undefined only where a rule lets a caller pass who has none. */
const authenticate = (server: Server, request: Request, place: Place): Token | undefined => {
  const { rules } = server
  const given = rules.tokenOf(request, server.spelling)
  const found = given === undefined ? undefined : server.tokens.find(given)
  const token = found && !rules.tokenExpired(found.expiresAt, server.clock.now()) ? found : undefined
  const refused = rules.callerRefused(given, token, request)
  if (refused !== undefined) throw new ApiError(refused, given === undefined ? 'missing client token' : 'permission denied')
  if (token && !rules.tokenCovers(token.namespace, place.namespace)) throw denied(server)
  return token
}

const isRoot = (token: Token): boolean => token.policies.includes('root')

const denied = (server: Server): ApiError => new ApiError(server.rules.deniedStatus(), 'permission denied')

/** The path as policies see it: below the namespace of the token. */
const grantedTo = (server: Server, token: Token, place: Place, isListing: boolean): Set<Capability> => {
  const path = place.namespace.slice(token.namespace.length) + place.path
  return server.policies.granted(token.namespace, token.policies, path, isListing)
}

const authorise = async (
  server: Server,
  route: Route<unknown, object>,
  call: Call<unknown, object>,
  granted: Set<Capability>,
): Promise<void> => {
  const { rules } = server
  const exists = route.exists && call.method === 'POST' ? await route.exists(call) : undefined
  const needed = rules.capabilityOf(call.method, rules.isUpdate(exists, route))
  if (!needed || !rules.capabilityGranted(granted, needed, call)) throw denied(server)
  if (rules.needsSudo(route) && !rules.capabilityGranted(granted, 'sudo', call)) throw denied(server)
}

type CallParts = Pick<Call<unknown, object>, 'method' | 'query' | 'headers' | 'text' | 'body' | 'token'>

const callOf = (server: Server, place: Place, match: Match<Route<unknown, object>>, parts: CallParts): Call<unknown, object> => ({
  ...parts,
  path: trimmed(place.path, true),
  params: match.params,
  state: place.state,
  rules: place.rules,
  mount: {
    path: place.mount?.path ?? '',
    namespace: place.namespace,
    defaultLeaseTtl: place.mount?.defaultLeaseTtl || server.defaultLeaseTtl,
    maxLeaseTtl: place.mount?.maxLeaseTtl || server.maxLeaseTtl,
  },
  services: server.services,
  now: () => server.clock.now(),
})

const finishReply = (server: Server, call: Call<unknown, object>, route: Route<unknown, object>, reply: Reply): Reply => {
  const finished = server.rules.finish(call, route, reply)
  const { body } = finished
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) return finished
  const identified = 'request_id' in body && body.request_id === '' ? { ...body, request_id: server.random.uuid() } : body
  return { ...finished, body: spell(server.spelling, route.id, identified) }
}
