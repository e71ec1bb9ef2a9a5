/** A token that ends in the middle of a run: refusals from then on are not violations. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'

const TOKEN = 'root-token-of-the-lost-token-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
})
afterAll(() => reference.close())

const ONE = ['KV-V1-02']
const TWO = ['KV-V1-02', 'KV-V1-04']

describe('a token that is lost during the run', () => {
  const asRoot = (path: string, body: object) =>
    fetch(`${reference.url}/v1/auth/token/${path}`, {
      method: 'POST',
      headers: { 'X-Service-Token': TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const withOwnToken = async () => {
    const made = (await (await asRoot('create', { policies: ['root'] })).json()) as { auth: { client_token: string } }
    const token = made.auth.client_token
    const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['core', 'kv'] }, process.cwd())
    const config = { ...completeRun({}, process.cwd()), targets: [target] }
    const opened = await openRun(await loadContract(), config, {
      seed: 1,
      effort: 'quick',
      token,
      signal: new AbortController().signal,
    })
    return { own: opened.context, revoke: () => asRoot('revoke', { token }) }
  }
  const LOST = { outcome: 'blocked', reason: expect.stringMatching(/no longer accepts the run's token/), decisions: [] }

  test('makes neither a violation nor an internal error of what it refuses, and nothing more is asked', async () => {
    const { own, revoke } = await withOwnToken()
    const body: CheckBody = async ({ bench, expect: check }) => {
      await bench.decide('KV-V1-02', () => check(1).toBe(1))
      await revoke()
      await bench.decide('KV-V1-04', async () => check(await bench.call('kv1.list', { path: { path: 'x' } })).toHaveStatus(404))
    }
    const check: RunnableCheck = {
      id: 'kv/lost',
      engine: 'kv',
      clauses: TWO,
      title: '',
      kind: 'scenario',
      needs: {},
      deadline: 9000,
      body,
    }
    expect(await executeCheck(own, check)).toMatchObject(LOST)
    const asked = vi.fn(async () => undefined)
    const next = await executeCheck(own, { ...check, body: asked })
    expect(next).toMatchObject(LOST)
    expect(asked).not.toHaveBeenCalled()
    await closeRun(own)
  })
  test('is not suspected where it is still good', async () => {
    const { own } = await withOwnToken()
    const body: CheckBody = async ({ expect: check }) => check(1).toBe(2)
    const check: RunnableCheck = {
      id: 'kv/bad',
      engine: 'kv',
      clauses: ONE,
      title: '',
      kind: 'scenario',
      needs: {},
      deadline: 9000,
      body,
    }
    expect((await executeCheck(own, check)).outcome).toBe('failed')
    await closeRun(own)
  })
})
