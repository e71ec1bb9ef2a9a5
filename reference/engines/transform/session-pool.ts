/** Sessions with a database: how many may be open, how many stay when nothing is to be done, and how long each lives. */
import PQueue from 'p-queue'
import type { Clock } from '../../core/clock.ts'
import type { SqlSession } from './sql-kind.ts'

export interface PoolLimits {
  open: number
  idle: number
  /** Seconds; 0 for ever. */
  lifetime: number
}

interface Pooled {
  session: SqlSession
  /** Ended by the database, or too old to be used again. */
  spent: boolean
  forget(): void
}

/**
 * A pool in which work waits for one of `open` sessions. The drivers' own pools bound no idle sessions, or no lifetime.
 */
export class SessionPool {
  readonly #queue: PQueue
  readonly #limits: PoolLimits
  readonly #clock: Clock
  readonly #open: () => Promise<SqlSession>
  readonly #idle: Pooled[] = []
  #closed = false

  constructor(limits: PoolLimits, clock: Clock, open: () => Promise<SqlSession>) {
    this.#queue = new PQueue({ concurrency: limits.open })
    this.#limits = limits
    this.#clock = clock
    this.#open = open
  }

  /** Work with a session of its own; waits for one. */
  use<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#queue.add(async () => {
      const pooled = this.#idle.pop() ?? (await this.#opened())
      try {
        return await work(pooled.session)
      } catch (error) {
        // Nobody knows in which state it is.
        pooled.spent = true
        throw error
      } finally {
        await this.#release(pooled)
      }
    })
  }

  /** Ends the sessions once the work at hand is done. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#queue.onIdle()
    await Promise.all(this.#idle.splice(0).map((pooled) => this.#end(pooled)))
  }

  async #opened(): Promise<Pooled> {
    const session = await this.#open()
    const { lifetime } = this.#limits
    const pooled: Pooled = { session, spent: false, forget: () => undefined }
    if (lifetime > 0) pooled.forget = this.#clock.after(lifetime, () => this.#spend(pooled))
    session.onLost(() => this.#spend(pooled))
    return pooled
  }

  /** No further use of a session: ended at once where it idles, else when it comes back. */
  #spend(pooled: Pooled): void {
    pooled.spent = true
    const place = this.#idle.indexOf(pooled)
    if (place < 0) return
    this.#idle.splice(place, 1)
    void this.#end(pooled)
  }

  async #release(pooled: Pooled): Promise<void> {
    if (!pooled.spent && !this.#closed && this.#idle.length < this.#limits.idle) this.#idle.push(pooled)
    else await this.#end(pooled)
  }

  async #end({ session, forget }: Pooled): Promise<void> {
    forget()
    await session.close().catch(() => undefined)
  }
}
