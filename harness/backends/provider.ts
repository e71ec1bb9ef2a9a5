/** The provider chain's vocabulary: how one kind of backend is found, started and removed. */
import type { AnyHandle, BackendHandle, ModuleHandle, Ours } from '../base/backend-handle.ts'
import type { SqlPlace } from '../oracles/sql.ts'

export type ProviderName = AnyHandle['provider']
/** The order in which providers are tried. */
export const providers: readonly ProviderName[] = ['external', 'docker', 'local', 'embedded']

/** Something of ours outside the target; a later run removes it when this one could not. */
export type BackendEntry =
  | { kind: 'backend-folder'; path: string }
  | { kind: 'backend-process'; pid: number; folder: string }
  | { kind: 'backend-container'; id: string }

/** Where entries are kept while what they name exists. */
export interface BackendJournal {
  add(entry: BackendEntry): void
  remove(entry: BackendEntry): void
}

/** What one start receives. */
export interface StartContext {
  journal: BackendJournal
  /** Address of this machine as the target sees it; absent where the target runs on this machine. */
  targetHost: string | undefined
  signal: AbortSignal
  onProgress(message: string): void
}

export interface Started {
  handle: AnyHandle
  stop(): Promise<void>
}

/** What a provider found, without starting anything: `detail` says what, or why not. */
export interface Finding {
  available: boolean
  detail: string
}

/** One provider for one backend. */
export interface Provider {
  find(): Promise<Finding>
  /** Milliseconds after which a start counts as failed. */
  deadline: number
  start(context: StartContext): Promise<Started>
}

/** How to reach an instance that somebody else runs. */
export interface Address {
  host: string
  port: number
  username: string
  password: string
  targetHost?: string
  targetPort?: number
  extra: Record<string, string>
}

/** A program of this machine that judges effects on a backend, or by which the target reaches it, wherever the backend runs. */
export interface Tool {
  /** Started by this name, so it has to be on the PATH. */
  program: string
  /** Debian packages that bring it. */
  packages: string[]
}

/** Where an image comes from: `published` names one to pull, `folder` is one with a Dockerfile, below the package's root. */
export type ImageSource = { published: string } | { folder: string }

interface CommonKind {
  name: string
  providers: Partial<Record<Exclude<ProviderName, 'external'>, Provider>>
  /** Removes databases, users and the like whose names are ours, and says what; absent where checks leave nothing that outlives them. */
  removeLeftovers?(handle: BackendHandle, ours: Ours): Promise<string[]>
  /** Makes a database and an administrator of that name; SQL databases only. */
  sqlPlace?(handle: BackendHandle, name: string, password: string): Promise<SqlPlace>
  /** Without one of these no provider can give the backend. */
  tools?: Tool[]
  /** Debian packages of the local provider. */
  packages: string[]
  /** One line for a machine that has none of it. */
  remedy: string
  /** A server is started with it: one that runs already cannot be told of it. */
  toldBeforehand?: true
}

/** A kind that is a network service. */
export interface ServiceKind extends CommonKind {
  /** Absent where it does not come as one. */
  image?: ImageSource
  /** Default port, for addresses that name none. */
  port: number
  /** What only some instances have, by the value in `extra` that says so: why one has not, and what to do. A check needs `name/part`. */
  parts?: Record<string, Missing>
  /** Logs in (or shakes hands) and returns the version; throws while it is not ready. */
  ping(address: Address): Promise<string>
}

/** A kind that programs load. */
export interface ModuleKind extends CommonKind {
  /** Verifies the module that a configuration names under `backends.<name>`; throws with the reason where it cannot be used. */
  attach(fields: Record<string, unknown>): Promise<ModuleHandle>
}

/** One kind of backend: one file each. */
export type BackendKind = ServiceKind | ModuleKind

export interface Missing {
  reason: string
  remedy: string
}
