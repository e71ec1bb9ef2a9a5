/** How a target is prepared: mounts, identities, namespaces and fixtures for checks, and their removal. */

import type { JsonObject } from '../base/json.ts'
import type { Capability, Identity } from './exchange.ts'
import type { Provided } from './features.ts'
import type { Learn } from './learned.ts'

/** Something that was made on the target, in a form that survives in the journal. Holds no secrets. */
export interface UndoEntry {
  kind: string
  /** Tells objects of one kind and namespace apart. */
  name: string
  namespace: string
  [detail: string]: string
}

/** What a mount can be tuned to: lease times in seconds, and the managed keys that it may use. */
export interface MountConfig {
  defaultLeaseTtl?: number
  maxLeaseTtl?: number
  allowedManagedKeys?: string[]
}

export interface MountRequest {
  /** Mount type as in the specs. */
  type: string
  /** Unique name within the run's prefix. */
  name: string
  exclusive: boolean
  namespace: string
  config?: MountConfig
}

/** A permission on one path as policies spell it, below the base path. */
export interface PathGrant {
  path: string
  capabilities: Capability[]
}

export interface IdentityRequest {
  name: string
  displayName?: string
  namespace: string
  grants: PathGrant[]
  /** What each further policy of the caller grants or denies beside the first; empty for none. */
  further: PathGrant[][]
  /** Name of an identity that was made with the same permissions, whose policies this one is to have; such a one has no further policy. */
  like?: string
  /** Seconds after which the token ends by itself; default: long enough for a run. */
  ttl?: number
  /** Whether an entity of the name that the service shows for the token is to stand behind it, where the target has such. */
  entity?: boolean
}

export interface LeaseAnswer {
  status: number
  body: JsonObject
  /** True when the request was sent more than once, because a gateway answered it or its connection broke. */
  repeated?: true
  /** Where a redirect leads. */
  location?: string
}

/**
 * A provisioner. What it cannot give it refuses with `Blocked`, which says how to have it. It journals every object before
 * it makes it, through the context it was built with.
 */
export interface Provisioner {
  readonly kind: string
  /** What it gives: all of it claimed by its kind; preflight takes out what it did not see. */
  readonly features: Set<Provided>
  mount(request: MountRequest): Promise<{ path: string; undo?: UndoEntry }>
  /** Changes the configuration of a mount that it made; feature `tuning`. */
  tune(mount: { type: string; path: string; namespace: string }, config: MountConfig): Promise<void>
  identity(request: IdentityRequest): Promise<{ identity: Identity; undo?: UndoEntry }>
  /** Creates `<parent><name>/` and returns its path with trailing slash. */
  namespace(parent: string, name: string): Promise<{ path: string; undo?: UndoEntry }>
  fixture(purpose: string, parameters: JsonObject): Promise<{ fixture: JsonObject; undo?: UndoEntry }>
  /** Before the first check: gets the identities of these names that the configuration does not hold. Returns what undoes them. */
  prepare?(names: readonly string[]): Promise<UndoEntry[]>
  /** An identity named in the configuration, or got by `prepare`. */
  named(name: string): Identity
  lease(action: 'revoke' | 'renew' | 'lookup', leaseId: string, increment?: number): Promise<LeaseAnswer>
  /** Removes an object. With `force` a mount goes although its leases cannot be ended, for a backend of theirs is gone. */
  undo(entry: UndoEntry, force?: boolean): Promise<void>
  /** Has the leases of a mount that it made ended; whether they are is seen when that is removed. */
  endLeases?(mount: UndoEntry): Promise<unknown>
  /** Ends the token of an identity and nothing else of it. Returns whether that was all there is to undo. */
  endToken(entry: UndoEntry): Promise<boolean>
  /** Objects whose names begin with `prefix`, for `assay clean`. */
  leftovers(prefix: string): Promise<UndoEntry[]>
}

/** What every provisioner is built with. */
export interface ProvisionerContext {
  run: string
  /** Sends an ungraded request below the API's base path, as the root identity. */
  send(method: string, path: string, options?: { body?: JsonObject; namespace?: string }): Promise<LeaseAnswer>
  /** Registers a value that must not reach an artefact. */
  secret(value: string): void
  /** Takes in what is secret in an answer that did not come from the target. */
  learn: Learn
  /** Writes an entry to the journal before the object is made. */
  journal(entry: UndoEntry): void
  /** Strikes an entry from the journal: the target refused to make the object. */
  unmade(entry: UndoEntry): void
  /** Wire form of a mount type, from the dialect. */
  mountType(type: string): { type: string; options?: Record<string, string>; ready?: string }
  identities: Record<string, Identity>
  mounts: Record<string, { path: string; disposable?: boolean }>
  fixtures: Record<string, JsonObject | JsonObject[]>
  /** Milliseconds for one need. */
  timeout: number
}
