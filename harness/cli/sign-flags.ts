/** The flags of a signed run. */
import type { Command } from 'commander'

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
