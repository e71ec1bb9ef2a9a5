import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stateFolder } from './state-folder.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-home-'))
  vi.stubEnv('ASSAY_STATE_DIR', undefined)
  vi.stubEnv('TMPDIR', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

/** A home below which no account can make anything: a file. */
const noHome = (): void => {
  writeFileSync(join(home, 'file'), '')
  vi.stubEnv('XDG_DATA_HOME', join(home, 'file', 'share'))
}
const ours = (): string => join(home, `assay-state-${process.getuid?.()}`)

it('is what ASSAY_STATE_DIR names, whether it can be used or not', () => {
  vi.stubEnv('ASSAY_STATE_DIR', join(home, 'named'))
  expect(stateFolder()).toBe(join(home, 'named'))
})

it('is in the data folder of the account, which need not be there yet', () => {
  vi.stubEnv('XDG_DATA_HOME', join(home, 'a', 'b'))
  expect(stateFolder()).toBe(join(home, 'a', 'b', 'assay', 'journal'))
})

it('is among the temporary files, for this account alone, if the home cannot be written to', () => {
  noHome()
  expect(stateFolder()).toBe(ours())
  expect(statSync(ours()).mode & 0o077).toBe(0)
})

it('is never a folder there that others may write to, and never a link', () => {
  noHome()
  mkdirSync(ours())
  chmodSync(ours(), 0o777)
  expect(stateFolder()).toBe(join(home, 'file', 'share', 'assay', 'journal'))
  rmSync(ours(), { recursive: true })
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(home, 'elsewhere'), ours())
  expect(stateFolder()).toBe(join(home, 'file', 'share', 'assay', 'journal'))
})
