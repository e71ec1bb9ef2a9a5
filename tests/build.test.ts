/** The package is built where optional packages are missing, as on a machine without a compiler, which cannot have the compiled ones. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../harness/contract/package-root.ts'
import { temporaryFolder } from './support/cli.ts'

const SOURCES = ['harness', 'suites', 'reports', 'reference', 'specs', 'scripts', 'package.json', 'tsconfig.json']

test('the build needs no optional package', { timeout: 300_000 }, () => {
  const copy = temporaryFolder()
  for (const source of SOURCES) cpSync(join(packageRoot, source), join(copy, source), { recursive: true })
  const { optionalDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const optional = new Set(Object.keys(optionalDependencies).map((name) => name.split('/')[0]))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(packageRoot, 'node_modules')))
    if (!optional.has(name) && !name.startsWith('.')) symlinkSync(join(packageRoot, 'node_modules', name), join(copy, 'node_modules', name))
  execFileSync(process.execPath, [join(copy, 'scripts/build.js')], { cwd: copy, stdio: 'pipe' })
  expect(existsSync(join(copy, 'dist/harness/cli/main.js'))).toBe(true)
  expect(existsSync(join(copy, 'dist/reference/engines/managed-keys/module-process.js'))).toBe(true)
})
