/** The package as users get it: packed, installed into an empty folder, run there. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from './support/cli.ts'
import { npm } from './support/npm.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const run = (command: string, words: string[], cwd: string) =>
  execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Installing and starting take longer with each. */
const MOST_FILES = 1_500

/** A folder into which the package has been installed. */
const installed = (): string => {
  const folder = temporaryFolder()
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  const home = join(folder, 'home')
  const place = join(home, 'node_modules', 'assay')
  mkdirSync(place, { recursive: true })
  run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', place], folder)
  writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}')
  // The dependencies are those of the checkout: fetching them again would test the registry, not the package.
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  mkdirSync(join(home, 'node_modules', '.bin'))
  symlinkSync('../assay/bin/assay.js', join(home, 'node_modules', '.bin', 'assay'))
  return home
}

const PROGRAM = `import { type Certification, certify, UsageError } from 'assay'

const lines: string[] = []
const done: Certification = await certify({
  embedded: true,
  engine: ['kv'],
  effort: 'quick',
  out: 'reports',
  onProgress: (line) => lines.push(line),
})
const refused = await certify({ embedded: true, url: 'https://127.0.0.1:1' }).catch((error: unknown) => error)
const { verdict, gate, stats } = done.results
console.log(JSON.stringify({ verdict, gate, requests: stats.requests, exitCode: done.exitCode, reports: done.reports, usage: refused instanceof UsageError }))
// @ts-expect-error unknown option
void (() => certify({ engines: 3 }))
`

/** Links of a document to files; pictures are left out of the package, and stand in the repository. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target!).filter((target) => !/^[a-z]+:/.test(target))

describe('the installed package', () => {
  let home = ''
  beforeAll(() => {
    home = installed()
  }, 120_000)

  test('holds every file that its documents name', () => {
    const place = join(home, 'node_modules', 'assay')
    const documents = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.md') && !file.startsWith('node_modules'),
    )
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', join('reference', 'README.md')]))
    const named = documents.flatMap((file) => linksIn(readFileSync(join(place, file), 'utf8')).map((link) => join(dirname(file), link)))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((file) => !existsSync(join(place, file)))).toEqual([])
  })

  test('has few files, types of the library alone among them, and the contract as it was read', () => {
    const place = join(home, 'node_modules', 'assay')
    const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.startsWith(join(place, 'node_modules')),
    )
    expect(files.length).toBeLessThanOrEqual(MOST_FILES)
    expect(files.filter(({ name }) => name.endsWith('.d.ts')).length).toBeLessThan(40)
    expect(existsSync(join(place, 'dist/specs/contract.json'))).toBe(true)
  })

  test('certifies the embedded reference', { timeout: 300_000 }, () => {
    const out = run('npx', ['assay', 'certify', '--embedded', '--engine', 'kv', '--effort', 'quick', '--json'], home)
    const summary = JSON.parse(out) as { gate: string; engines: { id: string; verdict: string }[] }
    expect(summary.gate).toBe('passed')
    expect(summary.engines).toContainEqual(expect.objectContaining({ id: 'kv', verdict: 'conformant' }))
    expect(existsSync(join(home, 'assay-report', 'report.html'))).toBe(true)
  })

  test('is a library with types of its own, which says nothing on the terminal', { timeout: 300_000 }, () => {
    writeFileSync(join(home, 'program.ts'), PROGRAM)
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', ...types]
    run(process.execPath, [compiler, ...strict, 'program.ts'], home)
    const [line, ...rest] = run(process.execPath, ['program.js'], home).trim().split('\n')
    expect(rest).toEqual([])
    const said = JSON.parse(line!) as { requests: number; reports: string[] }
    expect(said).toMatchObject({ verdict: 'conformant', gate: 'passed', exitCode: 0, usage: true })
    expect(said.requests).toBeGreaterThan(100)
    expect(said.reports.filter((file) => existsSync(join(home, file)))).toContain(join('reports', 'report.html'))
  })
})
