/** Who is calling: rules that both parts share. */
import { MEDIA_TYPE } from './documents.ts'
import { type AgentToken, type Caller, digest, type World } from './world.ts'

export interface CallerRules {
  /** The token of an `Authorization` header. */
  bearer(header: string | undefined): string | undefined
  /** Whom a bearer stands for; undefined when nobody. `recognises` is the rule below. */
  caller(world: World, bearer: string, recognises: CallerRules['recognises']): Caller | undefined
  /** Whether a token is the one whose secret was presented. */
  recognises(token: AgentToken, secret: string): boolean
  /** Notes that a token was used, in seconds since the epoch. */
  used(token: AgentToken, now: number): void
  /** Status of a request without a valid bearer. */
  unauthenticatedStatus(): number
  /** Whether a request body of this content type is read. */
  acceptsMediaType(contentType: string): boolean
}

export const callerRules: CallerRules = {
  bearer: (header) => /^Bearer +(\S+)$/i.exec(header ?? '')?.[1],
  caller(world, bearer, recognises) {
    const user = world.users.get(world.bearers.get(digest(bearer)) ?? '')
    if (user) return { kind: 'user', user }
    const token = [...world.tokens.values()].find((candidate) => recognises(candidate, bearer))
    return token && { kind: 'agent', token }
  },
  recognises: (token, secret) => token.kept === digest(secret),
  used(token, now) {
    token.lastUsedAt = now
  },
  unauthenticatedStatus: () => 401,
  acceptsMediaType: (contentType) => contentType.trim().toLowerCase() === MEDIA_TYPE,
}
