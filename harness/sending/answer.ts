/** An answer as a check receives it: what its schema promises and it does not have is never handed out as if it were there. */
import { Misshapen } from '../base/errors.ts'
import { asObject, type Json, type JsonObject } from '../base/json.ts'
import { textOf } from '../base/text.ts'
import type { Problem } from '../contract/validate.ts'
import type { Answer } from '../target/exchange.ts'
import { holdingRead } from '../target/held-bytes.ts'
import type { WireAnswer } from '../target/http.ts'
import { bodyOf } from '../target/read-body.ts'
import type { Target } from '../target/target.ts'
import type { NumberedExchange } from './history.ts'

export class ReceivedAnswer implements Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly exchange: number
  readonly operation: string
  readonly url: string
  readonly ok: boolean
  readonly #withoutData: Problem | undefined
  readonly #wire: WireAnswer
  readonly #body: () => Json | undefined

  /**
   * @param withoutData why a success has no `data` to read, although its schema says so.
   */
  constructor(target: Target, done: NumberedExchange, wire: WireAnswer, body: Json | undefined, withoutData: Problem | undefined) {
    this.status = wire.status
    this.headers = wire.headers
    this.exchange = done.number
    this.operation = done.operation.id
    this.url = new URL(done.request.path, target.http.url).href
    this.ok = wire.status >= 200 && wire.status < 300
    this.#wire = wire
    const read = (): Json | undefined => {
      const parsed = bodyOf(target.dialect, done.operation.id, this.bytes)
      return 'value' in parsed ? parsed.value : undefined
    }
    this.#body = holdingRead(wire.bytes.length, body, read)
    this.#withoutData = this.ok ? withoutData : undefined
  }

  get bytes(): Uint8Array {
    return this.#wire.bytes
  }

  get body(): Json | undefined {
    return this.#body()
  }

  /** Decoded when asked for: few checks read it, and answers may be large. */
  get text(): string {
    return textOf(this.bytes)
  }

  /** @throws Misshapen where the schema promises `data` and there is none. */
  get data(): JsonObject {
    if (this.#withoutData !== undefined) throw new Misshapen(this.#withoutData.message, this.#withoutData.clause, this.exchange)
    return asObject(asObject(this.body).data)
  }
}
