/** Progress on stderr: one live line on a terminal, plain lines elsewhere. */
import pc from 'picocolors'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { Progress } from '../running/schedule.ts'
import { colorOn, say } from './terminal.ts'

export interface LiveProgress extends Progress {
  /** One line that stays. */
  say(text: string): void
  stop(): void
}

const REDRAW = 100
const PLAIN_EVERY = 10_000

const clip = (text: string): string => {
  const width = (process.stderr.columns ?? 100) - 1
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}

/**
 * @param requests tells how many requests were sent so far.
 */
export const makeProgress = (total: () => number, requests: () => number): LiveProgress => {
  const live = process.stderr.isTTY === true && process.env.CI === undefined
  const paint = pc.createColors(colorOn(process.stderr))
  const running = new Map<string, string>()
  let done = 0
  let failed = 0
  const state = (): string => {
    const [latest] = [...running.values()].slice(-1)
    const problems = failed === 0 ? '' : `, ${failed} failed`
    return `${done}/${total()} checks${problems}, ${requests()} requests${latest === undefined ? '' : `, now ${latest}`}`
  }
  const erase = () => {
    if (live) process.stderr.write('\r\u001b[2K')
  }
  const draw = () => {
    if (total() === 0) return
    if (live) process.stderr.write(`\r\u001b[2K${paint.dim(clip(state()))}`)
    else process.stderr.write(`${state()}\n`)
  }
  const timer = setInterval(draw, live ? REDRAW : PLAIN_EVERY)
  timer.unref()
  return {
    started(check: CheckDefinition) {
      running.set(check.id, check.id)
    },
    finished(run: CheckRun) {
      running.delete(run.check.id)
      done += 1
      if (run.outcome === 'failed' || run.outcome === 'errored') failed += 1
    },
    say(text) {
      erase()
      say(text)
    },
    stop() {
      clearInterval(timer)
      erase()
    },
  }
}
