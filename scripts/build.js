// Compiles the package into dist/, puts the files beside it that are read at run time, and writes down the contract as it was read. Does
// nothing when dist/ is newer than every source: npx runs this again when it links the package of a fresh clone. With --check: builds
// nothing, and exits with 1 where it would.
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCES = ['harness', 'suites', 'reports', 'reference', 'specs']
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
  // They bring development dependencies, which what is built does without.
  const [{ compile }, { declare }] = await Promise.all([import('./compile.js'), import('./declarations.js')])
  await compile(root)
  declare(root)
  for (const folder of ASSETS) cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true })
  const built = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
  const [{ readSpecs }, { snapshotOf }] = await Promise.all([
    built('harness/contract/read-specs.js'),
    built('harness/contract/snapshot.js'),
  ])
  const specs = join(root, 'specs')
  writeFileSync(join(root, 'dist/specs/contract.json'), snapshotOf(await readSpecs(specs), specs))
  writeFileSync(stamp, '')
}
