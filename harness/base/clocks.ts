/** Tells a machine that stood still from a clock that was set: two clocks are read together, one of which nobody can set. */
import { uptime } from 'node:os'

/** Both in milliseconds. */
interface Reading {
  /** The time of day, which is set now and then. */
  day: number
  /** Since the machine began, sleep included. */
  machine: number
}

interface Gap {
  /** Milliseconds that went by. */
  passed: number
  /** Milliseconds by which the time of day went further than that; below zero: it was set back. */
  setBy: number
}

const readClocks = (): Reading => ({ day: Date.now(), machine: uptime() * 1000 })

/** Measures from each call to the next. @param read the clocks; default those of this machine. */
export class Clocks {
  readonly #read: () => Reading
  #last: Reading

  constructor(read: () => Reading = readClocks) {
    this.#read = read
    this.#last = read()
  }

  sinceLast(): Gap {
    const { day, machine } = this.#read()
    const passed = machine - this.#last.machine
    const setBy = day - this.#last.day - passed
    this.#last = { day, machine }
    return { passed, setBy }
  }
}
