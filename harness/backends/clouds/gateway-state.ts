/** What the gateway knows: projects, kept apart from one another, each with accounts, keys, policies, key rings and a vault. */
import { type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import type { Order } from './orders.ts'
import type { CloudRecord } from './request-records.ts'
import type { SigningKey } from './signing.ts'

export interface AccountKey {
  id: string
  algorithm: string
  publicKey: KeyObject
}

export interface Account {
  email: string
  uniqueId: string
  displayName: string
  /** May administer the project; accounts that clients make may not. */
  administrator: boolean
  keys: Map<string, AccountKey>
}

export interface AccessToken {
  email: string
  project: Project
  scopes: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface Policy {
  etag: string
  bindings: { role: string; members: string[] }[]
}

export interface RegionalKey {
  id: string
  region: string
  /** `SIGN_VERIFY`, or what else it was made for. */
  usage: string
  key: SigningKey
}

export interface Project {
  id: string
  records: CloudRecord[]
  orders: Order[]
  /** Where readers see changes late: what they see, since when, and for how many milliseconds. */
  lateReads?: { ms: number; takenAt: number; copy: Project }
  /** By e-mail address. */
  accounts: Map<string, Account>
  /** By relative resource name, e.g. `projects/p/topics/t`: what is in here exists. */
  policies: Map<string, Policy>
  /** Key rings, keys and versions by resource name; a ring has no keys of its own. */
  rings: Set<string>
  ringKeys: Map<string, { algorithm: string; versions: SigningKey[] }>
  /** The account at provider a. */
  accessKey: { id: string; secret: string; account: string }
  regionalKeys: Map<string, RegionalKey>
  /** Key id by region and alias, joined by a space. */
  aliases: Map<string, string>
  /** The tenant and its vault at provider b. */
  vault: { tenant: string; client: string; secret: string; name: string; keys: Map<string, { version: string; key: SigningKey }[]> }
}

const newPolicy = (): Policy => ({ etag: newEtag(), bindings: [] })
export const newEtag = (): string => randomBytes(8).toString('base64')
const digits = (count: number): string => Array.from(randomBytes(count), (byte) => String(byte % 10)).join('')
export const newUniqueId = (): string => `1${digits(20)}`

const emptyProject = (id: string): Project => ({
  id,
  records: [],
  orders: [],
  accounts: new Map(),
  policies: new Map(
    [`projects/${id}`, `projects/${id}/topics/alpha`, `projects/${id}/topics/beta`, `projects/${id}/topics/Gamma_3.C`].map((name) => [
      name,
      newPolicy(),
    ]),
  ),
  rings: new Set(),
  ringKeys: new Map(),
  accessKey: {
    id: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secret: randomBytes(30).toString('base64'),
    account: `1${digits(11)}`,
  },
  regionalKeys: new Map(),
  aliases: new Map(),
  vault: {
    tenant: randomUUID(),
    client: randomUUID(),
    secret: randomBytes(24).toString('base64url'),
    name: `${id}-vault`,
    keys: new Map(),
  },
})

export class World {
  readonly projects = new Map<string, Project>()
  readonly tokens = new Map<string, AccessToken>()

  /** Makes a project that has three topics and nothing else. */
  create(): Project {
    const project = emptyProject(`assay-${randomBytes(6).toString('hex')}`)
    this.projects.set(project.id, project)
    return project
  }

  /** Forgets a project and the tokens of its accounts. */
  remove(id: string): boolean {
    for (const [token, { project }] of this.tokens) if (project.id === id) this.tokens.delete(token)
    return this.projects.delete(id)
  }

  find(holds: (project: Project) => boolean): Project | undefined {
    return [...this.projects.values()].find(holds)
  }
}
