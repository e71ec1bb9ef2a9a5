import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staleBuild } from './stale-build.ts'

let root: string
const checkout = (status: number): void => {
  mkdirSync(join(root, 'scripts'))
  writeFileSync(join(root, 'scripts', 'build.js'), `process.exitCode = process.argv[2] === '--check' ? ${status} : 9`)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-build-'))
})
afterEach(() => rmSync(root, { recursive: true }))

it('a build that is older than its sources says so, with what brings it up to date', () => {
  checkout(1)
  expect(staleBuild(join(root, 'dist', 'prove.js'), root)).toMatch(/older than the sources.*npm run build/)
})

it('a fresh build, the sources themselves and an installed package have nothing to say', () => {
  expect(staleBuild(join(root, 'dist', 'prove.js'), root)).toBeUndefined()
  checkout(0)
  expect(staleBuild(join(root, 'dist', 'prove.js'), root)).toBeUndefined()
  expect(staleBuild(join(root, 'harness', 'prove.ts'), root)).toBeUndefined()
})
