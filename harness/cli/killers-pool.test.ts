import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { FaultTrials } from '../mutation/trials.ts'
import { runPool, within } from './killers-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-pool-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A process of the pool: it computes for ever on `hang`, and ends on `crash`. */
const WORKER = `
const work = ({ faults, atOnce = 3 }) => {
  for (let at = 0; at < faults.length; at += atOnce) {
    const trying = faults.slice(at, at + atOnce)
    process.send({ trying }, () => {
      if (trying.includes('hang')) for (;;);
      if (trying.includes('crash')) process.exit(7)
      for (const fault of trying) process.send({ tried: { fault, state: 'killed', seed: 1, ms: 1, trials: [] } })
      if (at + atOnce >= faults.length) process.disconnect()
    })
    if (trying.includes('hang') || trying.includes('crash')) break
  }
}
process.once('message', work)
process.send({ trying: [] })
`

const poolOn = async (faults: string[], options: Partial<Parameters<typeof runPool>[1]> = {}) => {
  const script = join(folder, 'worker.cjs')
  writeFileSync(script, WORKER)
  const records = new Map<string, FaultTrials>()
  let begun = 0
  const code = await runPool(faults, {
    processes: 1,
    begin: () => {
      begun += 1
      return fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    },
    tried: (record) => void records.set(record.fault, record),
    silence: 3000,
    signal: new AbortController().signal,
    ...options,
  })
  return { code, begun, states: Object.fromEntries([...records].map(([fault, { state }]) => [fault, state])), records }
}

describe('a pool of processes', () => {
  it('shares the faults out', async () => {
    const { code, begun, states } = await poolOn(['a', 'b', 'c'], { processes: 2 })
    expect({ code, begun, states }).toEqual({ code: 0, begun: 2, states: { a: 'killed', b: 'killed', c: 'killed' } })
  })

  it('goes on beside a fault with which a process stands still, and blames no other', async () => {
    const { code, states, records } = await poolOn(['a', 'hang', 'b', 'c'])
    expect({ code, states }).toEqual({ code: 0, states: { a: 'killed', b: 'killed', c: 'killed', hang: 'errored' } })
    expect(records.get('hang')?.note).toBe('its process said nothing for 3 s')
  })

  it('goes on beside one that ends its process', async () => {
    const { states, records } = await poolOn(['a', 'b', 'crash', 'c'])
    expect(states).toEqual({ a: 'killed', b: 'killed', c: 'killed', crash: 'errored' })
    expect(records.get('crash')?.note).toBe('its process ended with code 7')
  })

  it('begins nothing after an interruption', async () => {
    const { code, begun, states } = await poolOn(['a'], { signal: AbortSignal.abort() })
    expect({ code, begun, states }).toEqual({ code: 0, begun: 0, states: {} })
  })
})

describe('work within a time', () => {
  const never = (): Promise<never> => new Promise(() => undefined)
  const { signal } = new AbortController()

  it('is not over where it hears of nothing', async () => {
    await expect(within(10, signal, never, 10)).rejects.toThrow('not over after 0.01 s')
  })

  it('is left alone before', async () => {
    await expect(within(10_000, signal, () => Promise.resolve('done'))).resolves.toBe('done')
    await expect(within(10_000, signal, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  })
})
