/** What a test run that was killed leaves: the next one ends it, before and after its tests. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import removeLeftovers from './support/backend-leftovers.ts'
import { temporaryFolder } from './support/cli.ts'
import { deadNeighbour, writeJournal } from './support/journals.ts'

/** More than any system gives. */
const NO_PROCESS = 2 ** 22 + 1

const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
  } catch {
    return true
  }
}

test('a backend of a killed test run is ended, wherever its journal lies', async () => {
  const folder = mkdtempSync(join(tmpdir(), `assay-test-${NO_PROCESS}-`))
  const ofRunning = temporaryFolder()
  const backendFolder = mkdtempSync(join(tmpdir(), 'assay-rabbitmq-'))
  const backend = spawn('sleep', ['300'], {
    cwd: backendFolder,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, HOME: backendFolder },
  })
  const entries = [
    { kind: 'backend-folder', path: backendFolder },
    { kind: 'backend-process', pid: backend.pid, folder: backendFolder },
  ].map((entry) => ({ on: 'this machine', kind: entry.kind, name: backendFolder, entry: JSON.stringify(entry) }))
  const journal = writeJournal(join(folder, 'journal'), 'abc123', deadNeighbour(), entries)
  const running = writeJournal(join(ofRunning, 'journal'), 'def456', deadNeighbour(), [])
  await removeLeftovers()
  expect(existsSync(running)).toBe(true)
  await vi.waitFor(() => expect(isGone(backend.pid!)).toBe(true), 5000)
  expect(existsSync(backendFolder)).toBe(false)
  expect(existsSync(journal)).toBe(false)
  rmSync(folder, { recursive: true })
})
