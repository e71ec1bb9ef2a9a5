/** Checks whose time is over while their body goes on: on the real reference server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import type { RunContext } from '../sending/context.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'

const TOKEN = 'root-token-of-the-left-checks-test'
let reference: Reference
let context: RunContext

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['kv'] }, process.cwd())
  const config = { ...completeRun({}, process.cwd()), targets: [target] }
  context = (await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal }))
    .context
})
afterAll(async () => {
  await closeRun(context)
  await reference.close()
})

const mounts = async (): Promise<string[]> => {
  const answer = await fetch(`${reference.url}/v1/sys/mounts`, { headers: { 'X-Service-Token': TOKEN } })
  return Object.keys(((await answer.json()) as { data: object }).data)
}

test('such a check makes nothing more, and what came too late is removed', async () => {
  let went = 0
  let ended = (): void => undefined
  const end = new Promise<void>((done) => (ended = done))
  const before = await mounts()
  const check: RunnableCheck = {
    id: 'kv/left',
    engine: 'kv',
    clauses: ['KV-V1-02'],
    title: '',
    kind: 'scenario',
    needs: {},
    deadline: 150,
    async body({ bench }) {
      try {
        for (; went < 2000; went += 1) await bench.mount('kv1')
      } finally {
        ended()
      }
    },
  }
  expect((await executeCheck(context, check)).outcome).toBe('blocked')
  await end
  expect(went).toBeGreaterThan(0)
  expect(went).toBeLessThan(2000)
  await removeShared(context)
  expect(await mounts()).toEqual(before)
})
