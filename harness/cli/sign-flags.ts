/** The flags of a signed run. */
import type { Command } from 'commander'
import { UsageError } from '../base/usage.ts'
import { commandSigner, keySigner, type Signer } from '../results/signing-key.ts'

export interface SignOptions {
  sign?: string
  signCommand?: string
  signKey?: string
}

/** Adds the flags to a command. */
export const signFlags = (command: Command): Command =>
  command
    .option('--sign <key>', 'sign a statement about the run and its artefacts: PEM file of a private key, Ed25519 or ECDSA')
    .option('--sign-command <command>', 'sign with a program: the bytes on its standard input, the signature on its standard output')
    .option('--sign-key <file>', 'PEM file of the public key of --sign-command')

/**
 * What signs, where it is asked for.
 *
 * @throws UsageError for keys that cannot be used, before anything is tested.
 */
export const signerFrom = ({ sign, signCommand, signKey }: SignOptions): Signer | undefined => {
  if (sign !== undefined && signCommand !== undefined)
    throw new UsageError('--sign and --sign-command exclude each other: give one of them')
  if (sign !== undefined) return keySigner(sign)
  if ((signCommand === undefined) !== (signKey === undefined)) throw new UsageError('--sign-command and --sign-key go together')
  return signCommand === undefined ? undefined : commandSigner(signCommand, signKey!)
}
