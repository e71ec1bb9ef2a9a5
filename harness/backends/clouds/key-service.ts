/** The key service of provider a: keys and aliases by region, signed requests. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { bodyOf, type CloudAnswer, CloudRefusal, type CloudRequest, type Service, textIn } from './cloud-exchange.ts'
import type { Project, RegionalKey } from './gateway-state.ts'
import { signsWrongly } from './orders.ts'
import { claimedBy, isSignedWith } from './request-signature.ts'
import { corrupted, type Hash, type KeySpec, makeKey, type Padding, signDigest, signMessage, verifyMessage } from './signing.ts'

const TYPE = 'application/x-amz-json-1.1'
const answerOf = (status: number, type: string, message: string): CloudAnswer => ({
  status,
  headers: { 'content-type': TYPE, 'x-amzn-errortype': type },
  body: { __type: type, message },
})
const refused = (type: string, message: string): CloudRefusal => new CloudRefusal(answerOf(400, type, message))

/** Spec at the provider, ours, and the algorithms that fit. */
const RSA = [
  'RSASSA_PKCS1_V1_5_SHA_256',
  'RSASSA_PKCS1_V1_5_SHA_384',
  'RSASSA_PKCS1_V1_5_SHA_512',
  'RSASSA_PSS_SHA_256',
  'RSASSA_PSS_SHA_384',
  'RSASSA_PSS_SHA_512',
]
const specs: Readonly<Record<string, { spec: KeySpec; algorithms: string[] }>> = {
  RSA_2048: { spec: 'RSA_2048', algorithms: RSA },
  RSA_3072: { spec: 'RSA_3072', algorithms: RSA },
  RSA_4096: { spec: 'RSA_4096', algorithms: RSA },
  ECC_NIST_P256: { spec: 'P-256', algorithms: ['ECDSA_SHA_256'] },
  ECC_NIST_P384: { spec: 'P-384', algorithms: ['ECDSA_SHA_384'] },
  ECC_NIST_P521: { spec: 'P-521', algorithms: ['ECDSA_SHA_512'] },
}

interface Place {
  project: Project
  region: string
}

const arn = ({ project, region }: Place, id: string): string => `arn:aws:kms:${region}:${project.accessKey.account}:key/${id}`

