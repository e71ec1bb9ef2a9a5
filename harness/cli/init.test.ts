import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createReference, type Reference } from '../../reference/index.ts'
import { assay, temporaryFolder } from '../../tests/support/cli.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { packageRoot } from '../contract/package-root.ts'

const TOKEN = 'root-token-of-the-init-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

const folderWith = (files: Record<string, string>): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const schemaIn = (file: string): string | undefined => /\$schema=(.*)/.exec(readFileSync(file, 'utf8'))?.[1]

test('files are named as the configuration needs them, and the next command names the configuration', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'ca.pem'), reference.caPem!)
  writeFileSync(join(folder, 'token'), TOKEN)
  const words = ['--ca-cert', 'ca.pem', '--token-file', 'token', '--file', 'sub/a.yaml']
  const ran = await assay(['init', reference.url, ...words], { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toContain('the target answers: run npx assay certify --config sub/a.yaml\n')
  expect(parse(readFileSync(join(folder, 'sub/a.yaml'), 'utf8'))).toMatchObject({
    targets: [{ tls: { caCert: '../ca.pem' }, identities: { root: { tokenFile: '../token' } } }],
  })
  expect(schemaIn(join(folder, 'sub/a.yaml'))).toBeUndefined()
  const certified = await assay(['certify', '--config', 'sub/a.yaml', '--check', 'kv/v1-replaces', '--effort', 'quick'], { folder })
  expect(certified.code, certified.all).toBe(0)
})

test('every choice has a comment that says what it is for', async () => {
  const ran = await assay(['init', 'https://127.0.0.1:1', '--provisioner', 'static', '--token-file', 'token', '--ca-cert', 'ca.pem'], {
    folder: folderWith({ token: TOKEN, 'ca.pem': reference.caPem! }),
  })
  const lines = readFileSync(join(ran.folder, 'assay.config.yaml'), 'utf8').split('\n')
  // Top level, and members of the first target: what is nested further belongs to the choice above it.
  const choices = lines.flatMap((line, at) => (/^( {4})?\w+:/.test(line) && !/^ {2}(grace|timeout|run):/.test(line) ? [at] : []))
  expect(choices.length).toBeGreaterThan(15)
  const bare = choices.filter((at) => !/^ *(- )?# \S/.test(lines[at - 1]!)).map((at) => lines[at])
  expect(bare).toEqual([])
})

test('the dialect is found, and what the server says of itself is said and in the report', async () => {
  const vault = await createReference({ rootToken: TOKEN, dialect: 'vault', tls: false }).listen()
  try {
    const folder = folderWith({ token: TOKEN })
    const ran = await assay(['init', vault.url, '--token-file', 'token'], { folder })
    expect(ran.code, ran.all).toBe(0)
    expect(ran.stdout).toContain('the server says: version 0.1.0\n')
    expect(parse(readFileSync(join(folder, 'assay.config.yaml'), 'utf8'))).toMatchObject({ targets: [{ dialect: 'vault' }] })
    const certified = await assay(['certify', '--check', 'kv/v1-replaces', '--effort', 'quick'], { folder })
    expect(certified.code, certified.all).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'assay-report/results.json'), 'utf8'))).toMatchObject({
      environment: { server: 'version 0.1.0' },
    })
    expect(readFileSync(join(folder, 'assay-report/report.html'), 'utf8')).toContain('version 0.1.0')
  } finally {
    await vault.close()
  }
})

test('a server that speaks no known dialect is named with the remedy, and the file is written to be corrected', async () => {
  const ran = await assay(['init', reference.url, '--token-file', 'token', '--ca-cert', 'ca.pem'], {
    folder: folderWith({ token: 'not-the-token', 'ca.pem': reference.caPem! }),
  })
  expect(ran.code, ran.all).toBe(3)
  expect(ran.stdout).toMatch(/the target cannot be tested yet: the server refuses the token \(403\)\n {2}remedy: check --token/)
  expect(existsSync(join(ran.folder, 'assay.config.yaml'))).toBe(true)
})

test('a provisioner by URL is tried, and gives the root caller where nobody else is named', async () => {
  const folder = folderWith({ 'ca.pem': reference.caPem! })
  const words = ['--api', 'run-management', '--provisioner', `${reference.url}/control`, '--ca-cert', 'ca.pem']
  const ran = await assay(['init', reference.url, ...words], { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(parse(readFileSync(join(folder, 'assay.config.yaml'), 'utf8'))).toMatchObject({
    targets: [{ provisioner: { kind: 'command', command: `${reference.url}/control` }, identities: { root: { provisioned: true } } }],
  })
  const certified = await assay(['certify', '--engine', 'agent-tokens', '--kind', 'scenario', '--effort', 'quick'], { folder })
  expect(certified.code, certified.all).toBe(0)
})

test('with static mounts it says which to name, and claims no engine yet', async () => {
  const folder = folderWith({ token: TOKEN, 'ca.pem': reference.caPem! })
  const ran = await assay(['init', reference.url, '--token-file', 'token', '--ca-cert', 'ca.pem', '--provisioner', 'static'], { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toMatch(/the target answers: name what may be used in mounts of assay\.config\.yaml \(.*kv1.*\), then run npx/)
  const { targets } = parse(readFileSync(join(folder, 'assay.config.yaml'), 'utf8')) as { targets: object[] }
  expect(targets[0]).not.toHaveProperty('engines')
})

test('a program is left to be named, in a file that is valid', async () => {
  const ran = await assay(['init', 'http://127.0.0.1:1', '--provisioner', 'command', '--token', 't'])
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toContain('not tried yet: name your program in provisioner.command, then run: npx assay certify\n')
  const config = parse(readFileSync(join(ran.folder, 'assay.config.yaml'), 'utf8')) as { targets: object[] }
  expect(problemsOf('target', config)).toEqual([])
  expect(config.targets).toMatchObject([{ provisioner: { kind: 'command', command: ['./provision'] } }])
})

test.each([
  ['a dialect that does not exist', ['http://127.0.0.1:1', '--dialect', 'valt'], /unknown dialect valt/],
  ['the base path in the URL', ['http://127.0.0.1:1/v1'], /ends with \/v1/],
  ['a missing authority', ['https://127.0.0.1:1', '--ca-cert', 'x.pem'], /cannot read .*x\.pem/],
])('%s: nothing is written', async (_, words, says) => {
  const ran = await assay(['init', ...words])
  expect(ran.code, ran.all).toBe(2)
  expect(ran.stderr).toMatch(says)
  expect(existsSync(join(ran.folder, 'assay.config.yaml'))).toBe(false)
})

test.each([
  ['installed', './node_modules/assay/specs/meta/target.schema.json'],
  ['cloned', '../specs/meta/target.schema.json'],
])('the schema that an editor reads exists where assay is %s', async (how, way) => {
  const folder = how === 'installed' ? temporaryFolder() : mkdtempSync(join(packageRoot, '.init-test-'))
  const file = join(folder, 'a.yaml')
  try {
    if (how === 'installed') {
      mkdirSync(dirname(join(folder, way)), { recursive: true })
      writeFileSync(join(folder, way), '{}')
    }
    const ran = await assay(['init', 'http://127.0.0.1:1', '--file', file])
    expect(ran.code, ran.all).toBe(0)
    expect(schemaIn(file)).toBe(way)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
