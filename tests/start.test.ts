/** What a command loads: only what it needs, by the list of its modules and not by time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createReference } from '../reference/index.ts'
import { assay, temporaryFolder } from './support/cli.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Coverage {
  result: { url: string }[]
}

/** The modules of a command line in all its threads, as paths below the package without the folder of the build. */
const modulesOf = async (words: string[], env: Record<string, string> = {}): Promise<string[]> => {
  const folder = temporaryFolder()
  await assay(words, { env: { ...env, NODE_V8_COVERAGE: folder } })
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage)
  const urls = new Set(reports.flatMap(({ result }) => result.map(({ url }) => url)))
  return [...urls]
    .filter((url) => url.startsWith(pathToFileURL(root).href))
    .map((url) =>
      relative(root, fileURLToPath(url))
        .replaceAll('\\', '/')
        .replace(/^dist\//, ''),
    )
}

const SUITES = /^suites\//
const REFERENCE = /^reference\/(?!source-worker)/
const CONTRACT = /^harness\/contract\/(load|compile)\.|^specs\/.*\.(ya?ml|json)$/
const PARSERS = /^node_modules\/(ajv|yaml|@apidevtools|testcontainers|undici)\//

test.each([['--version'], ['--help'], ['certfy'], ['certify --bogus'], ['prove --bogus'], ['diff']])(
  'assay %s loads no suite, no reference server, no contract and no parser',
  { timeout: 60_000 },
  async (line) => {
    const modules = await modulesOf(line.split(' '))
    expect(modules.some((path) => path.startsWith('harness/cli/'))).toBe(true)
    for (const unwanted of [SUITES, REFERENCE, CONTRACT, PARSERS]) expect(modules.filter((path) => unwanted.test(path))).toEqual([])
  },
)

test('engines are listed without suites and reference server', { timeout: 60_000 }, async () => {
  const modules = await modulesOf(['list', 'engines'])
  expect(modules.some((path) => CONTRACT.test(path))).toBe(true)
  for (const unwanted of [SUITES, REFERENCE]) expect(modules.filter((path) => unwanted.test(path))).toEqual([])
})

test('a run against a URL loads nothing of the reference server', { timeout: 120_000 }, async () => {
  const reference = await createReference({ tls: false }).listen()
  try {
    const words = ['certify', reference.url, '--engine', 'kv', '--check', 'kv/v1-replaces', '--effort', 'quick']
    const modules = await modulesOf(words, { ASSAY_TOKEN: reference.rootToken })
    expect(modules.some((path) => path.startsWith('suites/kv'))).toBe(true)
    expect(modules.filter((path) => REFERENCE.test(path))).toEqual([])
  } finally {
    await reference.close()
  }
})
