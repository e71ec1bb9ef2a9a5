/** `assay serve` and what it prints: its lines certify both APIs as they stand. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { assay, temporaryFolder } from '../../tests/support/cli.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { packageRoot } from '../contract/package-root.ts'

/** Serves until `use` is through with the lines that were printed. */
const serving = async (words: string[], folder: string, use: (lines: string[]) => Promise<void>): Promise<void> => {
  let used: Promise<void> | undefined
  const ran = await assay(['serve', '--listen', '127.0.0.1:0', ...words], {
    folder,
    during: ({ kill, stdout }) => {
      const poll = setInterval(() => {
        const lines = stdout().split('\n').slice(0, -1)
        if (!lines.some((line) => line.includes('--provisioner'))) return
        clearInterval(poll)
        used = use(lines.filter((line) => line.includes('npx assay')))
        used.catch(() => undefined).finally(() => kill('SIGTERM'))
      }, 50)
    },
  })
  expect(ran.code, ran.all).toBe(0)
  await used
}

const SHOW = 'npx() { printf \'%s\\n\' "$ASSAY_TOKEN" "$ASSAY_CORE_UNSEAL_KEY" "$@"; }'

/** What a shell makes of a printed line: environment and words. */
const asTyped = async (line: string) => {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${SHOW}\n${line}`])
  const [token, key, program, ...words] = stdout.split('\n').slice(0, -1)
  return { env: { ASSAY_TOKEN: token!, ASSAY_CORE_UNSEAL_KEY: key! }, program, words }
}

test('the printed lines certify both APIs, whatever the token is made of', { timeout: 400_000 }, async () => {
  const folder = temporaryFolder()
  const token = "it's-$HOME;`x`"
  await serving(['--ca-out', 'ca.pem', '--root-token', token], folder, async (lines) => {
    const [secrets, runs] = await Promise.all(lines.map(asTyped))
    expect(secrets!.env.ASSAY_TOKEN).toBe(token)
    expect(secrets!.words).toContain('seal,oversize,rotateRoot')
    const few = ['--effort', 'quick', '--out', 'here']
    const checks = ['--check', 'core/seal,kv/v1-replaces,ssh/user-templates*']
    const first = await assay([...secrets!.words, ...checks, ...few], { folder, env: secrets!.env })
    expect(first.code, first.all).toBe(0)
    expect(runs!.env.ASSAY_TOKEN).toBe('')
    const second = await assay([...runs!.words, '--engine', 'agent-tokens', '--kind', 'scenario', ...few], { folder })
    expect(second.code, second.all).toBe(0)
  })
})

test('a server with a module prints what the checks of its keys are told by variables', { timeout: 200_000 }, async () => {
  // The module is loaded by the first request for a key, and this test sends none.
  await serving(['--library', `mine=${join(packageRoot, 'package.json')}`], temporaryFolder(), async ([secrets]) => {
    expect(secrets).toContain(' ASSAY_MANAGED_KEYS_LIBRARY=mine ASSAY_MANAGED_KEYS_ADMINISTRATIVE_NAMESPACE=admin/ npx assay ')
  })
})

test('a server of the other dialect without a file for its authority prints lines that reach it', { timeout: 200_000 }, async () => {
  await serving(['--dialect', 'vault'], temporaryFolder(), async ([secrets, runs]) => {
    expect(secrets).toContain('--tls-skip-verify --dialect vault')
    expect(runs).toMatch(/--tls-skip-verify --api run-management --provisioner https:\/\/127\.0\.0\.1:\d+\/control$/)
  })
})

test('the configuration that ships is valid', () => {
  const config: unknown = parse(readFileSync(join(packageRoot, 'targets/reference.config.yaml'), 'utf8'))
  expect(problemsOf('target', config)).toEqual([])
})
