/** Leases: how long an issued credential lives, and what undoes it. */
import type { Clock } from './clock.ts'
import { ApiError } from './errors.ts'
import type { Random } from './random.ts'

/** The part of a call that a lease depends on. */
interface Issuing {
  path: string
  mount: { namespace: string; maxLeaseTtl: number }
  token: { id: string } | undefined
}

export interface LeaseRequest {
  /** Seconds. */
  ttl: number
  /** Seconds from issue beyond which no renewal goes; default the mount's maximum. */
  maxTtl?: number
  renewable: boolean
  /** Undoes the credential in its backend. Called once; again after a failure. */
  revoke(): Promise<void>
  /** Extends the credential in its backend, to `expiresAt` in seconds since the epoch. */
  renew?(expiresAt: number): Promise<void>
}

export interface Lease {
  id: string
  namespace: string
  /** Path that issued it, mount included. */
  path: string
  tokenId: string | undefined
  issuedAt: number
  renewedAt: number | undefined
  expiresAt: number
  latestExpiry: number
  /** Seconds granted last. */
  ttl: number
  renewable: boolean
  request: LeaseRequest
}

/** Seconds until a failed revocation is tried again. */
const RETRY_AFTER = 2

export class Leases {
  readonly #clock: Clock
  readonly #random: Random
  readonly #byId = new Map<string, Lease>()
  readonly #timers = new Map<string, () => void>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /**
   * Registers a credential that a request just issued; its id begins with the request's path. The lifetime is capped by `maxTtl`
   * and by the mount's maximum. Give the result to `secret(data, lease)`.
   */
  issue(call: Issuing, request: LeaseRequest): Lease {
    const now = this.#clock.now()
    const limit = Math.min(request.maxTtl || call.mount.maxLeaseTtl, call.mount.maxLeaseTtl)
    const ttl = Math.min(request.ttl, limit)
    const lease: Lease = {
      id: `${call.mount.namespace}${call.path}/${this.#random.word(24)}`,
      namespace: call.mount.namespace,
      path: call.path,
      tokenId: call.token?.id,
      issuedAt: now,
      renewedAt: undefined,
      expiresAt: now + ttl,
      latestExpiry: now + limit,
      ttl,
      renewable: request.renewable,
      request,
    }
    this.#byId.set(lease.id, lease)
    this.#arm(lease)
    return lease
  }

  find(id: string): Lease | undefined {
    return this.#byId.get(id)
  }

  /** Ids of the leases below a prefix of namespace and path. */
  withPrefix(prefix: string): string[] {
    return [...this.#byId.keys()].filter((id) => id.startsWith(prefix))
  }

  /** Sets the lifetime to `increment` seconds from now, within the maximum. Throws 400 where the lease cannot be renewed. */
  async renew(id: string, increment: number): Promise<Lease> {
    const lease = this.#byId.get(id)
    if (!lease) throw new ApiError(400, 'lease not found')
    if (!lease.renewable) throw new ApiError(400, 'lease is not renewable')
    const now = this.#clock.now()
    const expiresAt = Math.min(now + (increment || lease.request.ttl), lease.latestExpiry)
    await lease.request.renew?.(expiresAt)
    Object.assign(lease, { expiresAt, renewedAt: now, ttl: expiresAt - now })
    this.#arm(lease)
    return lease
  }

  /** Undoes a credential and forgets its lease; nothing happens for an unknown id. Throws what the backend throws, and tries again later. */
  async revoke(id: string): Promise<void> {
    const lease = this.#byId.get(id)
    if (!lease) return
    this.#disarm(id)
    this.#byId.delete(id)
    try {
      await lease.request.revoke()
    } catch (cause) {
      this.#byId.set(id, lease)
      this.#timers.set(
        id,
        this.#clock.after(RETRY_AFTER, () => void this.revoke(id).catch(() => undefined)),
      )
      throw cause
    }
  }

  async revokePrefix(prefix: string): Promise<void> {
    for (const id of this.withPrefix(prefix)) await this.revoke(id)
  }

  /** Forgets the leases below a prefix, whatever their backends say. */
  async forcePrefix(prefix: string): Promise<void> {
    for (const id of this.withPrefix(prefix)) {
      await this.revoke(id).catch(() => undefined)
      this.#disarm(id)
      this.#byId.delete(id)
    }
  }

  async revokeOfToken(tokenId: string): Promise<void> {
    for (const lease of [...this.#byId.values()].filter((candidate) => candidate.tokenId === tokenId)) await this.revoke(lease.id)
  }

  /** Stops all timers and revokes what is left, as far as the backends allow. */
  async close(): Promise<void> {
    const ids = [...this.#byId.keys()]
    await Promise.allSettled(ids.map((id) => this.revoke(id)))
    for (const id of [...this.#timers.keys()]) this.#disarm(id)
    this.#byId.clear()
  }

  #arm(lease: Lease): void {
    this.#disarm(lease.id)
    const left = Math.max(0, lease.expiresAt - this.#clock.now())
    this.#timers.set(
      lease.id,
      this.#clock.after(left, () => void this.revoke(lease.id).catch(() => undefined)),
    )
  }

  #disarm(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }
}
