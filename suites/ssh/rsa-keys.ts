/**
 * RSA keys of this suite, made when the first check asks for them and the same for the rest of the run: making one takes too long for every check.
 * They are new in each run, as its name is.
 */
import { type SshKeyPair, sshOracle } from '../../harness/checks/index.ts'

/** No host ever trusts `caReplaced`. */
const BITS = { ca: 2048, caOther: 2048, caReplaced: 2048, user2048: 2048, user3072: 3072 } as const
const made = new Map<keyof typeof BITS, SshKeyPair>()

/** One of the RSA pairs of this run. */
export const rsaPair = (name: keyof typeof BITS): SshKeyPair => {
  const pair = made.get(name) ?? sshOracle.rsaKeyPair(BITS[name])
  made.set(name, pair)
  return pair
}

/** A line of the PEM from within the private exponent: what is public of the pair, which answers may hold in any encoding, ends before it. */
export const privateLine = ({ privateKey }: SshKeyPair): string => privateKey.split('\n')[12]!
