/** Keys that sign statements: PEM files, and programs that sign for keys which never leave their place. */
import { spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { UsageError } from '../base/usage.ts'

/** What signs a statement. */
export interface Signer {
  /** SHA-256 of the public key, where it is known. */
  keyid: string
  sign(bytes: Buffer): Promise<Buffer>
}

const KINDS: Record<string, string | undefined> = { ed25519: undefined, ec: 'sha256' }
const MINUTE = 60_000

const idOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')

const readKey = (file: string, flag: string, parse: (pem: Buffer) => KeyObject): KeyObject => {
  if (!existsSync(file)) throw new UsageError(`${flag}: ${file} does not exist`)
  let key: KeyObject
  try {
    key = parse(readFileSync(file))
  } catch {
    throw new UsageError(`${flag}: ${file} holds no readable key: give a PEM file without a pass phrase`)
  }
  if (!((key.asymmetricKeyType ?? '') in KINDS))
    throw new UsageError(`${flag}: ${file} holds a key of type ${key.asymmetricKeyType}: give one of Ed25519 or ECDSA`)
  return key
}

/**
 * A signer with the key of a PEM file.
 *
 * @throws UsageError for anything but a private key of Ed25519 or ECDSA.
 */
export const keySigner = (file: string): Signer => {
  const key = readKey(file, '--sign', (pem) => createPrivateKey(pem))
  return { keyid: idOf(createPublicKey(key)), sign: async (bytes) => sign(KINDS[key.asymmetricKeyType!], bytes, key) }
}

/** Whether a signature of a file's public key fits. */
export type Verifier = (bytes: Buffer, signature: Buffer, keyid: string) => boolean

/**
 * A verifier with a public key.
 *
 * @throws UsageError for anything but a public key of Ed25519 or ECDSA.
 */
export const verifierOf = (file: string): Verifier => {
  const key = readKey(file, '--key', (pem) => createPublicKey(pem))
  return (bytes, signature, keyid) => keyid === idOf(key) && verify(KINDS[key.asymmetricKeyType!], bytes, key, signature)
}

/**
 * A program that gets the bytes on its standard input and answers with the signature, and nothing else, on its standard output.
 *
 * @param keyFile PEM file of the public key, for its id and to try what the program answers.
 */
export const commandSigner = (command: string, keyFile: string): Signer => {
  const key = readKey(keyFile, '--sign-key', (pem) => createPublicKey(pem))
  return {
    keyid: idOf(key),
    sign: async (input) => {
      const ran = spawnSync(command, { shell: true, input, timeout: MINUTE, maxBuffer: 1_000_000 })
      if (ran.status !== 0)
        throw new UsageError(`--sign-command ended with ${ran.status ?? ran.signal}: ${ran.stderr.toString('utf8').split('\n')[0]}`)
      if (!verify(KINDS[key.asymmetricKeyType!], input, key, ran.stdout))
        throw new UsageError('the output of --sign-command is not a signature by the key of --sign-key')
      return ran.stdout
    },
  }
}
