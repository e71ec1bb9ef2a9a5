/** How each dialect spells what differs: headers, mount types, a few members of answers. */
import type { Json } from './json.ts'

export type DialectName = 'native' | 'vault'

export interface Spelling {
  /** Header names in lower case. */
  headers: { token: string; namespace: string; request: string }
  /** Mount type on the wire, and its version where one belongs to it, for each engine type that is not spelled as it is called. */
  mountTypes: Record<string, { type: string; version?: string }>
  /** Members of `data` by operation: our name to the dialect's. */
  members: Record<string, Record<string, string>>
  /** Kinds of managed keys in paths and in reads: our name to the dialect's. */
  kinds: Record<string, string>
}

const versioned = {
  kv1: { type: 'kv', version: '1' },
  kv2: { type: 'kv', version: '2' },
}

export const spellings: Record<DialectName, Spelling> = {
  native: {
    headers: { token: 'x-service-token', namespace: 'x-service-namespace', request: 'x-service-request' },
    mountTypes: versioned,
    members: {},
    kinds: {},
  },
  vault: {
    headers: { token: 'x-vault-token', namespace: 'x-vault-namespace', request: 'x-vault-request' },
    mountTypes: { ...versioned, broker: { type: 'rabbitmq' }, cloudc: { type: 'gcp' } },
    members: { 'database.readStaticCreds': { last_service_rotation: 'last_vault_rotation' } },
    kinds: { cloudakms: 'awskms', cloudbkeyvault: 'azurekeyvault', cloudckms: 'gcpckms' },
  },
}

const isText = <K extends string>(body: Json, member: K): body is { [M in K]: string } =>
  body !== null && typeof body === 'object' && !Array.isArray(body) && typeof body[member] === 'string'

/** A path below a system path in our spelling: its first segment may be a kind. */
export const unspelled = (spelling: Spelling, path: string): string => {
  const [first = '', ...rest] = path.split('/')
  const ours = Object.entries(spelling.kinds).find(([, wire]) => wire === first)?.[0]
  // What the dialect calls otherwise is nothing under our own name.
  return ours === undefined ? (spelling.kinds[first] === undefined ? path : '') : [ours, ...rest].join('/')
}

/** The body of an answer of `operation` as the dialect spells it; everything that has no other name passes untouched. */
export const spell = (spelling: Spelling, operation: string, body: Json): Json => {
  if (operation === 'managedKeys.read' && isText(body, 'type')) return { ...body, type: spelling.kinds[body.type] ?? body.type }
  const names = spelling.members[operation]
  if (!names || body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const { data } = body
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return body
  return { ...body, data: Object.fromEntries(Object.entries(data).map(([name, value]) => [names[name] ?? name, value])) }
}

/** The mount type of an engine type on the wire. */
export const wireType = (spelling: Spelling, engine: string): { type: string; version?: string } =>
  spelling.mountTypes[engine] ?? { type: engine }

/** The engine type that a mount request means, which need not exist; undefined where the dialect spells it otherwise. */
export const engineType = (spelling: Spelling, type: string, version: string | undefined): string | undefined => {
  const direct = /^kv-v([12])$/.exec(type)
  const wanted = direct ? { type: 'kv', version: direct[1] } : { type, version: version ?? (type === 'kv' ? '1' : undefined) }
  const named = Object.entries(spelling.mountTypes).find(([, known]) => known.type === wanted.type && known.version === wanted.version)
  if (named !== undefined) return named[0]
  return wanted.version === undefined && spelling.mountTypes[type] === undefined ? type : undefined
}
