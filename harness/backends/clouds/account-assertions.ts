/** What service accounts of provider c sign themselves: requests for tokens, and tokens for one service that need no request. */
import { verify } from 'node:crypto'
import { textIn } from './cloud-exchange.ts'
import type { Account } from './gateway-state.ts'

/** Seconds that an assertion may be good for, with some to spare. */
const LONGEST_S = 3660
/** Seconds by which clocks may differ. */
const SKEW_S = 60

export interface Assertion {
  signed: Buffer
  signature: Buffer
  claims: Record<string, unknown>
  keyId: string
}

const partOf = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>

/** The parts of an assertion; undefined for other texts. */
export const assertionIn = (text: string): Assertion | undefined => {
  const [header = '', claims = '', signature = '', more] = text.split('.')
  if (signature === '' || more !== undefined) return undefined
  try {
    return {
      signed: Buffer.from(`${header}.${claims}`),
      signature: Buffer.from(signature, 'base64url'),
      claims: partOf(claims),
      keyId: textIn(partOf(header) as never, 'kid'),
    }
  } catch {
    return undefined
  }
}

/** Clients may leave the key's id out: then any key of the account counts. */
export const signedBy = (account: Account, { signed, signature, keyId }: Assertion): boolean =>
  [...account.keys.values()]
    .filter(({ id }) => keyId === '' || keyId === id)
    .some(({ publicKey }) => verify('sha256', signed, publicKey, signature))

/** Whether an assertion is good now, and not for longer than any may be. */
export const isTimely = ({ claims }: Assertion): boolean => {
  const now = Date.now() / 1000
  const [issued, expires] = [Number(claims.iat), Number(claims.exp)]
  return issued < now + SKEW_S && expires > now && expires - issued <= LONGEST_S
}
