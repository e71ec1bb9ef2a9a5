/** RSA pairs from a stock of primes: the n-th prime gives n-1 new keys, so that hundreds cost seconds instead of minutes. */
import { createPrivateKey, createPublicKey, generatePrime, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

const EXPONENT = 65_537n
const prime = promisify(generatePrime) as unknown as (bits: number, options: { bigint: true }) => Promise<bigint>

const inverse = (value: bigint, modulus: bigint): bigint => {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}

/** One whose square has the full length, and for which there is a private exponent. */
const goodPrime = async (bits: number): Promise<bigint> => {
  for (;;) {
    const found = await prime(bits, { bigint: true })
    if (found >> BigInt(bits - 2) === 3n && (found - 1n) % EXPONENT !== 0n) return found
  }
}

const encoded = (value: bigint): string => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex').toString('base64url')
}

const pairOf = (p: bigint, q: bigint): { publicKey: KeyObject; privateKey: KeyObject } => {
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const parts = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const key = { kty: 'RSA', ...Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, encoded(value)])) }
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return { publicKey: createPublicKey(privateKey), privateKey }
}

interface Stock {
  primes: bigint[]
  /** Pairs that nobody has yet. */
  pairs: [bigint, bigint][]
  /** One request at a time, so that none is given twice. */
  last: Promise<unknown>
}

const stocks = new Map<number, Stock>()

const take = async (stock: Stock, bits: number): Promise<[bigint, bigint]> => {
  while (stock.pairs.length === 0) {
    const added = await goodPrime(bits / 2)
    if (stock.primes.includes(added)) continue
    stock.pairs = stock.primes.map((one) => [one, added])
    stock.primes.push(added)
  }
  return stock.pairs.pop()!
}

/**
 * A pair that this process has not given before. Keys share primes with others: they are good for a gateway that forgets them, and for nothing else.
 *
 * @param bits of the modulus, e.g. 2048.
 */
export const rsaPair = async (bits: number): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> => {
  const stock = stocks.get(bits) ?? { primes: [], pairs: [], last: Promise.resolve() }
  stocks.set(bits, stock)
  const turn = stock.last.then(() => take(stock, bits))
  stock.last = turn.catch(() => undefined)
  return pairOf(...(await turn))
}
