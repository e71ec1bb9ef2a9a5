/** What a model of the mount knows: its roles, the zero-address list and the passwords that are out. */
import type { ReadBack } from '../../harness/checks/index.ts'

export const ROLES = 3
export const BLOCKS = ['10.1.0.0/16', '10.2.0.0/16', '10.0.0.0/8', '198.51.100.0/24']
/** Which of the blocks contain an address. */
export const ADDRESSES = [
  { ip: '10.1.0.9', blocks: [0, 2] },
  { ip: '10.2.255.255', blocks: [1, 2] },
  { ip: '10.3.0.0', blocks: [2] },
  { ip: '198.51.100.7', blocks: [3] },
  { ip: '192.0.2.1', blocks: [] as number[] },
]
export const USERS = ['ubuntu', 'deploy']

interface Role {
  block: number
  /** -1 for none. */
  excluded: number
  user: number
}
interface Password {
  otp: string
  role: number
  ip: string
  user: string
  used: boolean
  /** Whether its role was changed since: what becomes of it is open. */
  unclear: boolean
}
export interface State {
  /** By number of the role; absent where there is none. */
  roles: Record<string, Role>
  /** Numbers of the roles that take any address; undefined where no list is set. */
  free: number[] | undefined
  passwords: Password[]
}
export interface World {
  names: string[]
  /** Roles as they were written; absent where requests meet. */
  roles?: ReadBack
}

export const covers = ({ block, excluded }: Role, at: number): boolean =>
  ADDRESSES[at]!.blocks.includes(block) && !ADDRESSES[at]!.blocks.includes(excluded)

export const issues = (state: State, which: number, at: number): boolean => {
  const found = state.roles[which]
  return found !== undefined && (state.free?.includes(which) === true || covers(found, at))
}

export const named = (state: State, accepts: (found: Role, which: number) => boolean): number[] =>
  Object.keys(state.roles)
    .map(Number)
    .filter((which) => accepts(state.roles[which]!, which))

export const unclear = (passwords: Password[], isHit: (role: number) => boolean): Password[] =>
  passwords.map((one) => (isHit(one.role) ? { ...one, unclear: true } : one))
