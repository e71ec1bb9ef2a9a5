/** What --plan says before a run. */
import { expect, test } from 'vitest'
import { loadContract } from '../contract/load.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { planned, showPlan } from './show-plan.ts'

const options: CertifyOptions = { seed: 1, effort: 'standard', out: '', engine: ['kv', 'ssh'] }

/** Checks, requests and seconds of a line. */
const costsOf = async (name: string, more: Partial<CertifyOptions> = {}): Promise<number[]> => {
  const text = showPlan(await planned(await loadContract(), undefined, { ...options, ...more }))
  const line = text.split('\n').find((one) => one.trim().startsWith(`${name} `)) ?? ''
  return line.trim().split(/ +/).slice(1).map(Number)
}

test('each engine has its checks, requests and seconds, and all have their sum', async () => {
  const [kv, ssh, all] = [await costsOf('kv'), await costsOf('ssh'), await costsOf('all')]
  for (const costs of [kv, ssh, all]) expect(costs.every((cost) => cost > 0)).toBe(true)
  expect(all.slice(0, 2)).toEqual([kv[0]! + ssh[0]!, kv[1]! + ssh[1]!])
})

test('a selection, quick effort and limited time cost less', async () => {
  const [checks, requests] = await costsOf('all')
  for (const more of [{ check: ['kv/v1-*'] }, { effort: 'quick' as const }, { within: 10_000 }]) {
    const [fewer, less] = await costsOf(more.check ? 'kv' : 'all', more)
    expect([fewer! > 0, fewer! < checks!, less! < requests!], JSON.stringify(more)).toEqual([true, true, true])
  }
  const [first] = await costsOf('all', { within: 10_000 })
  expect((await costsOf('all', { within: 60_000 }))[0]).toBeGreaterThan(first!)
})
