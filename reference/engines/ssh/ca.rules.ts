/** Decisions about the pair that signs. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type PublicKey, parsePrivateKey, parsePublicKey, publicKeyLine, publicKeyOf } from './key-formats.ts'
import type { CaPair, SshState } from './state.ts'

export const caRules = {
  /** Whether to generate where the flag is left out. */
  generateUnset(hasKeys: boolean): boolean {
    return !hasKeys
  },

  /** Whether a pair may come along with the demand to generate one. */
  generateIgnoresKeys(): boolean {
    return false
  },

  generatePair(): CaPair {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return { privateKey, publicKey: publicKeyOf(privateKey) }
  },

  /** What is missing of a supplied pair, as field names. */
  missingOfPair(privateKey: string, publicKey: string): string[] {
    return [...(privateKey === '' ? ['private_key'] : []), ...(publicKey === '' ? ['public_key'] : [])]
  },

  parsePrivate(text: string): KeyObject {
    return parsePrivateKey(text, 'private_key')
  },

  parsePublic(text: string, _privateKey: KeyObject): PublicKey {
    return parsePublicKey(text, 'public_key')
  },

  /** Whether the keys belong together. */
  pairMatches(pair: CaPair): boolean {
    return publicKeyOf(pair.privateKey).blob.equals(pair.publicKey.blob)
  },

  replaceCa(_existing: CaPair | undefined, pair: CaPair): CaPair {
    return pair
  },

  /** Whether the answer shows the public key: where it was generated on demand. */
  showsGenerated(flag: boolean | undefined): boolean {
    return flag === true
  },

  /** What `config/ca` shows. */
  caShown(state: SshState): string | undefined {
    return state.ca && publicKeyLine(state.ca.publicKey)
  },

  /** What the unauthenticated route shows. */
  publicKeyShown(state: SshState): string | undefined {
    return state.ca && publicKeyLine(state.ca.publicKey)
  },

  /** What reads and deletions of a CA that is not there answer. */
  noCaStatus(): number {
    return 404
  },

  deleteCa(_existing: CaPair | undefined): CaPair | undefined {
    return undefined
  },

  /** The pair that signs now. */
  signingPair(state: SshState): CaPair | undefined {
    return state.ca
  },
}
