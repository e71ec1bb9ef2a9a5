/** Tokens that end before the run does: renewed, or replaced by what a command prints while no check runs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { closeRun, openRun } from '../running/open-run.ts'
import { executeCheck } from '../running/repeat.ts'
import type { RunContext } from '../sending/context.ts'
import { completeRun, completeTarget } from './run-configuration.ts'

const TOKEN = 'root-token-of-the-run-tokens-test'
let reference: Reference
let folder: string
let next: string

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  folder = mkdtempSync(join(tmpdir(), 'assay-tokens-'))
  next = join(folder, 'next')
})
beforeEach(() => rmSync(next, { force: true }))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await reference.close()
})

const asRoot = async (path: string, body: object): Promise<{ auth: { client_token: string } }> => {
  const headers = { 'X-Service-Token': TOKEN, 'Content-Type': 'application/json' }
  const answer = await fetch(`${reference.url}/v1/auth/token/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json().catch(() => ({}))) as { auth: { client_token: string } }
}
const tokenFor = async (ttl: string, name: string, renewable = false): Promise<string> =>
  (await asRoot('create', { policies: ['root'], ttl, renewable, display_name: name })).auth.client_token

const openedWith = async (identity: object): Promise<RunContext> => {
  const target = completeTarget(
    { api: 'secrets', url: reference.url, engines: ['core', 'kv'], identities: { root: identity } },
    process.cwd(),
  )
  const config = { ...completeRun({ timing: { timeout: '5s' } }, process.cwd()), targets: [target] }
  return (await openRun(await loadContract(), config, { seed: 1, effort: 'quick', signal: new AbortController().signal })).context
}
/** Prints what stands in the file, and counts how often. */
const command = () => `echo run >> ${join(folder, 'runs')}; cat ${next}`
const printed = (token: string) => writeFileSync(next, `${token}\n`)

const checkOf = (id: string, deadline: number, body: RunnableCheck['body']): RunnableCheck => ({
  id,
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs: {},
  deadline,
  body,
})
const reads: RunnableCheck['body'] = async ({ bench, expect: check }) =>
  check(await bench.call('kv1.read', { path: { path: 'nothing' } })).toHaveStatus(404)
const rootOf = (context: RunContext) => context.targets.get('secrets')!.root
const endsIn = (context: RunContext, seconds: number): void => {
  context.targets.get('secrets')!.tokens[0]!.ends = performance.now() + seconds * 1000
}

test('a command gives the token, and is asked again before a check that the token would not outlive', async () => {
  const [first, second] = [await tokenFor('90s', 'first'), await tokenFor('10m', 'second')]
  printed(first)
  const context = await openedWith({ tokenCommand: command() })
  printed(second)
  expect(rootOf(context)).toMatchObject({ token: first, displayName: 'token-first' })
  expect((await executeCheck(context, checkOf('kv/short', 1000, reads))).outcome).toBe('passed')
  expect(rootOf(context).token).toBe(first)
  endsIn(context, 20)
  expect((await executeCheck(context, checkOf('kv/long', 30_000, reads))).outcome).toBe('passed')
  expect(rootOf(context), 'what is known of the caller is read again').toMatchObject({ token: second, displayName: 'token-second' })
  expect(context.tokens.notes).toEqual([expect.stringMatching(/again 1 time/)])
  expect(context.secrets.redact(`${first} ${second}`), 'both are secrets').not.toMatch(new RegExp(`${first}|${second}`))
  await closeRun(context)
})

