/** Runs that share a state folder: what one leaves when it is killed goes, what the other has made stays. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../harness/checks/seeded-random.ts'
import { createReference, type Reference } from '../reference/index.ts'
import { assay, temporaryFolder } from './support/cli.ts'

const TOKEN = 'root-token-of-the-share-test'
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KILLS = 20
/** A kill comes at any time of a run that long. */
const SPAN = 8000
const SEED = Number(process.env.ASSAY_TEST_SEED ?? Date.now() % 1_000_000)

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

const ask = async (path: string, method = 'GET', body?: string): Promise<{ data?: Record<string, unknown> }> => {
  const headers = { 'X-Service-Token': TOKEN, 'Content-Type': 'application/json' }
  const answer = await fetch(`${reference.url}/v1/${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  return text === '' ? {} : (JSON.parse(text) as { data?: Record<string, unknown> })
}

const ours = async (): Promise<string[]> => {
  const keys = async (path: string) => ((await ask(path)).data?.keys ?? []) as string[]
  const all = [
    ...Object.keys((await ask('sys/mounts')).data ?? {}),
    ...(await keys('sys/policies/acl?list=true')),
    ...(await keys('sys/namespaces?list=true')),
  ]
  return all.filter((name) => name.startsWith('assay-'))
}

const scratchIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('assay-run-'))

const OTHER_NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child']
const permitted = spawnSync('unshare', [...OTHER_NAMESPACE, 'true']).status === 0
const WHY = 'this user may not make a namespace of process ids (unshare --pid)'

interface Holder {
  run: string
  mount: string
  end(): Promise<void>
}

/** A run in a namespace of its own that has made a mount and goes on until it is ended. */
const holderIn = async (state: string): Promise<Holder> => {
  const run = 'holder'
  const mount = `assay-${run}-kv-1`
  await ask(`sys/mounts/${mount}`, 'POST', '{"type":"kv"}')
  const program = `
    import { Journal } from '${ROOT}harness/cleanup/journal.ts'
    const journal = new Journal('${run}')
    journal.add({ on: '${reference.url}', kind: 'mount', name: '${mount}', namespace: '' })
    console.log('holds as process ' + process.pid)
    setInterval(() => undefined, 1000)`
  const child = spawn(
    'unshare',
    [
      ...OTHER_NAMESPACE,
      process.execPath,
      '--import',
      join(ROOT, 'node_modules/tsx/dist/loader.mjs'),
      '--input-type=module',
      '-e',
      program,
    ],
    { cwd: ROOT, env: { ...process.env, ASSAY_STATE_DIR: state }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const said = await new Promise<string>((done) => child.stdout.once('data', (chunk: Buffer) => done(chunk.toString('utf8'))))
  // Its process id means another process to us, or none.
  expect(said).toMatch(/^holds as process \d\b/)
  return {
    run,
    mount,
    end: () =>
      new Promise((done) => {
        child.once('close', () => done())
        child.kill('SIGKILL')
      }),
  }
}

// In continuous integration this has to be permitted.
describe.skipIf(!permitted && process.env.CI === undefined)(permitted ? 'two namespaces of process ids' : `two namespaces: ${WHY}`, () => {
  test(`kill -9 at ${KILLS} random moments (ASSAY_TEST_SEED=${SEED}): nothing is left, nothing of the other is touched`, {
    timeout: 600_000,
  }, async () => {
    expect(permitted, WHY).toBe(true)
    const folder = temporaryFolder()
    const state = join(folder, 'journal')
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    const env = { TMPDIR: temporary }
    const holder = await holderIn(state)
    const random = seededRandom(SEED, 'kills')
    const moments = Array.from({ length: KILLS }, () => random.integer(0, SPAN))
    const killAt = (ms: number) =>
      assay(['certify', reference.url, '--token', TOKEN, '--engine', 'core,kv', '--effort', 'quick'], {
        folder,
        env,
        during: ({ kill }) => void setTimeout(() => kill('SIGKILL'), ms),
      })
    for (let index = 0; index < KILLS; index += 4) await Promise.all(moments.slice(index, index + 4).map(killAt))
    expect(await ours()).toContain(`${holder.mount}/`)
    const cleaned = await assay(['clean', reference.url, '--token', TOKEN], { folder, env })
    expect(cleaned.code, cleaned.all).toBe(0)
    expect(cleaned.stdout).toContain(`left alone: run ${holder.run} of `)
    expect(await ours()).toEqual([`${holder.mount}/`])
    expect(scratchIn(temporary)).toEqual([])
    expect(readdirSync(state)).toHaveLength(1)
    await holder.end()
  })
})
