// npm links the commands of dependencies, not those of the package itself: this makes `npx assay` work in a fresh clone.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'node_modules', '.bin')
if (existsSync(join(root, 'node_modules'))) {
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'assay'), { force: true })
  symlinkSync(join('..', '..', 'bin', 'assay.js'), join(folder, 'assay'))
}
