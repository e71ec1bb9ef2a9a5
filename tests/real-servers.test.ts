/** `npm run real`: servers of the user's own are started, certified and stopped, and the table says what is not as it has to be. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realTable, rowNotGiven, rowOf } from '../bench/real-row.ts'
import { urlOfDatabase } from '../bench/real-servers.ts'
import { namedInConfiguration } from '../harness/backends/addresses.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { sampleResults } from '../reports/testing/sample-results.ts'
import { temporaryFolder } from './support/cli.ts'

const LOADER = join(packageRoot, 'node_modules/tsx/dist/loader.mjs')
const ONE_CHECK = ['--engine', 'kv', '--check', 'kv/v1-replaces']

/** A program that notes its process, so that a test can see whether it goes on. */
const fakeIn = (folder: string, script = join(packageRoot, 'tests/support/fake-bao.ts')): { program: string; pid(): number } => {
  const [program, noted] = [join(folder, 'fake-bao'), join(folder, 'pid')]
  writeFileSync(program, `#!/bin/sh\necho $$ > '${noted}'\nexec '${process.execPath}' --import '${LOADER}' '${script}' "$@"\n`)
  chmodSync(program, 0o755)
  return { program, pid: () => Number(readFileSync(noted, 'utf8')) }
}

const goesOn = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

interface Real {
  code: number | null
  output: string
  errors: string
}

const real = (folder: string, program: string | undefined, words: string[], during?: (pid: number) => Promise<void>): Promise<Real> => {
  const env: NodeJS.ProcessEnv = { ...process.env, ASSAY_STATE_DIR: join(folder, 'journal'), TMPDIR: folder }
  for (const name of ['OPENBAO', 'RUSTYVAULT', 'OTF']) delete env[`ASSAY_REAL_${name}`]
  if (program !== undefined) env.ASSAY_REAL_OPENBAO = program
  const child = spawn(process.execPath, ['--import', LOADER, join(packageRoot, 'bench/real.ts'), ...words], { cwd: folder, env })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')))
  void during?.(child.pid ?? 0)
  return new Promise((done) => child.on('close', (code) => done({ code, output, errors })))
}

const foldersIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('assay-real-'))

test('without a variable nothing is started, and each row says so', async () => {
  const { code, output } = await real(temporaryFolder(), undefined, [])
  expect(code).toBe(0)
  for (const name of ['openbao', 'rustyvault', 'otf']) expect(output).toMatch(new RegExp(`^\\| ${name} \\| not given \\|`, 'm'))
})

test('a server is started, certified and stopped', async () => {
  const folder = temporaryFolder()
  const fake = fakeIn(folder)
  const { code, output, errors } = await real(folder, fake.program, ONE_CHECK)
  expect(code, output + errors).toBe(0)
  expect(output).toMatch(/^\| openbao \| [^|]+ \| 0 \| 1 \| 0 \|/m)
  expect(existsSync(join(folder, 'assay-report-real/openbao/results.json'))).toBe(true)
  expect(goesOn(fake.pid())).toBe(false)
  expect(foldersIn(folder)).toEqual([])
})

test('a run that does not pass fails the table, and the server is stopped', async () => {
  const folder = temporaryFolder()
  const fake = fakeIn(folder)
  const { code, output } = await real(folder, fake.program, ['--engine', 'nothing-of-the-kind'])
  expect(code).toBe(1)
  expect(output).toContain('nothing-of-the-kind')
  expect(goesOn(fake.pid())).toBe(false)
})

test('a program that ends at once is a row with its last line', async () => {
  const folder = temporaryFolder()
  const script = join(folder, 'ends.mjs')
  writeFileSync(script, 'console.error("no such thing here")\nprocess.exitCode = 3\n')
  const { code, output } = await real(folder, fakeIn(folder, script).program, ONE_CHECK)
  expect(code).toBe(1)
  expect(output).toContain('no such thing here')
})

test('a signal stops the server too', async () => {
  const folder = temporaryFolder()
  const fake = fakeIn(folder)
  const { code } = await real(folder, fake.program, ['--engine', 'kv'], async (pid) => {
    while (!existsSync(join(folder, 'journal'))) await new Promise((done) => setTimeout(done, 50))
    process.kill(pid, 'SIGTERM')
  })
  expect(code).toBe(130)
  expect(goesOn(fake.pid())).toBe(false)
  expect(foldersIn(folder)).toEqual([])
})

test('a row is right where the gate passed, nothing is errored or left, and each blocked clause has its cause', () => {
  const results = { ...sampleResults(), leftovers: [] }
  results.clauses = results.clauses.filter(({ outcome }) => outcome !== 'errored' && outcome !== 'blocked')
  expect(rowOf('openbao', 0, results).wrong).toEqual([])
  expect(rowOf('openbao', 1, { ...results, gateReasons: [] }).wrong).toEqual(['the run ended with exit code 1'])
  expect(rowOf('openbao', 0, { ...results, leftovers: ['a mount'] }).wrong).toEqual(['left: a mount'])
  const [clause] = results.clauses
  if (clause === undefined) throw new Error('the sample has no clause')
  const blocked = { ...clause, id: 'KV-V1-01', outcome: 'blocked' as const }
  const free = rowOf('openbao', 0, { ...results, clauses: [...results.clauses, blocked] })
  expect(free.wrong).toEqual(['blocked without a cause: KV-V1-01'])
  const caused = rowOf('openbao', 0, {
    ...results,
    clauses: [...results.clauses, { ...blocked, causedBy: ['KV-V1-02'] }],
  })
  expect(caused).toMatchObject({ wrong: [], withCause: '1', withoutCause: '0' })
  const errored = { ...clause, id: 'KV-V1-03', outcome: 'errored' as const }
  expect(rowOf('openbao', 0, { ...results, clauses: [...results.clauses, errored] }).wrong).toEqual(['errored: KV-V1-03'])
  expect(realTable([rowNotGiven('otf'), free])).toContain('openbao: blocked without a cause: KV-V1-01')
})

test('a server gets the URL of the database that was started for it', () => {
  const printed = JSON.stringify(
    namedInConfiguration({
      name: 'postgres',
      provider: 'local',
      host: '127.0.0.1',
      port: 5433,
      targetHost: '127.0.0.1',
      targetPort: 5433,
      username: 'admin',
      password: 'word',
      version: '15',
      extra: { database: 'postgres' },
    }),
  )
  expect(urlOfDatabase(printed)).toBe('postgres://admin:word@127.0.0.1:5433/postgres')
})
