/** Certificates and keys that a user names, read and tried before anything is sent. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { UsageError } from '../base/usage.ts'

export interface TlsOptions {
  caCert?: string
  clientCert?: string
  clientKey?: string
  skipVerify?: boolean
  /** Authority as PEM text, where it is not a file. */
  caPem?: string
}

interface TlsMaterial {
  ca: string | Buffer | undefined
  cert: Buffer | undefined
  key: Buffer | undefined
  rejectUnauthorized: boolean
}

const trial = (complaint: string, attempt: () => unknown): void => {
  try {
    attempt()
  } catch (error) {
    throw new UsageError(`${complaint}: ${(error as Error).message.split('\n')[0]}`)
  }
}

const fileOf = (file: string | undefined, flag: string, holds: string, tryIt: (content: Buffer) => unknown): Buffer | undefined => {
  if (file === undefined) return undefined
  let content: Buffer
  try {
    content = readFileSync(file)
  } catch {
    throw new UsageError(`${flag}: cannot read ${file}`)
  }
  if (!/-----BEGIN [A-Z0-9 ]+-----/.test(content.toString('latin1'))) throw new UsageError(`${flag}: ${file} holds no ${holds} in PEM form`)
  trial(`${flag}: ${file} holds no usable ${holds}`, () => tryIt(content))
  return content
}

/**
 * Reads what a connection needs.
 *
 * @throws UsageError that names the flag and the file.
 */
export const tlsMaterial = (tls: TlsOptions): TlsMaterial => {
  const cert = fileOf(tls.clientCert, '--client-cert', 'certificate', (content) => createSecureContext({ cert: content }))
  const key = fileOf(tls.clientKey, '--client-key', 'private key', (content) => createSecureContext({ key: content }))
  if (cert !== undefined && key !== undefined)
    trial('--client-cert and --client-key do not belong together', () => createSecureContext({ cert, key }))
  return {
    ca: tls.caPem ?? fileOf(tls.caCert, '--ca-cert', 'certificate', (content) => new X509Certificate(content)),
    cert,
    key,
    rejectUnauthorized: tls.skipVerify !== true,
  }
}
