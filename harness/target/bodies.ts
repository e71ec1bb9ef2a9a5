/** Reads the bodies of answers: large ones one after the other, for many at once are more than a machine holds. */
import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'
import { turnsOf } from './turns.ts'

/** Bytes above which a body is large. */
export const LARGE_BODY = 1024 * 1024

const FIRST = 64 * 1024

/** Large bodies that are read at once. */
const AT_ONCE = 2

/** So many large bodies are no exception. */
const MANY = 8

export class BodyReader {
  readonly #turns = turnsOf({ concurrency: AT_ONCE })
  #large = 0

  /** Whether large bodies are the rule: whoever holds on to answers had better hold few. */
  get areLarge(): boolean {
    return this.#large >= MANY
  }

  /**
   * The whole body. The rest of a large one is taken from the connection when its turn has come.
   *
   * @param length what `content-length` says; undefined where it says nothing.
   * @throws whatever the transport says.
   */
  async read(body: Dispatcher.ResponseData['body'], length: number | undefined, deadline: Deadline): Promise<Uint8Array> {
    if (length !== undefined && length <= LARGE_BODY) return new Uint8Array(await body.arrayBuffer())
    const pieces: Uint8Array[] = []
    let size = 0
    const rest = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
    const readOn = async (until: number): Promise<boolean> => {
      while (size <= until) {
        const { value, done } = await rest.next()
        if (done === true) return true
        pieces.push(value)
        size += value.length
      }
      return false
    }
    // Before its turn little is taken of a body that says its length: whether it comes at all.
    if (await readOn(length === undefined ? LARGE_BODY : FIRST)) return Buffer.concat(pieces)
    await this.#inTurn(deadline, () => readOn(Number.POSITIVE_INFINITY))
    return Buffer.concat(pieces)
  }

  async #inTurn(deadline: Deadline, work: () => Promise<unknown>): Promise<void> {
    this.#large += 1
    let begin: () => void = () => undefined
    const begun = new Promise<void>((done) => {
      begin = done
    })
    let end: () => void = () => undefined
    const ended = new Promise<void>((done) => {
      end = done
    })
    void this.#turns.add(() => {
      begin()
      return ended
    })
    try {
      await deadline.without(() => begun)
      await work()
    } finally {
      end()
    }
  }
}
