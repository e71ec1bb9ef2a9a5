/** Reads the bodies of answers: large ones one after the other, for many at once are more than a machine holds. */
import { getHeapStatistics } from 'node:v8'
import type { Dispatcher } from 'undici'
import { collectGarbage } from '../base/collect-garbage.ts'
import type { Deadline } from './deadline.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { holding, LARGE_BODY } from './held-bytes.ts'
import { turnsOf } from './turns.ts'

const FIRST = 64 * 1024

/** Large bodies that are read at once: their bytes under way are those of one answer of the most that is read. */
const AT_ONCE = 1

/** From this number on, large bodies are the rule. */
const MANY = 8

/** The longest body that room is made for before it comes. */
const EXPECTED = 16 * 1024 * 1024

/** Pieces of a body up to its end, or until they are more than `most` bytes. */
const piecesOf = async (rest: AsyncIterator<Uint8Array, undefined>, most: number): Promise<{ pieces: Uint8Array[]; isWhole: boolean }> => {
  const pieces: Uint8Array[] = []
  for (let size = 0; size <= most; size += pieces.at(-1)!.length) {
    const { value } = await rest.next()
    if (value === undefined) return { pieces, isWhole: true }
    pieces.push(value)
  }
  return { pieces, isWhole: false }
}

/** Bytes of large bodies after which garbage is collected: reading one leaves several times its length behind. */
const COLLECT_AFTER = 8 * 1024 * 1024
/** Bytes of the heap that large bodies may leave behind: one of many small members takes thirty times its length. */
const HEAP_LEFT = 48 * 1024 * 1024

export class BodyReader {
  readonly #turns = turnsOf({ concurrency: AT_ONCE })
  /** Memory that no body needs just now; there is as much of it as bodies are read at once. */
  readonly #free: GatheredBytes[] = []
  readonly #collect: () => void
  readonly #heap: () => number
  #large = 0
  #uncollected = 0
  /** Bytes of the heap in use after the latest collection. */
  #inUse: number | undefined

  /**
   * @param collect collects garbage.
   * @param heap tells the bytes of the heap in use.
   */
  constructor(collect: () => void = collectGarbage, heap = () => getHeapStatistics().used_heap_size) {
    this.#collect = collect
    this.#heap = heap
  }

  /** Whether large bodies are the rule: callers should then hold few answers. */
  get areLarge(): boolean {
    return this.#large >= MANY
  }

  /**
   * The whole body, to be had at any time. The rest of a large one is taken from the connection when its turn has come.
   *
   * @param length what `content-length` says; undefined where it says nothing.
   * @throws whatever the transport says.
   */
  async read(body: Dispatcher.ResponseData['body'], length: number | undefined, deadline: Deadline): Promise<() => Uint8Array> {
    if (length !== undefined && length <= LARGE_BODY) return holding(new Uint8Array(await body.arrayBuffer()))
    const rest = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
    // Before its turn little is taken of a body that says its length: whether it comes at all.
    const begun = await piecesOf(rest, length === undefined ? LARGE_BODY : FIRST)
    if (begun.isWhole) return holding(Buffer.concat(begun.pieces))
    return this.#inTurn(deadline, async (gathered) => {
      gathered.reserve(Math.min(length ?? 0, EXPECTED))
      for (const piece of begun.pieces.splice(0)) gathered.add(piece)
      for (;;) {
        const { value } = await rest.next()
        if (value === undefined) break
        gathered.add(value)
      }
      const { bytes } = gathered
      return holding(bytes.length > LARGE_BODY ? bytes : bytes.slice())
    })
  }

  async #inTurn<T>(deadline: Deadline, work: (gathered: GatheredBytes) => Promise<T>): Promise<T> {
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
      const gathered = this.#free.pop() ?? new GatheredBytes(LARGE_BODY)
      try {
        return await work(gathered)
      } finally {
        this.#makeRoom(gathered.bytes.length)
        gathered.clear()
        this.#free.push(gathered)
      }
    } finally {
      end()
    }
  }

  #makeRoom(length: number): void {
    this.#uncollected += length
    this.#inUse ??= this.#heap()
    if (this.#uncollected < COLLECT_AFTER && this.#heap() < this.#inUse + HEAP_LEFT) return
    this.#uncollected = 0
    this.#collect()
    this.#inUse = this.#heap()
  }
}
