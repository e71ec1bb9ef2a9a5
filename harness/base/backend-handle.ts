/** A backend as a check sees it: how we reach it, and how the target reaches it. */
export interface BackendHandle {
  name: string
  /** Which provider of the chain gave it. */
  provider: 'external' | 'docker' | 'local' | 'embedded'
  host: string
  port: number
  /** Address that the target must use. */
  targetHost: string
  targetPort: number
  username: string
  password: string
  /** Version string of the real system, for the report. */
  version: string
  /** Further values by name, e.g. `database`, `managementPort`, `clientKeyFile`. */
  extra: Record<string, string>
}

/** Tells whether a name is one that a run gave. */
export type Ours = (name: string) => boolean
