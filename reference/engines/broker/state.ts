/** What one broker mount knows. */
import type { BrokerAddress } from './management.ts'

export interface VhostRights {
  configure: string
  write: string
  read: string
}
export interface TopicRights {
  write: string
  read: string
}

export interface BrokerRole {
  tags: string
  /** The JSON text as written. */
  vhosts: string
  vhostTopics: string
}

export interface BrokerState {
  connection: BrokerAddress | undefined
  /** Seconds; 0 stands for the mount's default. */
  lease: { ttl: number; maxTtl: number }
  roles: Map<string, BrokerRole>
}
