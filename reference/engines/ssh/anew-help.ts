/** Words that the files of blind faults of the SSH engine share. */
import type { Mount } from '../../core/mounts.ts'
import type { Asked } from '../../mutations/callers.ts'
import { blockContains, entriesOf, parseBlock } from './networks.ts'
import type { SshState } from './state.ts'

export const below = (call: Asked): string => (call && 'signsFor' in call.rules ? call.path.slice(call.mount.path.length) : '')

export const inside = (blocks: string, ip: string): boolean =>
  entriesOf(blocks).some((text) => {
    const block = parseBlock(text)
    return block !== undefined && blockContains(block, ip)
  })

export const sshStateOf = (mount: Mount | undefined): SshState | undefined =>
  mount?.engine.type === 'ssh' ? (mount.state as SshState) : undefined
