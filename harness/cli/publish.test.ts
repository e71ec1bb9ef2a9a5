/** What cannot be written is told, and loses nothing of the rest. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { FORMATS } from '../../reports/index.ts'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { imagine } from '../outcomes/testing/imagined.ts'
import { withFailures } from './complaint.ts'
import { exit, exitOf } from './exit.ts'
import { publish } from './publish.ts'

const results = imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'violated' }] } })
const evidence = new Map([
  ['evidence/KV-C-01.har', '{}'],
  ['evidence/KV-C-02.har', '{}'],
])
let out: string
let said: string

beforeEach(() => {
  out = join(temporaryFolder(), 'report')
  said = ''
  const hear = (text: unknown): boolean => {
    said += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(hear)
  vi.spyOn(process.stderr, 'write').mockImplementation(hear)
  return () => vi.restoreAllMocks()
})

const messages = (failures: readonly unknown[]): string[] => failures.map((failure) => (failure as Error).message)

test('a history that cannot be written costs no report', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const failures = await publish(results, { out, history: join(file, 'history') })
  expect(messages(failures)).toEqual([expect.stringContaining(join(file, 'history'))])
  expect(readdirSync(out)).toHaveLength(FORMATS.length)
  expect(said).toContain('Gate failed')
  expect(withFailures(failures, exitOf(results))).toBe(exit.errored)
})

test.each(['results.json', 'report.html', 'junit.xml'])('without %s all others are written', async (name) => {
  mkdirSync(join(out, name), { recursive: true })
  const failures = await publish(results, { out, evidence })
  expect(messages(failures)).toEqual([expect.stringContaining(`${join(out, name)} could not be written`)])
  expect(readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(FORMATS.length - 1)
  expect(readdirSync(join(out, 'evidence'))).toHaveLength(2)
})

test('evidence that cannot be written leaves that of other clauses, and nothing is signed that is not whole', async () => {
  mkdirSync(join(out, 'evidence', 'KV-C-01.har', 'in-the-way'), { recursive: true })
  const sign = vi.fn()
  const failures = await publish(results, { out, evidence, signer: { sign, publicKey: '' } as never })
  expect(messages(failures).at(-1)).toContain('statement.dsse.json could not be written: the report is not whole')
  expect(readFileSync(join(out, 'evidence', 'KV-C-02.har'), 'utf8')).toBe('{}')
  expect(sign).not.toHaveBeenCalled()
})
