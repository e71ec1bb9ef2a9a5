/** `assay demo`: the first contact of somebody without a server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assay } from './support/cli.ts'

test('the demo finds what it planted, says where the report is, and ends by itself', { timeout: 300_000 }, async () => {
  const ran = await assay(['demo', '--out', 'first'])
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toMatch(/with three planted faults:\n {2}KV-/)
  expect(ran.stdout).toContain('Found: 3 of 3 planted faults.')
  expect(existsSync(join(ran.folder, 'first', 'report.html'))).toBe(true)
})
