/** Files made from templates: `{{word}}` in their names and texts stands for a value. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../harness/base/usage.ts'

const templates = fileURLToPath(new URL('templates', import.meta.url))

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, word: string) => {
    const value = values[word]
    if (value === undefined) throw new Error(`a template asks for ${word}`)
    return value
  })

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)).map((path) => join(entry.name, path)) : [entry.name],
  )

/**
 * The files that a folder of templates stands for.
 *
 * @param folder below `templates/`.
 * @returns texts by path, `.tmpl` left out.
 */
export const fromTemplates = (folder: string, values: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    filesBelow(join(templates, folder)).map((path) => [
      filled(path.replace(/\.tmpl$/, ''), values),
      filled(readFileSync(join(templates, folder, path), 'utf8'), values),
    ]),
  )

/**
 * Writes new files.
 *
 * @param files texts by path below `root`.
 * @throws UsageError where one of them exists; then none is written.
 */
export const writeNew = (root: string, files: ReadonlyMap<string, string>): void => {
  for (const path of files.keys()) if (existsSync(join(root, path))) throw new UsageError(`${path} exists already: choose another name`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
