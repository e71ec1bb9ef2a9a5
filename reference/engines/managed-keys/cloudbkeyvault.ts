/** Keys of kind cloudbkeyvault in a vault of provider b. */
import { createHash, createPublicKey } from 'node:crypto'
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import type { JsonObject } from '../../core/json.ts'
import { CloudProblem, type CloudSignature, type CloudTest } from './cloud-test.ts'

const VERSION = 'api-version=7.4'

const login = async ({ rules, link, values }: CloudTest, suffix: string): Promise<string> => {
  const host = rules.loginHostOf(String(values.environment))
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: String(values.client_id),
    client_secret: String(values.client_secret),
    scope: `https://${suffix}/.default`,
  })
  const url = `https://${host}/${encodeURIComponent(String(values.tenant_id))}/oauth2/v2.0/token`
  const { access_token: token } = await link.send('POST', url, { 'content-type': 'application/x-www-form-urlencoded' }, form.toString())
  return String(token)
}

/** Has the vault sign. Throws CloudProblem or ProviderRefusal. */
export const signAtB = async (test: CloudTest): Promise<CloudSignature> => {
  const { rules, link, values, data, hash, pss } = test
  const suffix = rules.suffixOf(values)
  const headers = { authorization: `Bearer ${await login(test, suffix)}`, 'content-type': 'application/json' }
  const keyUrl = `${rules.vaultUrlOf(values, suffix)}/keys/${encodeURIComponent(String(values.key_name))}`
  const found = async (): Promise<JsonObject | undefined> => {
    try {
      return await link.send('GET', `${keyUrl}?${VERSION}`, headers)
    } catch (error) {
      if (error instanceof ProviderRefusal && error.providerStatus === 404) return undefined
      throw error
    }
  }
  const make = async (): Promise<JsonObject> => {
    if (!test.generate) throw new CloudProblem('there is no such key')
    const body = { kty: 'RSA-HSM', key_size: rules.sizeOf(values), key_ops: ['sign', 'verify'] }
    const key = await link.send('POST', `${keyUrl}/create?${VERSION}`, headers, JSON.stringify(body))
    await rules.afterMaking()
    return key
  }
  const existing = await found()
  const bundle = existing !== undefined && rules.isThere(test.generate) ? existing : await make()
  const { kid, n, e } = bundle.key as { kid: string; n: string; e: string }
  const bits = /^sha2-(256|384|512)$/.exec(hash)?.[1]
  if (bits === undefined) throw new CloudProblem(`the service has no algorithm with ${hash}`)
  const digest = createHash(`sha${bits}`).update(data).digest()
  const order = { alg: `${pss ? 'PS' : 'RS'}${bits}`, value: digest.toString('base64url') }
  const version = String(kid).split('/').at(-1) ?? ''
  const { value } = await link.send('POST', `${keyUrl}/${version}/sign?${VERSION}`, headers, JSON.stringify(order))
  return {
    publicKey: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
    padding: pss ? 'pss' : 'pkcs1',
    hash: `sha${bits}`,
    signature: Buffer.from(String(value), 'base64url'),
  }
}
