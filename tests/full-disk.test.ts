/** Disks that fill up under a run, and uncaught errors: the report is made if possible, and exit 1 means only a violation. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReference, type Reference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay, hasStackTrace, temporaryFolder } from './support/cli.ts'

const TOKEN = 'root-token-of-the-full-disk-test'
const FLAGS = ['--engine', 'kv', '--effort', 'quick', '--no-reproduce']
/** Few checks, and many, for a run that something ends. */
const [FEW, MANY] = ['kv/v1-re*', 'kv/v1-*']
const ERRORED = 4
let reference: Reference
const disks: string[] = []

beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(async () => {
  await reference.close()
  for (const disk of disks) execFileSync('umount', ['-l', disk])
})

/** A disk of that many KiB; undefined where this account may mount none. */
const diskOf = (size: number): string | undefined => {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  disks.push(folder)
  return folder
}

const fill = (disk: string): void => {
  for (const size of [100_000, 1000]) {
    try {
      for (let number = 0; ; number += 1) writeFileSync(join(disk, `filler-${size}-${number}`), 'a'.repeat(size))
    } catch {
      // It is full.
    }
  }
}

const certify = (check: string, words: string[], options: Parameters<typeof assay>[1] = {}) =>
  assay(['certify', reference.url, '--token', TOKEN, '--check', check, ...FLAGS, ...words], options)

const onDisk = diskOf(16)
const canMount = onDisk !== undefined

describe.skipIf(!canMount)('a disk that is full', () => {
  test('costs the report and not the summary, names the file, and leaves nothing cut off', { timeout: 300_000 }, async () => {
    const disk = diskOf(8)!
    const ran = await certify(FEW, ['--out', disk])
    expect(ran.code, ran.all).toBe(ERRORED)
    expect(ran.stderr).toContain(`${join(disk, 'results.json')} could not be written: ENOSPC`)
    expect(ran.stdout).toMatch(/kv/)
    expect(readdirSync(disk).filter((name) => name === 'results.json' || name.endsWith('.partial'))).toEqual([])
  })

  test('of the history costs no report', { timeout: 300_000 }, async () => {
    fill(onDisk!)
    const ran = await certify(FEW, ['--history', onDisk!, '--out', 'report'])
    expect(ran.code, ran.all).toBe(ERRORED)
    expect(readdirSync(onDisk!).filter((name) => !name.startsWith('filler'))).toEqual([])
    expect(ran.stderr).toMatch(/\.json\.gz could not be written: ENOSPC/)
    expect(existsSync(join(ran.folder, 'report', 'report.html'))).toBe(true)
  })

  test('of the state folder ends the run with a report', { timeout: 300_000 }, async () => {
    const disk = diskOf(256)!
    const isBegun = (): boolean => readdirSync(disk).some((name) => name.endsWith('.jsonl'))
    let timer: NodeJS.Timeout | undefined
    const ran = await certify(MANY, ['--out', 'report', '--rate', '20'], {
      env: { ASSAY_STATE_DIR: disk },
      during: () => {
        timer = setInterval(() => isBegun() && fill(disk), 500)
      },
    })
    clearInterval(timer)
    expect(ran.code, ran.all).toBe(ERRORED)
    expect(ran.stderr).toMatch(/\.jsonl could not be written: ENOSPC/)
    expect(hasStackTrace(ran.all), ran.all).toBe(false)
    expect(existsSync(join(ran.folder, 'report', 'results.json'))).toBe(true)
  })
})

test('an uncaught error ends the run with a report and does not count as a violation', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder()
  const late = join(folder, 'late.cjs')
  writeFileSync(
    late,
    `const { readdirSync, readFileSync } = require('node:fs')
     const begun = () => readdirSync(process.env.ASSAY_STATE_DIR).some((name) => readFileSync(process.env.ASSAY_STATE_DIR + '/' + name, 'utf8').split('\\n').filter((line) => line.includes('+') && !line.includes('assay-probe-')).length > 4)
     const look = () => { try { return begun() } catch { return false } }
     if (require('node:worker_threads').workerData?.argv !== undefined)
       setInterval(() => { if (look()) throw new TypeError('too late for anybody') }, 300).unref()`,
  )
  const ran = await certify(MANY, ['--out', 'report', '--rate', '20'], { folder, env: { NODE_OPTIONS: `--require ${late}` } })
  expect(ran.code, ran.all).toBe(ERRORED)
  expect(ran.stderr).toContain('internal error: TypeError: too late for anybody')
  expect(hasStackTrace(ran.all), ran.all).toBe(false)
  const results = JSON.parse(readFileSync(join(folder, 'report', 'results.json'), 'utf8')) as Results
  expect(results.gate).toBe('incomplete')
})

test('a trace, which may be long, comes after the report', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder()
  let isThere: boolean | undefined
  let timer: NodeJS.Timeout | undefined
  const ran = await certify(FEW, ['--out', 'report', '--trace'], {
    folder,
    during: ({ stderr }) => {
      timer = setInterval(() => {
        if (stderr().includes('\n-> ')) isThere ??= existsSync(join(folder, 'report', 'results.json'))
      }, 2)
    },
  })
  clearInterval(timer)
  expect(ran.code, ran.all).toBe(0)
  expect(isThere).toBe(true)
})
