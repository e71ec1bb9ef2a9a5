/** Key rings of provider c over REST: rings that exist beforehand, keys in numbered versions. */
import type { JsonObject } from '../../base/json.ts'
import { bodyOf, type CloudRequest, type Service, textIn } from './cloud-exchange.ts'
import type { Project } from './gateway-state.ts'
import { signsWrongly } from './orders.ts'
import { failureC, mayAdminister, projectOfBearer, refusalC } from './provider-c.ts'
import { corrupted, type Hash, type KeySpec, makeKey, type Padding, type SigningKey, signDigest } from './signing.ts'

const PATH =
  /^\/v1\/(projects\/([^/]+)\/locations\/[^/]+\/keyRings)(?:\/([^/:]+))?(\/cryptoKeys)?(?:\/([^/:]+))?(\/cryptoKeyVersions)?(?:\/([^/:]+))?(?:(?::|\/)(asymmetricSign|publicKey))?$/

/** Algorithms by their names. */
export const algorithms: Readonly<Record<string, { spec: KeySpec; padding: Padding; hash: Hash }>> = {
  EC_SIGN_P256_SHA256: { spec: 'P-256', padding: 'ecdsa', hash: 'sha256' },
  EC_SIGN_P384_SHA384: { spec: 'P-384', padding: 'ecdsa', hash: 'sha384' },
  ...Object.fromEntries(
    (['PSS', 'PKCS1'] as const).flatMap((padding) =>
      (['2048_SHA256', '3072_SHA256', '4096_SHA256', '4096_SHA512'] as const).map((size) => [
        `RSA_SIGN_${padding}_${size}`,
        {
          spec: `RSA_${size.slice(0, 4)}` as KeySpec,
          padding: padding.toLowerCase() as Padding,
          hash: size.slice(5).toLowerCase() as Hash,
        },
      ]),
    ),
  ),
}
/** Numbers of the enumeration, which REST clients of generated code send. */
const numbers: Readonly<Record<number, string>> = {
  12: 'EC_SIGN_P256_SHA256',
  13: 'EC_SIGN_P384_SHA384',
  2: 'RSA_SIGN_PSS_2048_SHA256',
  3: 'RSA_SIGN_PSS_3072_SHA256',
  4: 'RSA_SIGN_PSS_4096_SHA256',
  15: 'RSA_SIGN_PSS_4096_SHA512',
  5: 'RSA_SIGN_PKCS1_2048_SHA256',
  6: 'RSA_SIGN_PKCS1_3072_SHA256',
  7: 'RSA_SIGN_PKCS1_4096_SHA256',
  16: 'RSA_SIGN_PKCS1_4096_SHA512',
}

const createKey = async (project: Project, name: string, body: JsonObject): Promise<JsonObject> => {
  const { algorithm: given } = (body.versionTemplate ?? {}) as { algorithm?: string | number }
  const algorithm = typeof given === 'number' ? (numbers[given] ?? '') : (given ?? '')
  const known = algorithms[algorithm]
  if (known === undefined || !['ASYMMETRIC_SIGN', 5].includes(body.purpose as string))
    throw refusalC(400, 'algorithm or purpose is not supported')
  if (project.ringKeys.has(name)) throw refusalC(409, `CryptoKey ${name} already exists.`)
  project.ringKeys.set(name, { algorithm, versions: [await makeKey(known.spec)] })
  return shownKey(project, name)
}

const keyOf = (project: Project, name: string) => {
  const key = project.ringKeys.get(name)
  if (key === undefined) throw refusalC(404, `CryptoKey ${name} not found.`)
  return key
}

const shownKey = (project: Project, name: string): JsonObject => ({
  name,
  purpose: 'ASYMMETRIC_SIGN',
  versionTemplate: { algorithm: keyOf(project, name).algorithm, protectionLevel: 'HSM' },
})

const addVersion = async (project: Project, name: string): Promise<JsonObject> => {
  const { algorithm, versions } = keyOf(project, name)
  versions.push(await makeKey(algorithms[algorithm]!.spec))
  return { name: `${name}/cryptoKeyVersions/${versions.length}`, state: 'ENABLED', algorithm }
}

const sign = (project: Project, key: SigningKey, algorithm: string, body: JsonObject): string => {
  const { padding, hash } = algorithms[algorithm]!
  const digest = Buffer.from(textIn((body.digest ?? {}) as JsonObject, hash), 'base64')
  if (digest.length !== Number(hash.slice(3)) / 8) throw refusalC(400, `The digest has to be one of ${hash}.`)
  const signature = signDigest(key, padding, hash, digest)
  return (signsWrongly(project.orders, 'rings.sign') ? corrupted(signature) : signature).toString('base64')
}

const ofVersion = (project: Project, name: string, version: string, verb: string | undefined, body: JsonObject): JsonObject => {
  const { algorithm, versions } = keyOf(project, name)
  const key = versions[Number(version) - 1]
  const full = `${name}/cryptoKeyVersions/${version}`
  if (key === undefined) throw refusalC(404, `CryptoKeyVersion ${full} not found.`)
  if (verb === 'asymmetricSign') return { name: full, signature: sign(project, key, algorithm, body), protectionLevel: 'HSM' }
  if (verb === 'publicKey') return { name: full, algorithm, pem: key.publicKey.export({ type: 'spki', format: 'pem' }).toString() }
  return { name: full, state: 'ENABLED', algorithm }
}

const run = async (project: Project, request: CloudRequest, parts: (string | undefined)[]): Promise<JsonObject> => {
  const [, rings, , ring, keys, key, versions, version, verb] = parts
  const body = bodyOf(request)
  const ringName = `${rings}/${ring ?? request.query.get('keyRingId') ?? ''}`
  const making = request.method === 'POST' && verb === undefined
  if (ring === undefined) {
    if (!making) return { keyRings: [...project.rings].filter((name) => name.startsWith(`${rings}/`)).map((name) => ({ name })) }
    project.rings.add(ringName)
    return { name: ringName }
  }
  if (!project.rings.has(ringName)) throw refusalC(404, `KeyRing ${ringName} not found.`)
  if (keys === undefined) return { name: ringName }
  const name = `${ringName}/cryptoKeys/${key ?? request.query.get('cryptoKeyId') ?? ''}`
  if (key === undefined)
    return making
      ? createKey(project, name, body)
      : { cryptoKeys: [...project.ringKeys.keys()].filter((one) => one.startsWith(`${ringName}/`)).map((one) => shownKey(project, one)) }
  if (versions === undefined) return shownKey(project, name)
  if (version === undefined && making) return addVersion(project, name)
  return ofVersion(project, name, version ?? '', verb, body)
}

const operationOf = (request: CloudRequest, parts: (string | undefined)[]): string => {
  const verb = parts[8]
  if (verb !== undefined) return verb === 'publicKey' ? 'rings.publicKey' : 'rings.sign'
  const what = parts[6] !== undefined ? 'Version' : parts[4] !== undefined ? 'Key' : 'Ring'
  return `rings.${request.method === 'POST' ? 'create' : 'get'}${what}`
}

export const keyRings: Service = {
  owns: (host) => host === 'cloudkms.googleapis.com',
  plan(request, world) {
    const bearer = projectOfBearer(request, world)
    const parts = PATH.exec(decodeURIComponent(request.path))
    if (parts === null) throw refusalC(404, 'Requested entity was not found.')
    return {
      operation: operationOf(request, parts),
      project: bearer.project,
      run: async () => {
        mayAdminister(bearer, parts[2] ?? '')
        return { status: 200, body: await run(bearer.project, request, parts) }
      },
    }
  },
  failure: failureC,
}
