/** What makes a watched run begin again: a key, a target that comes back, a file that changes. */
import { type FSWatcher, watch } from 'node:fs'
import { connect } from 'node:net'

/** Why the next run begins, or `quit` if none is to follow. */
export type Trigger = 'a key was pressed' | 'the target is back' | 'a file changed' | 'quit'

export interface Triggers {
  /** The next one; what happens before it is asked for counts once. */
  next(): Promise<Trigger>
  /** Notes that nothing listened at a target's origin. A target that is back before the next look still counts as back. */
  wasGone(origin: string): void
  close(): void
}

const LOOK_EVERY = 250
const CONNECT = 2_000
/** Editors and compilers write several files one after the other. */
const SETTLE = 300
const CTRL_C = '\u0003'

/** Whether something listens there. */
const listens = ({ hostname, port, protocol }: URL): Promise<boolean> =>
  new Promise((done) => {
    const usual = protocol === 'https:' ? 443 : 80
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual), timeout: CONNECT })
    const end = (answer: boolean) => {
      socket.destroy()
      done(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

const onKeys = (input: NodeJS.ReadStream, tell: (trigger: Trigger) => void): (() => void) => {
  const heard = (chunk: Buffer) => {
    const text = chunk.toString('utf8')
    tell(/^q/i.test(text) || text.includes(CTRL_C) ? 'quit' : 'a key was pressed')
  }
  if (input.isTTY) input.setRawMode(true)
  input.on('data', heard)
  return () => {
    input.off('data', heard)
    if (input.isTTY) input.setRawMode(false)
    input.pause()
  }
}

const onReturn = (targets: readonly URL[], gone: Set<string>, tell: (trigger: Trigger) => void): (() => void) => {
  const look = async (): Promise<void> => {
    for (const target of targets) {
      const isThere = await listens(target)
      if (!isThere) gone.add(target.origin)
      else if (gone.delete(target.origin)) tell('the target is back')
    }
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
    })
  }, LOOK_EVERY)
  return () => clearInterval(timer)
}

const onFiles = (paths: readonly string[], tell: (trigger: Trigger) => void): (() => void) => {
  let settling: NodeJS.Timeout | undefined
  const changed = () => {
    clearTimeout(settling)
    settling = setTimeout(() => tell('a file changed'), SETTLE)
  }
  const watchers: FSWatcher[] = paths.map((path) => watch(path, { recursive: true }, changed))
  return () => {
    clearTimeout(settling)
    for (const one of watchers) one.close()
  }
}

/**
 * Waits for what makes a run begin again.
 *
 * @param targets addresses that are looked at.
 * @param paths files and folders that exist.
 */
export const watchTriggers = (targets: readonly URL[], paths: readonly string[], input: NodeJS.ReadStream = process.stdin): Triggers => {
  let pending: Trigger | undefined
  let waiting: ((trigger: Trigger) => void) | undefined
  const tell = (trigger: Trigger): void => {
    if (waiting !== undefined) {
      waiting(trigger)
      waiting = undefined
    } else if (pending !== 'quit') pending = trigger
  }
  const gone = new Set<string>()
  const ends = [onKeys(input, tell), onReturn(targets, gone, tell), onFiles(paths, tell)]
  return {
    next: () =>
      new Promise((done) => {
        if (pending === undefined) waiting = done
        else done(pending)
        pending = undefined
      }),
    wasGone: (origin) => gone.add(origin),
    close: () => {
      for (const end of ends) end()
    },
  }
}
