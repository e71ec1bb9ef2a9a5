/** The package as users get it: packed, installed into an empty folder, run there. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/cli.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('assay certify --embedded works from the installed package', { timeout: 300_000 }, () => {
  const folder = temporaryFolder()
  const run = (command: string, words: string[], cwd: string) =>
    execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  const home = join(folder, 'home')
  const installed = join(home, 'node_modules', 'assay')
  mkdirSync(installed, { recursive: true })
  run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed], folder)
  writeFileSync(join(home, 'package.json'), '{"private": true}')
  // The dependencies are those of the checkout: fetching them anew would test the registry, not the package.
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
  mkdirSync(join(home, 'node_modules', '.bin'))
  symlinkSync('../assay/bin/assay.js', join(home, 'node_modules', '.bin', 'assay'))
  const out = run('npx', ['assay', 'certify', '--embedded', '--engine', 'kv', '--effort', 'quick', '--json'], home)
  const summary = JSON.parse(out) as { gate: string; engines: { id: string; verdict: string }[] }
  expect(summary.gate).toBe('passed')
  expect(summary.engines).toContainEqual(expect.objectContaining({ id: 'kv', verdict: 'conformant' }))
  expect(existsSync(join(home, 'assay-report', 'report.html'))).toBe(true)
})
