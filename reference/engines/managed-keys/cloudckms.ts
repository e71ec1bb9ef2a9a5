/** Keys of kind cloudckms in a key ring of provider c. */
import { createHash, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import { type Credentials, credentialsIn } from '../../clouds/service-account.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { CloudProblem, type CloudSignature, type CloudTest, type Padding } from './cloud-test.ts'

const API = 'https://cloudkms.googleapis.com/v1'

const credentialsAt = async (path: string): Promise<Credentials> => {
  try {
    return credentialsIn(await readFile(path, 'utf8'))
  } catch (error) {
    throw new CloudProblem(error instanceof ApiError ? error.message : 'the file of credentials cannot be read')
  }
}

const paddingOf = (algorithm: string): Padding =>
  algorithm.startsWith('EC_') ? 'ecdsa' : algorithm.startsWith('RSA_SIGN_PSS') ? 'pss' : 'pkcs1'

/** Has the service sign. Throws CloudProblem or ProviderRefusal. */
export const signAtC = async (test: CloudTest): Promise<CloudSignature> => {
  const { rules, link, values, data, now } = test
  const credentials = await credentialsAt(String(values.credentials))
  const ask = (method: 'GET' | 'POST', path: string, body?: JsonObject) => link.call(credentials, method, `${API}/${path}`, now, body)
  const ifThere = async (path: string): Promise<JsonObject | undefined> => {
    try {
      return await ask('GET', path)
    } catch (error) {
      if (error instanceof ProviderRefusal && error.providerStatus === 404) return undefined
      throw error
    }
  }
  const ring = rules.ringOf(values)
  const name = `${ring}/cryptoKeys/${String(values.crypto_key)}`
  const algorithm = rules.algorithmOf(values)
  if ((await ifThere(name)) === undefined || !rules.isThere(test.generate)) {
    if (!test.generate) throw new CloudProblem('there is no such key')
    if (rules.makesRing()) await ask('POST', ring.replace(/\/keyRings\/.*$/, `/keyRings?keyRingId=${String(values.key_ring)}`), {})
    const template = { algorithm: rules.madeAlgorithm(algorithm), protectionLevel: 'HSM' }
    const query = `cryptoKeyId=${encodeURIComponent(String(values.crypto_key))}`
    await ask('POST', `${ring}/cryptoKeys?${query}`, { purpose: 'ASYMMETRIC_SIGN', versionTemplate: template })
    await rules.afterMaking()
  }
  const version = `${name}/cryptoKeyVersions/${rules.versionOf(values)}`
  const { pem, algorithm: actual } = await ask('GET', `${version}/publicKey`)
  if (actual !== algorithm) throw new CloudProblem(`the key is for ${String(actual)}`)
  const hash = algorithm.endsWith('SHA512') ? 'sha512' : algorithm.endsWith('SHA384') ? 'sha384' : 'sha256'
  const digest = createHash(hash).update(data).digest('base64')
  const { signature } = await ask('POST', `${version}:asymmetricSign`, { digest: { [hash]: digest } })
  return {
    publicKey: createPublicKey(String(pem)),
    padding: paddingOf(algorithm),
    hash,
    signature: Buffer.from(String(signature), 'base64'),
  }
}
