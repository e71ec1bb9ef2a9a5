/** Where a server takes chance from. */
import { randomBytes, randomUUID } from 'node:crypto'

export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array
  /** Letters and digits, evenly distributed. */
  word(length: number): string
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  word(length) {
    let result = ''
    while (result.length < length) {
      for (const byte of randomBytes(length)) {
        if (byte < 248 && result.length < length) result += ALPHABET[byte % 62]
      }
    }
    return result
  },
}
