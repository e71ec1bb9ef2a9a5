/** A request that gave way to another write, and of which the target says that it committed nothing, decides nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { misbehaving } from '../../tests/support/misbehaviour.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { closeRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'
import { openedRun } from './testing/opened.ts'

const TOKEN = 'root-token-of-the-commit-test'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
})
afterAll(() => reference.close())

const refusal: RunnableCheck = {
  id: 'kv/refusal',
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs: {},
  deadline: 20_000,
  body: async ({ bench }) => {
    const control = { path: { path: 'good-one' }, body: { a: '2' } }
    await bench.refuses('kv1.write', { bad: { path: { path: 'bad-one' }, rawBody: '{' }, control, unchanged: null, because: 'both' })
  },
}

test.each(['bad', 'good'])('the %s request of a refusal is sent again', async (which) => {
  const proxy = await misbehaving(reference.url, 'commits nothing', 0, new RegExp(`^[A-Z]+ \\S+/${which}-one `), 2)
  const context = await openedRun(proxy.url, TOKEN)
  expect(await executeCheck(context, refusal)).toMatchObject({ outcome: 'passed' })
  await removeShared(context)
  await closeRun(context)
  await proxy.close()
})
