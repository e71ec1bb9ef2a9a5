/** Asks the gateway that stands for the cloud providers what is there, and makes projects and orders in it. */
import { request } from 'undici'
import type { BackendHandle } from '../base/backend-handle.ts'
import type { Json, JsonObject } from '../base/json.ts'

/** Keys of 4096 bits take long on a busy machine. */
const TIMEOUT_MS = 60_000

/** One binding of a policy, as the provider has it. */
export interface CloudBinding {
  role: string
  members: string[]
}

/** What is in a project of provider c. */
export interface CloudProject {
  accounts: { email: string; uniqueId: string; administrator: boolean; keys: { id: string; algorithm: string }[] }[]
  /** Bindings by relative resource name. */
  policies: Record<string, CloudBinding[]>
  /** Key rings of provider c, and the keys in them, by resource name. */
  rings: string[]
  ringKeys: Record<string, { algorithm: string; versions: number }>
  /** Keys of the key service of provider a, and their ids by region and alias, joined by a space. */
  regionalKeys: { id: string; region: string; usage: string; spec: string }[]
  aliases: Record<string, string>
  /** Keys in the vault of provider b. */
  vaultKeys: Record<string, { versions: number; spec: string }>
}

/** A key to put into a project: of service a, b or c. `spec` is e.g. `RSA_2048` or `P-256`. */
export type CloudKeyToMake =
  | { service: 'a'; region: string; alias: string; spec: string; usage?: string }
  | { service: 'b'; name: string; spec: string }
  | { service: 'c'; name: string; algorithm: string; versions?: number }

/** One request that the gateway has seen; never a secret. */
export interface CloudRequestSeen {
  operation: string
  method: string
  host: string
  path: string
  status: number
  detail: JsonObject
}

/** Misbehaviour for the operations that begin with `operation`; `times` says for how many requests, default all. */
export interface CloudOrder {
  operation: string
  delayMs?: number
  status?: number
  cut?: boolean
  wrongSignature?: boolean
  times?: number
}

/**
 * One question to the query API.
 *
 * @param path below `/projects`, or empty for the gateway itself.
 * @throws Error where it refuses or does not answer.
 */
export const askGateway = async (
  gateway: Pick<BackendHandle, 'host' | 'port' | 'password'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Json,
): Promise<Json> => {
  const answer = await request(`http://${gateway.host}:${gateway.port}/${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.password}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`the cloud gateway answered ${answer.statusCode} ${text.slice(0, 200)}`)
  return JSON.parse(text) as Json
}

/** A project of its own at the gateway. */
export interface CloudPlace {
  id: string
  /** JSON text of an administrator's credentials at provider c. */
  credentials: string
  /** The access key of provider a. */
  accessKey: { id: string; secret: string; account: string }
  /** The tenant of provider b, its application, and the name of its vault. */
  vault: { tenant: string; client: string; secret: string; name: string }
  /** Makes a key ring by its resource name. */
  addRing(name: string): Promise<void>
  /** Makes a key; `id` and `arn` are what service a calls it. */
  addKey(key: CloudKeyToMake): Promise<{ id?: string; arn?: string }>
  /** Removes a key by its id, its name in the vault, or its resource name. */
  dropKey(name: string): Promise<void>
  look(): Promise<CloudProject>
  seen(): Promise<CloudRequestSeen[]>
  order(...orders: CloudOrder[]): Promise<void>
  remove(): Promise<void>
}

type Created = Pick<CloudPlace, 'id' | 'accessKey' | 'vault'> & { credentials: JsonObject }

/** Makes a project that nobody else works in. */
export const cloudPlace = async (gateway: BackendHandle): Promise<CloudPlace> => {
  const { id, credentials, accessKey, vault } = (await askGateway(gateway, 'POST', 'projects')) as unknown as Created
  const below = (part: string): string => `projects/${id}${part}`
  return {
    id,
    credentials: JSON.stringify(credentials),
    accessKey,
    vault,
    addRing: async (name) => void (await askGateway(gateway, 'PUT', below('/rings'), name)),
    addKey: async (key) => (await askGateway(gateway, 'PUT', below('/keys'), key as unknown as Json)) as { id?: string; arn?: string },
    dropKey: async (name) => void (await askGateway(gateway, 'DELETE', below('/keys'), name)),
    look: async () => (await askGateway(gateway, 'GET', below(''))) as unknown as CloudProject,
    seen: async () => (await askGateway(gateway, 'GET', below('/records'))) as unknown as CloudRequestSeen[],
    order: async (...orders) => void (await askGateway(gateway, 'PUT', below('/orders'), orders as unknown as Json)),
    remove: async () => void (await askGateway(gateway, 'DELETE', below(''))),
  }
}
