// Compiles the package into dist/ and puts the files beside it that are read at run time. Does nothing when dist/ is newer than every
// source: npx runs this again when it links the package of a fresh clone. With --check: builds nothing, and exits with 1 where it would.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCES = ['harness', 'suites', 'reports', 'reference', 'specs/meta']
const ASSETS = ['reports/page/client']
const stamp = join(root, 'dist', '.built')

const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name)
    return Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }, statSync(folder).mtimeMs)

const isFresh = existsSync(stamp) && SOURCES.every((folder) => newest(join(root, folder)) < statSync(stamp).mtimeMs)

if (process.argv.includes('--check')) process.exitCode = isFresh ? 0 : 1
else if (!isFresh) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
  for (const folder of ASSETS) cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true })
  writeFileSync(stamp, '')
}
