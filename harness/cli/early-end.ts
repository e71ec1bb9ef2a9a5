/** Why a run is ended before its checks are done, with the remedy. */
import { Blocked } from '../base/errors.ts'

export const tookTooLong = (ms: number): Blocked =>
  new Blocked(
    `the run was ended after its longest time of ${ms / 1000} s`,
    'see why the target is slow, or give it longer with --max-time or timing.run',
  )

export const stoodStill = (minutes: number): Blocked =>
  new Blocked(`this process stood still for ${minutes} min: other runs may have removed what it made`, 'run it again')

/** Whether an error is what becomes of work that is broken off; any other error has to be told. */
export const isOfAbort = (error: unknown): boolean => error instanceof Blocked || (error instanceof Error && error.name === 'AbortError')
