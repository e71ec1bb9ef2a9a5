import type { JsonObject } from './json.ts'

interface CommonHandle {
  name: string
  /** Which provider of the chain gave it. */
  provider: 'external' | 'docker' | 'local' | 'embedded'
  /** Version string of the real system, for the report. */
  version: string
  /** Further values by name, e.g. `database`, `managementPort`, `clientKeyFile`. */
  extra: Record<string, string>
  /** Values that must never reach an artefact, beyond a password. */
  secrets?: string[]
  /** What a server has to be started with to use the backend; absent where requests alone tell it. */
  server?: ServerSettings
}

/** A backend that is a network service: how we reach it, and how the target reaches it. */
export interface BackendHandle extends CommonHandle {
  host: string
  port: number
  /** Address that the target must use. */
  targetHost: string
  targetPort: number
  username: string
  password: string
}

/** A token of a PKCS#11 module, and the PIN that opens it. */
export interface ModuleToken {
  label: string
  /** Slot number, decimal. */
  slot: string
  pin: string
}

/** A backend without an address: a PKCS#11 module that programs load. */
export interface ModuleHandle extends CommonHandle {
  /** The shared object that our own tools load. */
  module: string
  /** Variables that programs need to load it, e.g. `SOFTHSM2_CONF`. */
  environment: Record<string, string>
  /** Tokens that the module has from the start; checks reserve them. */
  tokens: ModuleToken[]
}

/** A backend as a run has it. */
export type AnyHandle = BackendHandle | ModuleHandle

/** What the operator of a server has to tell it before backends can be used. */
export interface ServerSettings {
  /** PKCS#11 modules by the names of their library stanzas. */
  libraries?: Record<string, { module: string; environment: Record<string, string> }>
  /** Proxy for all requests to cloud providers, and the PEM file of the authority behind its certificates. */
  cloud?: { proxy: string; caFile: string }
  /** What follows for the `settings` of the target's configuration. */
  settings?: JsonObject
}

/** Whether a handle is a module's. */
export const isModule = (handle: AnyHandle): handle is ModuleHandle => 'module' in handle

/** A handle as that of a network service. @throws Error if it is missing or that of a module. */
export const serviceOf = (handle: AnyHandle | undefined): BackendHandle => {
  if (handle === undefined || isModule(handle)) throw new Error(`${handle?.name ?? 'what was asked for'} is not a backend with an address`)
  return handle
}

/** All values of a handle that must never reach an artefact. */
export const secretsOf = (handle: AnyHandle): string[] =>
  [...(handle.secrets ?? []), ...(isModule(handle) ? handle.tokens.map(({ pin }) => pin) : [handle.password])].filter(
    (value) => value !== '',
  )

/** Where a backend is, for journals and messages, without credentials. */
export const placeOfHandle = (handle: AnyHandle): string => (isModule(handle) ? handle.module : `${handle.host}:${handle.port}`)

/** Tells whether a name is one that a run gave. */
export type Ours = (name: string) => boolean
