/** Vaults of provider b: RSA keys in versions, behind a login. */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { bodyOf, type CloudAnswer, CloudRefusal, type CloudRequest, type Service, textIn } from './cloud-exchange.ts'
import type { Project, World } from './gateway-state.ts'
import { signsWrongly } from './orders.ts'
import { corrupted, type Hash, type KeySpec, makeKey, signDigest } from './signing.ts'

const HOST = /^([a-z0-9-]+)\.(vault\.azure\.net|managedhsm\.azure\.net)$/
const PATH = /^\/keys(?:\/([A-Za-z0-9-]+))?(?:\/([a-z0-9]+))?(?:\/(sign))?\/?$/
const SIZES = [2048, 3072, 4096]

const answerOf = (status: number, code: string, message: string, headers?: Record<string, string>): CloudAnswer => ({
  status,
  body: { error: { code, message } },
  ...(headers === undefined ? {} : { headers }),
})
const refused = (status: number, code: string, message: string): CloudRefusal => new CloudRefusal(answerOf(status, code, message))

type Version = { version: string; key: Awaited<ReturnType<typeof makeKey>> }

const bundle = (host: string, name: string, { version, key }: Version): JsonObject => {
  const { n, e } = key.publicKey.export({ format: 'jwk' })
  return {
    key: { kid: `https://${host}/keys/${name}/${version}`, kty: 'RSA-HSM', key_ops: ['sign', 'verify'], n: String(n), e: String(e) },
    attributes: { enabled: true, created: 0, updated: 0, recoveryLevel: 'Purgeable' },
  }
}

const create = async (project: Project, host: string, name: string, body: JsonObject): Promise<JsonObject> => {
  const size = body.key_size ?? 2048
  if (textIn(body, 'kty') !== 'RSA-HSM' || !SIZES.includes(Number(size)))
    throw refused(400, 'BadParameter', 'Key type or size is not supported')
  const made = { version: randomBytes(16).toString('hex'), key: await makeKey(`RSA_${String(size)}` as KeySpec) }
  project.vault.keys.set(name, [...(project.vault.keys.get(name) ?? []), made])
  return bundle(host, name, made)
}

const versionOf = (project: Project, name: string, version: string): Version => {
  const versions = project.vault.keys.get(name) ?? []
  const found = version === '' ? versions.at(-1) : versions.find((one) => one.version === version)
  if (found === undefined) throw refused(404, 'KeyNotFound', `A key with (name/id) ${name}/${version} was not found in this key vault.`)
  return found
}

const sign = (project: Project, host: string, name: string, found: Version, body: JsonObject): JsonObject => {
  const [, kind, bits] = /^(RS|PS)(256|384|512)$/.exec(textIn(body, 'alg')) ?? []
  if (kind === undefined) throw refused(400, 'BadParameter', 'Property alg is not supported')
  const digest = Buffer.from(textIn(body, 'value'), 'base64url')
  if (digest.length !== Number(bits) / 8) throw refused(400, 'BadParameter', 'Invalid length of value')
  const signature = signDigest(found.key, kind === 'RS' ? 'pkcs1' : 'pss', `sha${bits}` as Hash, digest)
  const given = signsWrongly(project.orders, 'vault.sign') ? corrupted(signature) : signature
  return { kid: `https://${host}/keys/${name}/${found.version}`, value: given.toString('base64url') }
}

const run = async (project: Project, request: CloudRequest): Promise<JsonObject> => {
  const path = request.path.replace(/\/create\/?$/, '')
  const [, name, version = '', verb] = PATH.exec(path) ?? []
  if (request.method === 'GET' && name === undefined && PATH.test(path))
    return {
      value: [...project.vault.keys.keys()].map((one) => ({ kid: `https://${request.host}/keys/${one}`, attributes: { enabled: true } })),
    }
  if (name === undefined) throw refused(404, 'NotFound', 'no such resource')
  if (request.method === 'POST' && path !== request.path) return create(project, request.host, name, bodyOf(request))
  const found = versionOf(project, name, version)
  if (request.method === 'GET') return bundle(request.host, name, found)
  if (request.method === 'DELETE') {
    project.vault.keys.delete(name)
    return bundle(request.host, name, found)
  }
  if (verb !== 'sign') throw refused(405, 'MethodNotAllowed', 'not supported here')
  return sign(project, request.host, name, found, bodyOf(request))
}

/** Throws 401 with the login to go to, which the first request of a client asks for, and 403 for another vault's token. */
const authorize = (project: Project, request: CloudRequest, world: World): void => {
  const bearer = world.tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const resource = `https://${HOST.exec(request.host)?.[2] ?? ''}`
  if (bearer === undefined || bearer.expiresAt <= Date.now() || !bearer.scopes.startsWith(resource))
    throw new CloudRefusal(
      answerOf(401, 'Unauthorized', 'AKV10000: Request is missing a Bearer or PoP token.', {
        'www-authenticate': `Bearer authorization="https://login.microsoftonline.com/${project.vault.tenant}", resource="${resource}"`,
      }),
    )
  if (bearer.project !== project) throw refused(403, 'Forbidden', 'The user does not have access to this vault.')
}

export const vaults: Service = {
  owns: (host) => HOST.test(host),
  plan(request, world) {
    const name = HOST.exec(request.host)?.[1]
    const project = world.find(({ vault }) => vault.name === name)
    if (project === undefined) throw refused(404, 'VaultNotFound', `no vault ${name}`)
    const verb =
      request.path.split('/').at(-1) === 'sign' ? 'sign' : request.path.endsWith('/create') ? 'create' : request.method.toLowerCase()
    const { alg, kty, key_size } = bodyOf(request)
    const detail = Object.fromEntries(Object.entries({ alg, kty, key_size }).filter(([, value]) => value !== undefined)) as JsonObject
    return {
      operation: `vault.${verb}`,
      project,
      detail,
      run: async () => {
        authorize(project, request, world)
        return { status: 200, body: await run(project, request) }
      },
    }
  },
  failure: (status) => answerOf(status, 'InternalError', 'the gateway was told to fail'),
}
