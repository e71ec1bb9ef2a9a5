/** A module with tokens, and keys in it as checks want them. */
import {
  type Answer,
  type Bench,
  forbidSigning,
  isBackendFailure,
  type JsonObject,
  keepsToken,
  reserveTokens,
  type Token,
  tokenOf,
  turnsOf,
} from '../../../harness/checks/index.ts'
import { givenKey, libraryOf } from '../fixtures.ts'

/** What checks of signatures need. */
export const onModule = { needs: { backends: ['softhsm'], features: ['pkcs11' as const] } }

export interface Place {
  token: Token
  /** Takes from a key the right to sign. */
  forbidSigning(label: string): Promise<void>
  label: string
  slot: string
  pin: string
}

/** Tokens that no other check uses until this one is over; with `kept` the one that no check uses with its PIN before. */
export const ownTokens = async (bench: Bench, count: number, options: { kept?: boolean } = {}): Promise<Place[]> => {
  const handle = bench.module('softhsm')
  if (handle.tokens.length < count) bench.blocked(`the module has fewer than ${count} tokens`, 'name more in backends.softhsm')
  const { tokens, giveBack } = await reserveTokens(handle, count, options)
  bench.defer(async () => giveBack())
  return tokens.map((one) => ({
    token: tokenOf(handle, one),
    forbidSigning: (label) => forbidSigning(handle, one, label),
    label: one.label,
    slot: one.slot,
    pin: one.pin,
  }))
}

/** A token that no other check uses until this one is over. */
export const ownToken = async (bench: Bench): Promise<Place> => (await ownTokens(bench, 1))[0]!

/** A token that no other check of this process has used with its PIN. */
export const unusedToken = async (bench: Bench): Promise<Place> => {
  if (!keepsToken(bench.module('softhsm')))
    bench.blocked('other checks may have used every token with its PIN', 'name one more token in backends.softhsm')
  return (await ownTokens(bench, 1, { kept: true }))[0]!
}

export const MECHANISMS = { rsa: '0x1', oaep: '0x9', pss: '0xd', ecdsa: '0x1041' }

/** Parameters of a key in a token. */
export const inToken = (bench: Bench, place: Place, more: JsonObject): JsonObject => ({
  library: libraryOf(bench),
  token_label: place.label,
  pin: place.pin,
  mechanism: MECHANISMS.ecdsa,
  ...more,
})

/** A label that only this check uses; the pair goes after the check. */
export const freshLabel = (bench: Bench, place: Place): string => {
  const label = bench.fresh('label')
  bench.defer(() => place.token.remove(label).catch(() => undefined))
  return label
}

/** A pair in the token, and a managed key that means it. */
export const signingKey = async (
  bench: Bench,
  place: Place,
  type: 'EC:prime256v1' | 'EC:secp384r1' | 'EC:secp521r1' | 'rsa:2048' | 'rsa:4096' = 'EC:prime256v1',
  more: JsonObject = {},
) => {
  const label = freshLabel(bench, place)
  const id = Buffer.from(bench.random.bytes(8)).toString('hex')
  await place.token.generate(type, label, id)
  const mechanism = type.startsWith('rsa') ? MECHANISMS.rsa : MECHANISMS.ecdsa
  const name = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism, ...more }))
  return { name, label, id, path: { type: 'pkcs11', name } }
}

/** Tests a key. A failure beside other uses of the module is tried once more, alone; what fails alone has failed. */
export const testKey = async (bench: Bench, name: string, body: JsonObject = {}, where: { namespace?: string } = {}): Promise<Answer> => {
  const send = () => bench.call('managedKeys.testSign', { ...where, path: { type: 'pkcs11', name }, body, timeout: 60_000 })
  const answer = await turnsOf(bench.module('softhsm')).beside(send, ({ ok }) => !ok)
  if (answer.ok) bench.count('signatures of the module')
  return answer
}

/** Works while no other check uses the module: what fails here fails for a reason of the target. */
export const alone = <T>(bench: Bench, work: () => Promise<T>): Promise<T> => turnsOf(bench.module('softhsm')).alone(work)

/** Whether a test failed as it may: refused, or with the status of a failing backend. */
export const testFailed = (answer: Answer): boolean => isBackendFailure(answer.status)
