/** Keys of kind cloudakms at the key service of provider a. */
import { createPublicKey } from 'node:crypto'
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import { signedHeaders } from '../../clouds/signature-v4.ts'
import type { JsonObject } from '../../core/json.ts'
import { CloudProblem, type CloudSignature, type CloudTest } from './cloud-test.ts'

const CURVE_HASHES: Record<string, string> = { ECC_NIST_P256: '256', ECC_NIST_P384: '384', ECC_NIST_P521: '512' }

type Ask = (verb: string, body: JsonObject) => Promise<JsonObject>

const asker = ({ rules, link, values, now }: CloudTest): Ask => {
  const region = rules.regionOf(values)
  const accessKey = { id: String(values.access_key), secret: String(values.secret_key) }
  const endpoint = rules.endpointOf(values, region)
  if (!URL.canParse(endpoint)) throw new CloudProblem('endpoint is not a URL')
  const url = new URL(endpoint)
  return (verb, body) => {
    const text = JSON.stringify(body)
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${verb}` }
    return link.send('POST', url.href, signedHeaders(accessKey, region, url, headers, text, new Date(now * 1000)), text)
  }
}

/** What the service says of the key; undefined where it has none. */
const described = async (ask: Ask, name: string): Promise<JsonObject | undefined> => {
  try {
    return (await ask('DescribeKey', { KeyId: name })).KeyMetadata as JsonObject
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'NotFoundException') return undefined
    throw error
  }
}

const made = async (ask: Ask, { rules, values }: CloudTest): Promise<JsonObject> => {
  const alias = rules.aliasOf(values)
  if (alias === undefined) throw new CloudProblem('a key is made under an alias only')
  const { KeyMetadata } = await ask('CreateKey', { KeySpec: rules.keySpecOf(values), KeyUsage: 'SIGN_VERIFY' })
  const metadata = KeyMetadata as JsonObject
  await ask('CreateAlias', { AliasName: alias, TargetKeyId: metadata.KeyId ?? '' })
  await rules.afterMaking()
  return metadata
}

const algorithmFor = (spec: string, { hash, pss }: CloudTest): { name: string; padding: CloudSignature['padding']; bits: string } => {
  const own = CURVE_HASHES[spec]
  if (own !== undefined) return { name: `ECDSA_SHA_${own}`, padding: 'ecdsa', bits: own }
  const bits = /^sha2-(256|384|512)$/.exec(hash)?.[1]
  if (bits === undefined) throw new CloudProblem(`the service has no algorithm with ${hash}`)
  return { name: `RSASSA_${pss ? 'PSS' : 'PKCS1_V1_5'}_SHA_${bits}`, padding: pss ? 'pss' : 'pkcs1', bits }
}

/** Has the service sign. Throws CloudProblem or ProviderRefusal. */
export const signAtA = async (test: CloudTest): Promise<CloudSignature> => {
  const { rules, values, data } = test
  const ask = asker(test)
  const name = String(values.kms_key)
  const found = await described(ask, name)
  const isThere = found !== undefined && rules.isThere(test.generate)
  if (!isThere && !test.generate) throw new CloudProblem('there is no such key')
  const metadata = isThere ? found : await made(ask, test)
  if (!rules.usageAllowed(String(metadata.KeyUsage))) throw new CloudProblem('the key is not for signatures')
  const algorithm = algorithmFor(String(metadata.KeySpec), test)
  const KeyId = String(metadata.KeyId)
  const signed = await ask('Sign', {
    KeyId,
    SigningAlgorithm: algorithm.name,
    Message: data.toString('base64'),
    MessageType: 'RAW',
  })
  const { PublicKey } = await ask('GetPublicKey', { KeyId })
  return {
    publicKey: createPublicKey({ key: Buffer.from(String(PublicKey), 'base64'), format: 'der', type: 'spki' }),
    padding: algorithm.padding,
    hash: `sha${algorithm.bits}`,
    signature: Buffer.from(String(signed.Signature), 'base64'),
  }
}
