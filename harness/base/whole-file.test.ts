/** A full disk leaves what was there, or nothing, and never a part of a file. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { NotWritten } from './errors.ts'
import { writeWhole } from './whole-file.ts'

/** A disk of 64 KiB; undefined where this account may mount none. */
const smallDisk = (): { folder: string; remove(): void } | undefined => {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return { folder, remove: () => void execFileSync('umount', [folder]) }
}

test('a file that does not fit on the disk leaves the one that was there, and is named', ({ skip }) => {
  const disk = smallDisk()
  if (disk === undefined) return skip('this account may not mount a small disk')
  try {
    const file = join(disk.folder, 'results.json')
    writeWhole(file, 'before')
    expect(() => writeWhole(file, 'a'.repeat(200_000))).toThrow(/results\.json could not be written: ENOSPC/)
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(disk.folder)).toEqual(['results.json'])
  } finally {
    disk.remove()
  }
})

test('what cannot be written is named and leaves nothing beside it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'results.json'))
  expect(() => writeWhole(join(folder, 'results.json'), 'text')).toThrow(NotWritten)
  expect(readdirSync(folder)).toEqual(['results.json'])
})

test('a file keeps its mode and the link that leads to it, and its folder is made', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'deep', 'file')
  writeWhole(file, 'one', 0o755)
  symlinkSync(file, join(folder, 'link'))
  writeWhole(join(folder, 'link'), 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o755)
  writeFileSync(file, '')
})
