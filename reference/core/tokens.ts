/** Tokens: who calls, in which namespace, with which policies, until when. */
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

export interface Token {
  id: string
  accessor: string
  /** Namespace path with trailing slash; empty for the root namespace. */
  namespace: string
  policies: string[]
  /** `token-<name>`, `token` where no name was given, `root` for the first one. */
  displayName: string
  meta: Record<string, string>
  /** Id of the token that created this one; revoked together with it. */
  parent: string | undefined
  /** Seconds since the epoch. */
  createdAt: number
  /** Seconds since the epoch; undefined for a token that does not expire. */
  expiresAt: number | undefined
  /** Lifetime at creation or last renewal, in seconds; 0 without expiry. */
  ttl: number
  /** Seconds since the epoch beyond which no renewal goes. */
  latestExpiry: number | undefined
  renewable: boolean
  /** Uses left; 0 means without limit. */
  usesLeft: number
}

export type TokenRequest = Pick<Token, 'namespace' | 'policies' | 'displayName' | 'meta' | 'parent' | 'ttl' | 'renewable'> & {
  maxTtl?: number
  uses?: number
  id?: string
}

export class Tokens {
  readonly #clock: Clock
  readonly #random: Random
  readonly #revoked: (token: Token) => Promise<void>
  readonly #byId = new Map<string, Token>()
  readonly #timers = new Map<string, () => void>()

  /** @param revoked told of every token that ends, to revoke its leases */
  constructor(clock: Clock, random: Random, revoked: (token: Token) => Promise<void>) {
    this.#clock = clock
    this.#random = random
    this.#revoked = revoked
  }

  create(request: TokenRequest): Token {
    const now = this.#clock.now()
    const token: Token = {
      id: request.id ?? `s.${this.#random.word(24)}`,
      accessor: this.#random.word(24),
      namespace: request.namespace,
      policies: request.policies,
      displayName: request.displayName,
      meta: request.meta,
      parent: request.parent,
      createdAt: now,
      expiresAt: request.ttl > 0 ? now + request.ttl : undefined,
      ttl: request.ttl,
      latestExpiry: request.maxTtl ? now + request.maxTtl : undefined,
      renewable: request.renewable,
      usesLeft: request.uses ?? 0,
    }
    this.#byId.set(token.id, token)
    this.#arm(token)
    return token
  }

  /** The token whatever its age; undefined for one that was never issued or is revoked. */
  find(id: string): Token | undefined {
    return this.#byId.get(id)
  }

  /** The token that an accessor stands for. */
  findByAccessor(accessor: string): Token | undefined {
    return [...this.#byId.values()].find((token) => token.accessor === accessor)
  }

  /** Counts one use; a token whose last use this is ends with the request. */
  async use(token: Token): Promise<void> {
    if (token.usesLeft === 0) return
    token.usesLeft -= 1
    if (token.usesLeft === 0) await this.revoke(token.id)
  }

  /** Restarts the lifetime from now, within the token's latest expiry. */
  renew(token: Token, seconds: number): void {
    const now = this.#clock.now()
    token.expiresAt = Math.min(now + seconds, token.latestExpiry ?? Number.POSITIVE_INFINITY)
    token.ttl = token.expiresAt - now
    this.#arm(token)
  }

  /** Ends a token, its children and all their leases. */
  async revoke(id: string): Promise<void> {
    const token = this.#byId.get(id)
    if (!token) return
    this.#byId.delete(id)
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    await this.#revoked(token)
    for (const child of [...this.#byId.values()].filter(({ parent }) => parent === id)) await this.revoke(child.id)
  }

  async revokeNamespace(namespace: string): Promise<void> {
    for (const token of [...this.#byId.values()].filter((candidate) => candidate.namespace === namespace)) await this.revoke(token.id)
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #arm(token: Token): void {
    this.#timers.get(token.id)?.()
    if (token.expiresAt === undefined) return
    this.#timers.set(
      token.id,
      this.#clock.after(token.expiresAt - this.#clock.now(), () => void this.revoke(token.id)),
    )
  }
}
