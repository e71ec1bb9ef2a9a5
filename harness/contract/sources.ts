/** The specs as they lie on disk, unresolved: what the linter reads beside the loaded contract. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'yaml'

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : []
  })

/**
 * Parses every YAML and JSON file below a folder.
 *
 * @returns documents by path relative to the folder, with `/` between its parts.
 */
export const readSources = (folder: string): Record<string, unknown> =>
  Object.fromEntries(
    filesBelow(folder).map((file) => [relative(folder, file).replaceAll('\\', '/'), parse(readFileSync(file, 'utf8')) as unknown]),
  )