const keyOf = (place: Place, name: string): RegionalKey => {
  const bare = name.startsWith('arn:')
    ? name
        .split(':')
        .slice(5)
        .join(':')
        .replace(/^key\//, '')
    : name
  const id = bare.startsWith('alias/') ? (place.project.aliases.get(`${place.region} ${bare}`) ?? '') : bare
  const key = place.project.regionalKeys.get(id)
  const region = name.startsWith('arn:') ? name.split(':')[3] : place.region
  if (key === undefined || key.region !== place.region || region !== place.region)
    throw refused('NotFoundException', `Key '${name}' does not exist`)
  return key
}

const specOf = (key: RegionalKey): string => Object.keys(specs).find((name) => specs[name]!.spec === key.key.spec) ?? ''
const algorithmsOf = (key: RegionalKey): string[] => specs[specOf(key)]?.algorithms ?? []

const metadata = (place: Place, key: RegionalKey): JsonObject => ({
  AWSAccountId: place.project.accessKey.account,
  KeyId: key.id,
  Arn: arn(place, key.id),
  KeySpec: specOf(key),
  CustomerMasterKeySpec: specOf(key),
  KeyUsage: key.usage,
  SigningAlgorithms: algorithmsOf(key),
  KeyState: 'Enabled',
  Enabled: true,
  KeyManager: 'CUSTOMER',
  Origin: 'AWS_KMS',
})

const algorithmFor = (key: RegionalKey, name: string): { padding: Padding; hash: Hash } => {
  if (key.usage !== 'SIGN_VERIFY') throw refused('InvalidKeyUsageException', `${key.id} key usage is ${key.usage}`)
  if (!algorithmsOf(key).includes(name))
    throw refused('InvalidKeyUsageException', `Algorithm ${name} is incompatible with key spec ${specOf(key)}.`)
  const padding = name.startsWith('ECDSA') ? 'ecdsa' : name.includes('PSS') ? 'pss' : 'pkcs1'
  return { padding, hash: `sha${name.slice(-3)}` as Hash }
}

type Verb = (place: Place, body: JsonObject) => JsonObject | Promise<JsonObject>

const verbs: Readonly<Record<string, Verb>> = {
  async CreateKey(place, body) {
    const known = specs[textIn(body, 'KeySpec') || textIn(body, 'CustomerMasterKeySpec')]
    if (known === undefined) throw refused('ValidationException', 'KeySpec is not supported here')
    const usage = textIn(body, 'KeyUsage') || 'SIGN_VERIFY'
    const key = { id: randomUUID(), region: place.region, usage, key: await makeKey(known.spec) }
    place.project.regionalKeys.set(key.id, key)
    return { KeyMetadata: metadata(place, key) }
  },
  CreateAlias(place, body) {
    const name = textIn(body, 'AliasName')
    if (!/^alias\/[a-zA-Z0-9/_-]+$/.test(name)) throw refused('InvalidAliasNameException', 'Alias must start with the prefix "alias/".')
    if (place.project.aliases.has(`${place.region} ${name}`))
      throw refused('AlreadyExistsException', `An alias with the name ${name} already exists`)
    place.project.aliases.set(`${place.region} ${name}`, keyOf(place, textIn(body, 'TargetKeyId')).id)
    return {}
  },
  DescribeKey: (place, body) => ({ KeyMetadata: metadata(place, keyOf(place, textIn(body, 'KeyId'))) }),
  GetPublicKey(place, body) {
    const key = keyOf(place, textIn(body, 'KeyId'))
    const { KeySpec, KeyUsage, SigningAlgorithms } = metadata(place, key) as Record<string, string>
    const der = key.key.publicKey.export({ type: 'spki', format: 'der' })
    return {
      KeyId: arn(place, key.id),
      PublicKey: der.toString('base64'),
      KeySpec: KeySpec!,
      KeyUsage: KeyUsage!,
      SigningAlgorithms: SigningAlgorithms!,
    }
  },
  Sign(place, body) {
    const key = keyOf(place, textIn(body, 'KeyId'))
    const name = textIn(body, 'SigningAlgorithm')
    const { padding, hash } = algorithmFor(key, name)
    const message = Buffer.from(textIn(body, 'Message'), 'base64')
    const whole = textIn(body, 'MessageType') !== 'DIGEST'
    if (!whole && message.length !== Number(hash.slice(3)) / 8)
      throw refused('ValidationException', 'Digest is invalid length for the algorithm.')
    const signature = whole ? signMessage(key.key, padding, hash, message) : signDigest(key.key, padding, hash, message)
    const given = signsWrongly(place.project.orders, 'keys.Sign') ? corrupted(signature) : signature
    return { KeyId: arn(place, key.id), Signature: given.toString('base64'), SigningAlgorithm: name }
  },
  Verify(place, body) {
    const key = keyOf(place, textIn(body, 'KeyId'))
    const name = textIn(body, 'SigningAlgorithm')
    const { padding, hash } = algorithmFor(key, name)
    if (textIn(body, 'MessageType') === 'DIGEST') throw refused('UnsupportedOperationException', 'Digests are not verified here.')
    const [message, signature] = [Buffer.from(textIn(body, 'Message'), 'base64'), Buffer.from(textIn(body, 'Signature'), 'base64')]
    if (!verifyMessage(key.key.publicKey, padding, hash, message, signature)) throw refused('KMSInvalidSignatureException', '')
    return { KeyId: arn(place, key.id), SignatureValid: true, SigningAlgorithm: name }
  },
  ListAliases: (place) => ({
    Aliases: [...place.project.aliases]
      .filter(([name]) => name.startsWith(`${place.region} `))
      .map(([name, TargetKeyId]) => ({ AliasName: name.slice(place.region.length + 1), TargetKeyId })),
    Truncated: false,
  }),
}

const detailOf = (request: CloudRequest, region: string): JsonObject => {
  const { KeySpec, SigningAlgorithm, KeyId, AliasName } = bodyOf(request)
  return {
    region,
    ...Object.fromEntries(Object.entries({ KeySpec, SigningAlgorithm, KeyId, AliasName }).filter(([, value]) => value !== undefined)),
  } as JsonObject
}

export const keyService: Service = {
  owns: (host) => /^kms([.-][a-z0-9.-]+)?\.amazonaws\.com$/.test(host),
  plan(request, world) {
    const claimed = claimedBy(request)
    if (claimed === undefined) throw new CloudRefusal(answerOf(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'))
    const project = world.find(({ accessKey }) => accessKey.id === claimed.accessKey)
    if (project === undefined) throw refused('UnrecognizedClientException', 'The security token included in the request is invalid.')
    const verb = (request.headers['x-amz-target'] ?? '').replace(/^TrentService\./, '')
    const { region } = claimed
    return {
      operation: `keys.${verb}`,
      project,
      detail: detailOf(request, region),
      async run() {
        if (!isSignedWith(project.accessKey.secret, claimed, request))
          throw refused('InvalidSignatureException', 'The request signature we calculated does not match the signature you provided.')
        const regional = /^kms\.([a-z0-9-]+)\.amazonaws\.com$/.exec(request.host)?.[1] ?? region
        if (regional !== region)
          throw refused('InvalidSignatureException', `Credential should be scoped to a valid region, not '${region}'.`)
        const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
        if (run === undefined) throw refused('UnknownOperationException', verb)
        return { status: 200, headers: { 'content-type': TYPE }, body: await run({ project, region }, bodyOf(request)) }
      },
    }
  },
  failure: (status) => answerOf(status, 'KMSInternalException', 'the gateway was told to fail'),
}
