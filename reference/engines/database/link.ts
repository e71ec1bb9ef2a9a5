/** The service's one session per connection: opened when needed, used by one piece of work at a time. */
import { ApiError } from '../../core/errors.ts'
import type { Plugin, Session } from './plugins.ts'

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class Link {
  readonly plugin: Plugin
  readonly #url: () => string
  #session: Session | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param url the connection URL with its templates filled in, as it is now */
  constructor(plugin: Plugin, url: () => string) {
    this.plugin = plugin
    this.#url = url
  }

  /** Work that nothing else on this connection interleaves with. Throws 500 with the database's reason where it fails. */
  async exclusively<T>(work: (session: () => Promise<Session>) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => work(() => this.#open()))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new ApiError(500, `database: ${reason(error)}`)
    }
  }

  run(statements: string[]): Promise<void> {
    return this.exclusively(async (session) => (await session()).run(statements))
  }

  /** Closes the session once the work at hand is done; the next work opens a new one. */
  close(): Promise<void> {
    return this.exclusively(() => this.drop())
  }

  /** For work that runs exclusively already. */
  async drop(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.close().catch(() => undefined)
  }

  async #open(): Promise<Session> {
    if (this.#session !== undefined) return this.#session
    const session = await this.plugin.open(this.#url())
    session.onLost(() => {
      if (this.#session === session) this.#session = undefined
    })
    this.#session = session
    return session
  }
}
