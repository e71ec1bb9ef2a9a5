import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { assay, type Ran, temporaryFolder } from '../../tests/support/cli.ts'

const TOKEN = 'root-token-of-the-clean-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

/** A folder in which a run that is over left a mount on `on`. */
const remembering = (on: string): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'journal'))
  const entry = { on, kind: 'mount', name: 'assay-gone00-kv-1', namespace: '' }
  writeFileSync(join(folder, 'journal', 'gone00-999999999.jsonl'), `+${JSON.stringify(entry)}\n`)
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
