/** What faults in the files beside this one share. */
import type { Mount } from '../../core/mounts.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { SshState } from './state.ts'

export const below = (call: Asked): string => (call && 'signsFor' in call.rules ? call.path.slice(call.mount.path.length) : '')

export const sshStateOf = (mount: Mount | undefined): SshState | undefined =>
  mount?.engine.type === 'ssh' ? (mount.state as SshState) : undefined
