/** The test of a key that a cloud service holds: the service signs random data, and the signature is verified here. */
import { constants, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import { ProviderLink } from '../../clouds/service-account.ts'
import { CloudProblem, type CloudSignature, type CloudTest } from './cloud-test.ts'
import { signAtA } from './cloudakms.ts'
import { signAtB } from './cloudbkeyvault.ts'
import { signAtC } from './cloudckms.ts'
import type { KeyCall } from './keys.ts'
import type { CloudKind, ManagedKey } from './state.ts'

const signers: Record<CloudKind, (test: CloudTest) => Promise<CloudSignature>> = {
  cloudakms: signAtA,
  cloudbkeyvault: signAtB,
  cloudckms: signAtC,
}

const isSignature = ({ publicKey, padding, hash, signature }: CloudSignature, data: Buffer): boolean => {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const input: VerifyKeyObjectInput = { key: publicKey, ...(padding === 'pss' ? pss : {}) }
  return verify(hash, data, input, signature)
}

const linkOf = ({ state, services, rules }: KeyCall): ProviderLink => {
  const cloud = rules.wayToService(services.operator.cloud)
  const name = `${cloud?.proxy ?? ''} ${cloud?.caPem ?? ''}`
  const link = state.links.get(name) ?? new ProviderLink(cloud)
  state.links.set(name, link)
  return link
}

/** Work that may make a key goes one after another: two tests of one absent key make one. */
const inTurn = async <T>({ state }: KeyCall, work: () => Promise<T>): Promise<T> => {
  const before = state.making
  const mine = before.then(work, work)
  state.making = mine.then(
    () => undefined,
    () => undefined,
  )
  return mine
}

/**
 * Tests a key at its service.
 *
 * @param options hash and padding that were asked for, and the random data.
 * @returns the problem in words; undefined where the signature verifies.
 */
export const testAtService = async (
  call: KeyCall,
  key: ManagedKey,
  kind: CloudKind,
  options: Pick<CloudTest, 'hash' | 'pss' | 'data'>,
): Promise<string | undefined> => {
  const { rules } = call
  const generate = rules.generatesAtService(key)
  const test = { ...options, rules, link: linkOf(call), values: rules.usedParameters(key.parameters), generate, now: call.now() }
  try {
    await rules.beforeAsking()
    const sign = () => signers[kind](test)
    const signature = await (generate ? inTurn(call, sign) : sign())
    return rules.verified(isSignature(signature, options.data)) ? undefined : 'the signature does not verify'
  } catch (error) {
    if (error instanceof CloudProblem || error instanceof ProviderRefusal) return error.message
    throw error
  }
}
