/** What one database mount knows. */
import type { Link } from './link.ts'

export interface Connection {
  name: string
  pluginName: string
  allowedRoles: string[]
  rootRotationStatements: string[]
  passwordPolicy: string
  /** With its templates, as written. */
  url: string
  username: string
  password: string
  link: Link
}

export interface Role {
  dbName: string
  /** Seconds; 0 stands for the default of the mount. */
  defaultTtl: number
  maxTtl: number
  creation: string[]
  revocation: string[]
  rollback: string[]
  renewal: string[]
}

export interface StaticRole {
  dbName: string
  username: string
  rotation: string[]
  /** Seconds. */
  period: number
  password: string
  /** Seconds since the epoch. */
  rotatedAt: number
  cancel(): void
  /** Rotations of one user never overlap. */
  busy: Promise<unknown>
}

export interface DatabaseState {
  connections: Map<string, Connection>
  roles: Map<string, Role>
  staticRoles: Map<string, StaticRole>
}

/** A user as statements see it. */
export interface UserValues {
  username: string
  password: string
  /** Seconds since the epoch. */
  expiresAt: number
}
