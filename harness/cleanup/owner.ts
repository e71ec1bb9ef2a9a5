/** Who a run is, so that others that share its journal's folder know whether it goes on: also from another container or machine. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface Owner {
  /** For messages only: containers may share a name, and machines may change theirs. */
  host: string
  /** Differs with every start of a kernel; empty where the system does not tell. */
  boot: string
  /** The namespace that the process id belongs to; empty where the system has none. */
  namespace: string
  pid: number
  /** When the process began, in the system's own count: process ids are used again. Empty where the system does not tell. */
  start: string
}

const read = (get: () => string): string => {
  try {
    return get().trim()
  } catch {
    return ''
  }
}

/** Whether /proc shows the processes of our own namespace. */
const procIsOurs = (): boolean => read(() => readlinkSync('/proc/self')) === String(process.pid)

const STATE = 0
const START = 19

/** A field of /proc/PID/stat after the name of the program, which may hold spaces. */
const statOf = (pid: number, field: number): string =>
  read(() => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[field] ?? ''
  })

const startOf = (pid: number): string => (procIsOurs() ? statOf(pid, START) : '')

/** This process. */
export const thisOwner = (): Owner => ({
  host: hostname(),
  boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
  namespace: read(() => readlinkSync('/proc/self/ns/pid')),
  pid: process.pid,
  start: startOf(process.pid),
})

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !(procIsOurs() && statOf(pid, STATE) === 'Z')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether process ids of an owner mean the same to us: the same kernel, started once, and the same namespace. */
export const isNeighbour = (owner: Owner): boolean => {
  const self = thisOwner()
  return owner.boot === self.boot && owner.namespace === self.namespace && (self.boot !== '' || owner.host === self.host)
}

/** Whether the process of an owner among our neighbours goes on. */
export const goesOn = (owner: Owner): boolean => {
  if (!exists(owner.pid)) return false
  const start = startOf(owner.pid)
  return start === '' || owner.start === '' || start === owner.start
}
