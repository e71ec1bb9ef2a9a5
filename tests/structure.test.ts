/** What the structure promises and no import shows: names of files, and what the harness must not know. */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const filesOf = (folder: string): string[] => {
  const root = new URL(`../${folder}/`, import.meta.url).pathname
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
}

test('no two files of the harness share a name', () => {
  const places = new Map<string, string[]>()
  for (const path of filesOf('harness')) places.set(basename(path), [...(places.get(basename(path)) ?? []), path])
  expect([...places.values()].filter((paths) => paths.length > 1)).toEqual([])
})
