/** A run that is killed without warning: what it left is found and removed by `assay clean`. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReference, type Reference } from '../reference/index.ts'
import { assay, type Ran, temporaryFolder } from './support/cli.ts'
import { deadNeighbour, writeJournal } from './support/journals.ts'
import { misbehaving } from './support/misbehaviour.ts'

const TOKEN = 'root-token-of-the-kill-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

const ask = async (path: string, method = 'GET'): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${reference.url}/v1/${path}`, { method, headers: { 'X-Service-Token': TOKEN } })
  return answer.status === 404 ? {} : ((await answer.json()) as { data: Record<string, unknown> }).data
}

const ours = async (): Promise<string[]> => {
  const mounts = Object.keys(await ask('sys/mounts'))
  const policies = ((await ask('sys/policies/acl?list=true')).keys ?? []) as string[]
  const namespaces = ((await ask('sys/namespaces?list=true')).keys ?? []) as string[]
  return [...mounts, ...policies, ...namespaces].filter((name) => name.startsWith('assay-'))
}

const certifyAndKill = (folder: string, afterMs: number, signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL'): Promise<Ran> =>
  assay(['certify', reference.url, '--token', TOKEN, '--engine', 'core,kv', '--effort', 'thorough'], {
    folder,
    during: ({ kill, pid }) => {
      const deadline = Date.now() + 90_000
      // One question after the other: two answers at once would send two signals, and a second interrupt stops without cleaning up.
      const poll = async (): Promise<void> => {
        const made = (await ours().catch(() => [])).filter((name) => !name.startsWith('assay-probe-'))
        if (pid !== 0 && made.length > 0) setTimeout(() => kill(signal), afterMs)
        else if (Date.now() < deadline) setTimeout(poll, 20)
      }
      void poll()
    },
  })

test.each([0, 300])('killed %i ms after it made something: clean leaves nothing', { timeout: 120_000 }, async (afterMs) => {
  const folder = temporaryFolder()
  const killed = await certifyAndKill(folder, afterMs)
  expect(killed.code, killed.all).toBe(null)
  expect(await ours()).not.toEqual([])
  const cleaned = await assay(['clean', reference.url, '--token', TOKEN], { folder })
  expect(cleaned.code, cleaned.all).toBe(0)
  expect(await ours()).toEqual([])
  expect(readdirSync(join(folder, 'journal'))).toEqual([])
  expect(cleaned.all).not.toContain(TOKEN)
})

test('what a killed run made outside mounts is removed by its path', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const path = 'sys/managed-keys/cloudakms/assay-gone00-key'
  const send = (method: string, body?: string) =>
    fetch(`${reference.url}/v1/${path}`, { method, headers: { 'X-Service-Token': TOKEN }, ...(body === undefined ? {} : { body }) })
  const key = { key_type: 'ECDSA', kms_key: 'alias/key', access_key: 'a', secret_key: 's' }
  expect((await send('POST', JSON.stringify(key))).ok).toBe(true)
  const entry = { on: reference.url, kind: 'object', namespace: '' }
  const entries = [path, 'sys/managed-keys/pkcs11/assay-gone00-never-made'].map((name) => ({ ...entry, name }))
  writeJournal(join(folder, 'journal'), 'gone00', deadNeighbour(), entries)
  const cleaned = await assay(['clean', reference.url, '--token', TOKEN], { folder })
  expect(cleaned.code, cleaned.all).toBe(0)
  expect((await send('GET')).status).toBe(404)
  expect(readdirSync(join(folder, 'journal'))).toEqual([])
})

test.each([0, 1000])('interrupted %i ms after it made something: nothing is left', { timeout: 120_000 }, async (afterMs) => {
  const folder = temporaryFolder()
  const ran = await certifyAndKill(folder, afterMs, 'SIGINT')
  expect(ran.code, ran.all).toBe(130)
  expect(await ours(), ran.all).toEqual([])
  expect(readdirSync(join(folder, 'journal'))).toEqual([])
  expect(ran.all).not.toContain('is violated')
})

test('a second signal ends a run at once, and it says what is left and how to remove it', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder()
  const frozen = await misbehaving(reference.url, 'says nothing', 60)
  const ran = await assay(['certify', frozen.url, '--token', TOKEN, '--engine', 'kv', '--timeout', '60s'], {
    folder,
    during: ({ kill, stderr }) => {
      let sent = 0
      const timer = setInterval(() => {
        const cleaning = stderr().includes('cleaning up')
        if (sent === 1 && cleaning) {
          clearInterval(timer)
          kill('SIGTERM')
        } else if (sent === 0 && frozen.reached()) {
          sent = 1
          kill('SIGTERM')
        }
      }, 50)
    },
  })
  await frozen.close()
  expect(ran.code, ran.all).toBe(130)
  expect(ran.stderr).toContain('stopped before cleaning up was done')
  expect(ran.stderr).toMatch(/objects? (is|are) left on http:\S+: run assay clean http:/)
  expect((await assay(['clean', reference.url, '--token', TOKEN], { folder })).stdout).toContain('removed mount assay-')
  expect(await ours()).toEqual([])
})

test('a second signal ends a run that is stuck in a computation, which is named', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder()
  const stuck = join(folder, 'stuck.cjs')
  writeFileSync(
    stuck,
    `const { isMainThread, workerData } = require('node:worker_threads')
    const { existsSync } = require('node:fs')
    if (!isMainThread && workerData?.argv) setInterval(() => { while (existsSync(${JSON.stringify(join(folder, 'now'))})); }, 20)`,
  )
  const ran = await assay(['certify', reference.url, '--token', TOKEN, '--engine', 'kv', '--effort', 'thorough'], {
    folder,
    env: { NODE_OPTIONS: `--require ${stuck}` },
    during: ({ kill, stderr }) => {
      let sent = 0
      const timer = setInterval(async () => {
        const made = (await ours().catch(() => [])).filter((name) => !name.startsWith('assay-probe-'))
        if (sent === 0 && made.length > 0) {
          sent = 1
          writeFileSync(join(folder, 'now'), '')
          setTimeout(() => kill('SIGTERM'), 300)
        } else if (sent === 1 && stderr().includes('cleaning up')) {
          clearInterval(timer)
          kill('SIGTERM')
        }
      }, 50)
    },
  })
  expect(ran.code, ran.all).toBe(130)
  expect(ran.stderr).toMatch(/it stood at: checking, \S+/)
  expect(ran.stderr).toMatch(/objects? (is|are) left on http:\S+: run assay clean http:/)
  expect((await assay(['clean', reference.url, '--token', TOKEN], { folder })).code).toBe(0)
  expect(await ours()).toEqual([])
})

test('a run that ends by itself leaves nothing, and no journal', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder()
  const ran = await assay(['certify', reference.url, '--token', TOKEN, '--engine', 'kv', '--effort', 'quick'], { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(await ours()).toEqual([])
  expect(readdirSync(join(folder, 'journal'))).toEqual([])
})

describe('what a run in a namespace left', () => {
  const MOUNT = 'assay-gone-kv1-1'
  const inTeam = (path: string, init: RequestInit = {}) =>
    fetch(`${reference.url}/v1/${path}`, {
      ...init,
      headers: { 'X-Service-Token': TOKEN, 'X-Service-Namespace': 'team', 'Content-Type': 'application/json' },
    })
  const leave = async (): Promise<string> => {
    const folder = temporaryFolder()
    await ask('sys/namespaces/team', 'POST')
    await inTeam(`sys/mounts/${MOUNT}`, { method: 'POST', body: '{"type":"kv"}' })
    const entry = { on: reference.url, within: 'team', kind: 'mount', name: MOUNT, namespace: '' }
    writeJournal(join(folder, 'journal'), 'gone00', deadNeighbour(), [entry])
    return folder
  }
  const isThere = async (): Promise<boolean> => JSON.stringify(await (await inTeam('sys/mounts')).json()).includes(MOUNT)

  test('is removed there, and only when that namespace is cleaned', async () => {
    const folder = await leave()
    const clean = (...words: string[]) => assay(['clean', ...words], { folder })
    expect((await clean()).all).toContain(`1 object is left on ${reference.url} --namespace team`)
    await clean(reference.url, '--token', TOKEN)
    expect(await isThere()).toBe(true)
    expect(readdirSync(join(folder, 'journal'))).toHaveLength(1)
    const cleaned = await clean(reference.url, '--token', TOKEN, '--namespace', 'team/')
    expect(cleaned.code, cleaned.all).toBe(0)
    expect(await isThere()).toBe(false)
    expect(readdirSync(join(folder, 'journal'))).toEqual([])
  })
  test('is forgotten where the server is gone', async () => {
    const folder = await leave()
    const forgotten = await assay(['clean', reference.url, '--namespace', 'team', '--forget'], { folder })
    expect(forgotten.all).toContain('1 object on')
    expect(readdirSync(join(folder, 'journal'))).toEqual([])
    expect((await assay(['clean', '--forget'], { folder })).code).toBe(2)
  })
})
