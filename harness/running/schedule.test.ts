/** In which order checks begin, and which of them side by side. */
import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { RunContext } from '../sending/context.ts'
import { inOrder, type Pace, schedule } from './schedule.ts'

const one = (id: string, deadline: number, waits?: boolean) =>
  ({ id, deadline, ...(waits === undefined ? {} : { waits }) }) as RunnableCheck

test('what waits begins first, then what may take long, and others keep their order', () => {
  const checks = [one('kv/a', 10), one('kv/b', 20), one('kv/c', 10), one('kv/ends', 10, true), one('kv/goes-on', 20, true)]
  expect(inOrder(checks).map(({ id }) => id)).toEqual(['kv/goes-on', 'kv/ends', 'kv/b', 'kv/a', 'kv/c'])
})

test('checks that judge made keys run one at a time beside the others, each with five times what the first took', async () => {
  const under: string[] = []
  const given: (number | undefined)[] = []
  let most = 0
  let beside = false
  const execute = (async ({ least }, check) => {
    under.push(check.id)
    most = Math.max(most, under.filter((id) => id.startsWith('pki/')).length)
    beside ||= new Set(under.map((id) => id.split('/')[0])).size > 1
    given.push(least)
    await new Promise((resolve) => setTimeout(resolve, 20))
    under.splice(under.indexOf(check.id), 1)
    return { check, durationMs: 1000 * given.length }
  }) as NonNullable<Pace['execute']>
  const http = { isHeavy: false }
  const target = { http, provisioner: { features: new Set(['mounts']) } }
  const contract = { engines: new Map([['pki', { api: 'secrets' }]]) }
  const context = { targets: new Map([['secrets', target]]), contract, signal: new AbortController().signal } as unknown as RunContext
  const making = ['pki/a', 'pki/b', 'pki/c'].map(
    (id) => ({ id, engine: 'pki', needs: {}, deadline: 10, makesKeys: true }) as unknown as RunnableCheck,
  )
  await schedule(context, making, {}, { execute })
  expect([most, given]).toEqual([1, [undefined, 5000, 5000]])
  const others = ['kv/a', 'kv/b'].map((id) => ({ id, engine: 'pki', needs: {}, deadline: 10 }) as unknown as RunnableCheck)
  await schedule(context, [...making, ...others], {}, { execute })
  expect([most, beside]).toEqual([1, true])
})
