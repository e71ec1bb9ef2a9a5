/** The entry on a Node that is too old: one sentence, whatever syntax that Node lacks. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/cli.ts'

const entry = fileURLToPath(new URL('../bin/assay.js', import.meta.url))

const onNode = (version: string) => {
  const preload = join(temporaryFolder(), 'preload.cjs')
  writeFileSync(preload, `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} })`)
  return spawnSync(process.execPath, ['--require', preload, entry, '--version'], { encoding: 'utf8' })
}

test.each(['12.22.12', '18.20.4', '20.18.3'])('Node %s is refused in one sentence', (version) => {
  const { status, stdout, stderr } = onNode(version)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`assay: this is Node ${version}, and assay needs Node 20.19 or a newer one: https://nodejs.org\n`)
})

test.each(['20.19.0', '21.0.0', '26.1.0'])('Node %s is not', (version) => {
  expect(onNode(version).stderr).not.toContain('needs Node')
})

test('the entry has no syntax of modules, and none newer than Node 10', () => {
  const source = readFileSync(entry, 'utf8')
  expect(() => new Script(source)).not.toThrow()
  expect(source).not.toMatch(/^\s*(import|export|await)\s|\?\.|\?\?|#\w+\s*=/m)
})
