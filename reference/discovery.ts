/** Finds modules of the reference by their names, so that nobody keeps a list: in the source, and in what is built from it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))

const modulesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return modulesBelow(path)
    return /\.(ts|js)$/.test(entry.name) ? [path] : []
  })

/**
 * Imports modules of the reference, one after the other in the order of their paths.
 * @param name tells from the name of a file without its extension, e.g. `roles.faults`, whether it is meant
 * @param folder below the reference's own; default all of it
 */
export const importAll = async <M>(name: RegExp, folder = '.'): Promise<M[]> => {
  const modules: M[] = []
  for (const path of modulesBelow(join(root, folder)).sort()) {
    const [, base = ''] = /([^/\\]+)\.[tj]s$/.exec(path) ?? []
    if (name.test(base)) modules.push((await import(pathToFileURL(path).href)) as M)
  }
  return modules
}
