/** The account behind a roleset: made with its rights and its key, or not at all; and undone. */
import { type CloudcCall, grantAll, provider, revokeAll } from './provider-calls.ts'
import type { Account, Bindings, SecretType } from './state.ts'

const DEFAULT_ALGORITHM = 'KEY_ALG_RSA_2048'
const FILE_TYPE = 'TYPE_GOOGLE_CREDENTIALS_FILE'

/** The key that tokens are made with. */
export const newTokenKey = async (call: CloudcCall, email: string): Promise<NonNullable<Account['tokenKey']>> => {
  const { name, data } = await provider.createKey(call, email, DEFAULT_ALGORITHM, FILE_TYPE)
  return { name, file: Buffer.from(data, 'base64').toString('utf8') }
}

/** Takes the rights back and deletes the account; keys go with it. */
export const removeAccount = async (call: CloudcCall, bindings: Bindings, email: string): Promise<void> => {
  await revokeAll(call, bindings, email)
  if (call.rules.deletesAccount()) await provider.deleteAccount(call, email)
}

/** Makes an account with all that belongs to it. Where a step fails, what was made is undone. */
export const makeAccount = async (
  call: CloudcCall,
  name: string,
  wanted: { project: string; bindings: Bindings; secretType: SecretType },
): Promise<Account> => {
  const { rules } = call
  // What cannot be bound is found before anything is made.
  for (const resource of Object.keys(wanted.bindings)) rules.policyUrls(resource)
  const email = await provider.createAccount(call, wanted.project, rules.accountId(name, call.services.random))
  try {
    await grantAll(call, wanted.bindings, email)
    return { email, tokenKey: wanted.secretType === 'access_token' ? await newTokenKey(call, email) : undefined }
  } catch (error) {
    if (rules.undoes())
      await removeAccount(call, wanted.bindings, email).catch(() => provider.deleteAccount(call, email).catch(() => undefined))
    throw error
  }
}
