/** Service accounts of provider c and their keys. */
import { type KeyObject, randomBytes } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { type Account, newUniqueId, type Project } from './gateway-state.ts'
import { rsaPair } from './rsa-pairs.ts'

export const TOKEN_URI = 'https://oauth2.googleapis.com/token'
/** As at the real provider. */
export const MAX_KEYS = 10

/** Bits by name of an algorithm that the provider knows. */
export const keyAlgorithms: Readonly<Record<string, number>> = { KEY_ALG_RSA_1024: 1024, KEY_ALG_RSA_2048: 2048 }

export const emailOf = (project: Project, accountId: string): string => `${accountId}@${project.id}.iam.gserviceaccount.com`

/** Adds an account; the caller has checked that the name is free. */
export const addAccount = (project: Project, accountId: string, displayName: string, administrator: boolean): Account => {
  const email = emailOf(project, accountId)
  const account: Account = { email, uniqueId: newUniqueId(), displayName, administrator, keys: new Map() }
  project.accounts.set(email, account)
  return account
}

/** Adds a key of a known algorithm; the private part is given away and not kept. */
export const addKey = async (account: Account, algorithm: string): Promise<{ id: string; privateKey: KeyObject }> => {
  const { publicKey, privateKey } = await rsaPair(keyAlgorithms[algorithm] ?? 2048)
  const id = randomBytes(20).toString('hex')
  account.keys.set(id, { id, algorithm, publicKey })
  return { id, privateKey }
}

/** The file by which a client logs in as an account. */
export const credentialsFile = (project: Project, account: Account, keyId: string, privateKey: KeyObject): JsonObject => ({
  type: 'service_account',
  project_id: project.id,
  private_key_id: keyId,
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  client_email: account.email,
  client_id: account.uniqueId,
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: TOKEN_URI,
  auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
  client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${encodeURIComponent(account.email)}`,
  universe_domain: 'googleapis.com',
})
