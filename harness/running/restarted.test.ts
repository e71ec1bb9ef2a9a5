/** A server that restarts in the middle of a run and forgets: one cause is named, and nothing that follows from it is a violation. */
import { afterEach, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, RunnableCheck } from '../checks/vocabulary.ts'
import type { RunContext } from '../sending/context.ts'
import type { CheckRun } from './check-run.ts'
import { closeRun } from './open-run.ts'
import { runChecks } from './run.ts'
import { openedRun } from './testing/opened.ts'

const TOKEN = 'root-token-of-the-restart-test'
const start = (port = 0): Promise<Reference> => createReference({ rootToken: TOKEN, tls: false }).listen('127.0.0.1', port)

let reference: Reference
let context: RunContext
afterEach(async () => {
  await closeRun(context)
  await reference.close()
})

const checkOf = (id: string, body: CheckBody): RunnableCheck => ({
  id: `kv/${id}`,
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs: {},
  deadline: 20_000,
  body,
})

/** Reads what was written before something happened to the server. */
const reading = (meanwhile: () => Promise<void>): CheckBody => {
  return async ({ bench, expect: check }) => {
    const path = { path: bench.fresh() }
    await bench.given('kv1.write', { path, body: { a: '1' } })
    await meanwhile()
    check(await bench.call('kv1.read', { path })).toHaveStatus(200)
  }
}

const RESTARTED = { outcome: 'blocked', reason: expect.stringMatching(/restarted in the middle of the run/), decisions: [] }

test('what fails after it is blocked with that cause, and so is what broke off and what comes later', async () => {
  reference = await start()
  context = await openedRun(reference.url, TOKEN, { timeout: '2s' })
  const port = Number(new URL(reference.url).port)
  let gone: () => void = () => undefined
  const broken = new Promise<void>((done) => {
    gone = done
  })
  const runs = await runChecks(context, [
    checkOf(
      'failing',
      reading(async () => {
        await reference.close()
        await broken
        reference = await start(port)
      }),
    ),
    checkOf('broken-off', async ({ bench }) => {
      const path = { path: bench.fresh() }
      try {
        for (;;) await bench.given('kv1.write', { path, body: { a: '1' } })
      } finally {
        gone()
      }
    }),
  ])
  const later = await runChecks(context, [
    checkOf(
      'later',
      reading(async () => undefined),
    ),
  ])
  const byId = new Map<string, CheckRun>([...runs, ...later].map((run) => [run.check.id, run]))
  for (const id of ['failing', 'broken-off', 'later']) expect(byId.get(`kv/${id}`), id).toMatchObject(RESTARTED)
})

test.each([
  ['keeps what it has', false],
  ['lists no mounts', true],
])('a server that breaks connections and %s is judged as before', async (_, listsNone) => {
  reference = await start()
  context = await openedRun(reference.url, TOKEN)
  const { http, provisioner } = context.targets.get('secrets')!
  http.brokenOff = 5
  if (listsNone) provisioner.leftovers = async () => []
  const body: CheckBody = async ({ bench, expect: check }) => {
    check(await bench.call('kv1.read', { path: { path: bench.fresh() } })).toHaveStatus(200)
  }
  const [run] = await runChecks(context, [checkOf('violated', body)])
  expect(run).toMatchObject({ outcome: 'failed' })
})