test('the token changes while no check runs, and the next check waits for that', async () => {
  printed(await tokenFor('90s', 'one'))
  const context = await openedWith({ tokenCommand: command() })
  const second = await tokenFor('10m', 'two')
  printed(second)
  endsIn(context, 40)
  const first = rootOf(context).token
  const seen: string[] = []
  let end = (): void => undefined
  const ended = new Promise<void>((done) => {
    end = done
  })
  const holding = executeCheck(
    context,
    checkOf('kv/holding', 5000, async (given) => {
      await ended
      seen.push(rootOf(context).token)
      await reads(given)
    }),
  )
  const later = executeCheck(
    context,
    checkOf('kv/later', 30_000, async (given) => {
      seen.push(rootOf(context).token)
      await reads(given)
    }),
  )
  setTimeout(end, 100)
  expect([(await holding).outcome, (await later).outcome]).toEqual(['passed', 'passed'])
  expect(seen).toEqual([first, second])
  await closeRun(context)
})

test('a check whose token was revoked under it is run again with the next token', async () => {
  const first = await tokenFor('10m', 'revoked')
  printed(first)
  const context = await openedWith({ tokenCommand: command() })
  printed(await tokenFor('10m', 'good'))
  let tried = 0
  const run = await executeCheck(
    context,
    checkOf('kv/revoked', 9000, async (given) => {
      tried += 1
      if (tried === 1) await asRoot('revoke', { token: first })
      await reads(given)
    }),
  )
  expect([run.outcome, tried]).toEqual(['passed', 2])
  await closeRun(context)
})

test('a target that refuses every token blocks after a few', async () => {
  const first = await tokenFor('10m', 'only')
  printed(first)
  const context = await openedWith({ tokenCommand: command() })
  await asRoot('revoke', { token: first })
  expect(await executeCheck(context, checkOf('kv/refused', 9000, reads))).toMatchObject({
    outcome: 'blocked',
    reason: expect.stringContaining("no longer accepts the run's token"),
  })
  await closeRun(context)
})

test('no check starts with a token that ends before its deadline, and the reason names both times', async () => {
  printed(await tokenFor('90s', 'short'))
  const context = await openedWith({ tokenCommand: command() })
  const run = await executeCheck(context, checkOf('kv/longer', 120_000, reads))
  expect(run).toMatchObject({
    outcome: 'blocked',
    reason: 'the token command gives tokens that live 90 s, and this check may take 120 s',
    remedy: 'have it give tokens that live 150 s or longer',
  })
  await closeRun(context)
})

test('a renewable token is renewed, also one that a user gave', async () => {
  const token = await tokenFor('100s', 'renewable', true)
  const context = await openedWith({ token })
  const known = context.targets.get('secrets')!.tokens[0]!
  endsIn(context, 5)
  expect((await executeCheck(context, checkOf('kv/renewed', 30_000, reads))).outcome).toBe('passed')
  expect(known.ends - performance.now()).toBeGreaterThan(90_000)
  expect(rootOf(context).token).toBe(token)
  await closeRun(context)
})

test.each([
  ['exit 3', 'the token command ended with exit code 3'],
  ['echo no login >&2; exit 1', 'the token command ended with exit code 1: no login'],
  [
    'echo hvs.of-a-failed-login-0123; echo bad hvs.of-a-failed-login-0123 >&2; exit 1',
    /^the token command ended with exit code 1: bad (?!.*0123)/,
  ],
  ['true', 'the token command printed nothing'],
  ['echo a; echo b', 'the token command printed 2 lines'],
  ['echo a b', 'the token command printed a blank or a character that no header can carry'],
  ['sleep 30', 'the token command gave no answer within 5 s'],
])('a command that fails says so: %s', async (tokenCommand, message) => {
  await expect(openedWith({ tokenCommand })).rejects.toThrow(message)
})

test('a command that fails in the middle of the run blocks what is left', async () => {
  printed(await tokenFor('90s', 'last'))
  const context = await openedWith({ tokenCommand: command() })
  rmSync(next)
  endsIn(context, 20)
  const run = await executeCheck(context, checkOf('kv/left', 30_000, reads))
  expect(run).toMatchObject({ outcome: 'blocked', reason: expect.stringMatching(/^the token command ended with exit code 1: cat/) })
  expect(readFileSync(join(folder, 'runs'), 'utf8').split('\n').length).toBeGreaterThan(3)
  await closeRun(context)
}, 20_000)
