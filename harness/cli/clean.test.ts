import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { assay, type Ran, temporaryFolder } from '../../tests/support/cli.ts'
import { deadNeighbour, stranger, writeJournal } from '../../tests/support/journals.ts'

const TOKEN = 'root-token-of-the-clean-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

/** A folder in which a run that is over left a mount on `on`. */
const remembering = (on: string): string => {
  const folder = temporaryFolder()
  const entry = { on, kind: 'mount', name: 'assay-gone00-kv-1', namespace: '' }
  writeJournal(join(folder, 'journal'), 'gone00', deadNeighbour(), [entry])
  return folder
}

const clean = (folder: string, ...words: string[]): Promise<Ran> => assay(['clean', ...words], { folder })

test.each([
  ['', '/'],
  ['/', ''],
])('what was made at HOST%s is removed and forgotten at HOST%s', async (before, now) => {
  const removing = remembering(`${reference.url}${before}`)
  const removed = await clean(removing, `${reference.url}${now}`, '--token', TOKEN)
  expect(removed.code, removed.all).toBe(0)
  expect(readdirSync(join(removing, 'journal'))).toEqual([])
  const forgetting = remembering(`https://gone.example${before}`)
  const forgotten = await clean(forgetting, `https://gone.example${now}`, '--forget')
  expect(forgotten.stdout).toContain('1 object on https://gone.example')
  expect(readdirSync(join(forgetting, 'journal'))).toEqual([])
})

test('forgetting a server of which nothing is known says of which something is', async () => {
  const ran = await clean(remembering('https://gone.example'), 'https://other.example', '--forget')
  expect(ran.stdout).toContain('0 objects on https://other.example forgotten\nwhat is remembered is on https://gone.example')
})

test('what the server refused to make is not left', async () => {
  const folder = temporaryFolder()
  const ran = await assay(['certify', reference.url, '--token', TOKEN, '--namespace', 'nowhere', '--engine', 'kv'], { folder })
  expect(ran.code, ran.all).toBe(3)
  const left = await clean(folder)
  expect(left.code, left.all).toBe(0)
  expect(left.stdout).toBe('nothing else is left on this machine\n')
})

describe('a run in another container, with the same state folder', () => {
  const MOUNT = 'assay-other0-kv-1'
  const inOther = async (): Promise<{ folder: string; file: string }> => {
    const folder = temporaryFolder()
    const entry = { on: reference.url, kind: 'mount', name: MOUNT, namespace: '' }
    await ask('POST', `sys/mounts/${MOUNT}`, '{"type":"kv"}')
    return { folder, file: writeJournal(join(folder, 'journal'), 'other0', stranger(), [entry]) }
  }
  const ask = (method: string, path: string, body?: string) =>
    fetch(`${reference.url}/v1/${path}`, {
      method,
      headers: { 'X-Service-Token': TOKEN, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
  const isThere = async (): Promise<boolean> => (await (await ask('GET', 'sys/mounts')).text()).includes(MOUNT)

  test('is left alone while it gives signs of life, by clean and by a run that begins', async () => {
    const { folder } = await inOther()
    const cleaned = await clean(folder, reference.url, '--token', TOKEN)
    expect(cleaned.stdout).toContain('left alone: run other0 of another-container goes on')
    await assay(['certify', reference.url, '--token', TOKEN, '--engine', 'kv', '--effort', 'quick'], { folder })
    expect(await isThere()).toBe(true)
    expect(readdirSync(join(folder, 'journal'))).toHaveLength(1)
  })

  test('is cleaned when it gave none for long', async () => {
    const { folder, file } = await inOther()
    utimesSync(file, new Date(0), new Date(0))
    const cleaned = await clean(folder, reference.url, '--token', TOKEN)
    expect(cleaned.code, cleaned.all).toBe(0)
    expect(await isThere()).toBe(false)
    expect(readdirSync(join(folder, 'journal'))).toEqual([])
  })
})

test('what a run left on another machine stays in the journal, and is told', async () => {
  const folder = temporaryFolder()
  const path = '/nonexistent/assay-run-other0'
  const entry = { on: 'this machine', kind: 'backend-folder', name: path, entry: JSON.stringify({ kind: 'backend-folder', path }) }
  const file = writeJournal(join(folder, 'journal'), 'other0', stranger(), [entry])
  const silent = new Date(Date.now() - 3_600_000)
  utimesSync(file, silent, silent)
  const told = await clean(folder)
  expect(told.code).toBe(3)
  expect(told.stdout).toContain('1 folder of another-container, out of reach: run assay clean there')
})
