/** Finding programs and npm packages that may or may not be installed. */
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { isExecutable } from '../oracles/programs.ts'

const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
]

/** The full path of a program, from PATH, the system's folders or the given ones (tried first). */
export const findProgram = (name: string, folders: string[] = []): string | undefined =>
  [...folders, ...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS]
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)

/** Subfolders of `parent` that match, highest version first, e.g. `/usr/lib/postgresql/15`. */
export const versionedFolders = (parent: string, pattern: RegExp): string[] => {
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .filter((name) => pattern.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(parent, name))
}

/** The folder of an installed npm package, or undefined. */
export const findPackage = (name: string): string | undefined => {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const marker = join('node_modules', ...name.split('/'))
    const at = entry.lastIndexOf(marker)
    return at < 0 ? dirname(entry) : entry.slice(0, at + marker.length)
  } catch {
    return undefined
  }
}
