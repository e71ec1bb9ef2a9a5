/** A watched run: again on a key, when the server comes back and when a file changes, with what changed. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { createReference, type Reference } from '../reference/index.ts'
import { assay, temporaryFolder } from './support/cli.ts'
import { PROGRAM } from './support/command-line.ts'

const TOKEN = 'root-token-of-the-watch-test'
const WAIT = { timeout: 60_000, interval: 100 }

const serve = (port: number, fault?: string): Promise<Reference> =>
  createReference({ tls: false, rootToken: TOKEN, faults: allFaults.filter(({ id }) => id === fault) }).listen('127.0.0.1', port)

/** A watched run in a process of its own, with what it has said so far. */
const watched = (url: string, folder: string, words: string[] = []) => {
  const [node, ...program] = PROGRAM
  const child = spawn(
    node,
    [...program, ...['certify', url, '--engine', 'kv', '--check', 'kv/v1-replaces', '--effort', 'quick', '--watch', ...words]],
    { cwd: folder, env: { ...process.env, NO_COLOR: '1', ASSAY_TOKEN: TOKEN, ASSAY_STATE_DIR: join(folder, 'journal') } },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const code = new Promise<number | null>((done) => child.on('close', done))
  const rounds = () => said.split('watching: a key runs again').length - 1
  return { press: (key: string) => child.stdin.write(key), said: () => said, rounds, code, end: () => child.kill('SIGKILL') }
}

describe('a watched run', () => {
  const open: { end(): unknown }[] = []
  const servers: Reference[] = []
  afterEach(async () => {
    for (const one of open.splice(0)) one.end()
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  test('begins again on a key, on a file and when the server is back, and says what changed', { timeout: 240_000 }, async () => {
    const folder = temporaryFolder()
    const source = join(folder, 'source.txt')
    writeFileSync(source, 'one')
    const sound = await serve(0)
    const run = watched(sound.url, folder, ['--watch-path', source])
    open.push(run)
    await expect.poll(run.rounds, WAIT).toBe(1)
    run.press('\n')
    await expect.poll(run.rounds, WAIT).toBe(2)
    expect(run.said()).toContain('a key was pressed: running again')
    expect(run.said()).toContain('Nothing changed.')
    writeFileSync(source, 'two')
    await expect.poll(run.rounds, WAIT).toBe(3)
    expect(run.said()).toContain('a file changed: running again')

    await sound.close()
    // Seen to be gone by a run that a key begins.
    run.press('\n')
    await expect.poll(run.rounds, WAIT).toBe(4)
    expect(run.said()).toContain('remedy: ')
    servers.push(await serve(Number(new URL(sound.url).port), 'kv/v1-merged'))
    await expect.poll(run.rounds, WAIT).toBe(5)
    expect(run.said()).toContain('the target is back: running again')
    // What changed stands before the summary of the run.
    expect(run.said().slice(run.said().indexOf('the target is back'))).toMatch(/Newly violated[\s\S]*KV-V1-04[\s\S]*Gate failed/)
    run.press('q')
    expect(await run.code).toBe(1)
  })

  test('is refused where it makes no sense', { timeout: 120_000 }, async () => {
    const refused = await Promise.all([
      assay(['certify', '--embedded', '--watch']),
      assay(['certify', 'http://127.0.0.1:1', '--watch-path', 'x']),
    ])
    expect(refused.map(({ code }) => code)).toEqual([2, 2])
    expect(refused[0]!.stderr).toMatch(/--watch and --embedded exclude each other/)
    expect(refused[1]!.stderr).toMatch(/--watch-path needs --watch/)
  })
})
