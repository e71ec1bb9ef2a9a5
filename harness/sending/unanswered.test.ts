/** One route without an answer, or with nothing but refusals: the clause that states it is violated, as long as the target answers for itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { Hostile } from '../../tests/support/hostile-servers.ts'
import { misbehaving } from '../../tests/support/misbehaviour.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { catalogue } from '../planning/catalogue.ts'
import { closeRun } from '../running/open-run.ts'
import { removeShared, runChecks } from '../running/run.ts'
import { openedRun } from '../running/testing/opened.ts'
import type { RunContext } from './context.ts'
import { OWN_DOING } from './unanswered.ts'

const TOKEN = 'root-token-of-the-unanswered-test'
const CLAUSE = 'KV-V1-01'
/** Reads of keys: lists have a query, and mounts are looked after below `sys`. */
const READS = /^GET \/v1\/(?!sys\/|auth\/)[^? ]+ /

let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
})
afterAll(() => reference.close())

const opened = (url: string): Promise<RunContext> => openedRun(url, TOKEN, { grace: '1s', timeout: '1s' })

const read: RunnableCheck = {
  id: 'kv/reads',
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs: {},
  deadline: 60_000,
  body: async ({ bench, expect: check }) => {
    const path = { path: bench.fresh() }
    await bench.given('kv1.write', { path, body: { a: '1' } })
    check(await bench.call('kv1.read', { path })).toHaveStatus(200)
  },
}

/** Needs what a read answers. */
const needing: RunnableCheck = {
  ...read,
  body: async ({ bench }) => void (await bench.given('kv1.read', { path: { path: bench.fresh() } })),
}

const certify = async (proxy: Hostile, change: (context: RunContext) => void = () => undefined, one = read, times = 2) => {
  const context = await opened(proxy.url)
  change(context)
  try {
    const contract = (await catalogue(context.contract, ['kv'])).filter(
      ({ kind, clauses }) => kind === 'contract' && clauses.includes(CLAUSE),
    )
    const again = Array.from({ length: times }, (_, index) => ({ ...one, id: `kv/reads-${index}` }))
    const runs = await runChecks(context, [...again, ...contract], {}, { concurrency: 1 })
    return { stated: runs.find(({ check }) => check.kind === 'contract')!, others: runs.filter(({ check }) => check.kind !== 'contract') }
  } finally {
    await removeShared(context)
    await closeRun(context)
    await proxy.close()
  }
}

test.concurrent.each(['closes the connection', 'says nothing'])(
  'a target that %s on one route violates its clause, and what needs it is blocked by its name',
  async (name) => {
    const { stated, others } = await certify(await misbehaving(reference.url, name, 0, READS))
    expect(stated).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('kv1.read got no answer') })
    expect(stated.exchanges[0]).toMatchObject({ failure: expect.anything() })
    expect(others.map(({ outcome }) => outcome)).toEqual(others.map(() => 'blocked'))
    if (name.startsWith('closes')) expect(others.at(-1)).toMatchObject({ reason: expect.stringContaining(`${CLAUSE} has to hold first`) })
  },
  120_000,
)

test.concurrent('a target that answers no control request is gone, and violates nothing', async () => {
  const { stated } = await certify(await misbehaving(reference.url, 'closes the connection', 0, READS), (context) => {
    context.targets.get('secrets')!.http.control = async () => undefined
  })
  expect(stated.outcome).toBe('blocked')
}, 120_000)

test.concurrent('a target that refuses one operation whatever is asked violates the clause that states it', async () => {
  const { stated, others } = await certify(await misbehaving(reference.url, 'answers 405', 0, READS), undefined, needing, OWN_DOING)
  expect(stated).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('kv1.read refused every request') })
  expect(stated.exchanges[0]).toMatchObject({ answer: { status: 405 } })
  expect(others.map(({ outcome }) => outcome)).toEqual(others.map(() => 'blocked'))
}, 120_000)
