/** Evidence is made of whatever a server answers, and where it cannot be made, that is said of one clause alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { shownRecord } from '../outcomes/evidence.ts'
import type { CheckRun } from '../running/check-run.ts'
import { closeRun } from '../running/open-run.ts'
import { executeCheck } from '../running/repeat.ts'
import { removeShared } from '../running/run.ts'
import { openedRun } from '../running/testing/opened.ts'
import type { RunContext } from '../sending/context.ts'
import type { WireAnswer } from '../target/http.ts'
import { learnedAnswer } from '../target/learned.ts'
import { reproduce } from './reproduce.ts'
import { scriptOf } from './shell-script.ts'
import type { Step } from './step.ts'

const EMPTY = { clause: 'KV-V1-02', check: 'kv/one', title: 'one', origin: 'http://127.0.0.1:1', headers: [], steps: [] }
const STEP: Step = {
  part: 'shown',
  operation: '',
  method: 'GET',
  path: '/',
  headers: {},
  captures: [],
  answer: { status: 200, body: [] },
  pauseMs: 0,
}
const TOKEN = 'root-token-of-the-evidence-test'
let reference: Reference
let context: RunContext
let said: string

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  context = await openedRun(reference.url, TOKEN)
  const { http } = context.targets.get('secrets')!
  const send = http.send.bind(http)
  const refusal = (): WireAnswer => {
    const bytes = Buffer.from(`{"errors":[${said}]}`)
    return learnedAnswer({ status: 400, headers: { 'content-type': 'application/json' }, bytes }, () => undefined)
  }
  http.send = async (request, timeout, subject): Promise<WireAnswer> =>
    request.path.includes('/sys/') ? send(request, timeout, subject) : refusal()
})
afterAll(async () => {
  await removeShared(context)
  await closeRun(context)
  await reference.close()
})

/** A check of one clause that an answer with this error violates. */
const violated = (clause: string, error: string): Promise<CheckRun> => {
  said = error
  const check: RunnableCheck = {
    id: `kv/${clause.toLowerCase()}`,
    engine: 'kv',
    clauses: [clause],
    title: '',
    kind: 'scenario',
    needs: {},
    deadline: 10_000,
    body: async ({ bench, expect: check }) => {
      await bench.call('kv1.write', { path: { path: 'one' }, body: { a: '1' } })
      check(await bench.call('kv1.read', { path: { path: 'one' }, query: { of: 'x' } })).toHaveStatus(200)
    },
  }
  return executeCheck(context, check)
}

test('half a character in an answer loses no evidence', async () => {
  const run = await violated('KV-V1-02', String.raw`"no \ud83d here"`)
  const { files, byClause } = await reproduce(context, [run], false)
  expect(byClause.get('KV-V1-02')).toMatchObject({ har: 'evidence/KV-V1-02.har', said: expect.stringMatching(/^not sent again/) })
  expect([...files.keys()]).toEqual(['evidence/KV-V1-02.har', 'evidence/KV-V1-02.sh'])
})

test("an answer that makes a secret of the target's own address loses no evidence", async () => {
  context.secrets.add(`${reference.url}/v1/assay-the-leader`)
  const run = await violated('KV-V1-02', JSON.stringify(`this node is a standby, ask ${reference.url}/v1/assay-the-leader`))
  const { files } = await reproduce(context, [run], false)
  const { log } = JSON.parse(files.get('evidence/KV-V1-02.har')!) as { log: { entries: { request: { queryString: unknown } }[] } }
  expect(log.entries.map(({ request }) => request.queryString)).toEqual([[], [{ name: 'of', value: 'x' }]])
})

test('evidence that cannot be made is said of its clause, and that of others is made', async () => {
  const [broken, whole] = [await violated('KV-V1-02', '"no"'), await violated('KV-V1-04', '"no"')]
  for (const exchange of broken.exchanges)
    Object.defineProperty(exchange.request, 'headers', {
      get: () => {
        throw new TypeError('no headers')
      },
    })
  const { files, byClause } = await reproduce(context, [broken, whole], false)
  expect(byClause.get('KV-V1-02')).toEqual({ check: broken.check.id, said: 'evidence could not be made: TypeError: no headers' })
  expect([...files.keys()]).toEqual(['evidence/KV-V1-04.har', 'evidence/KV-V1-04.sh'])
  const shown = shownRecord(context.secrets, context.targets.get('secrets')!, broken.exchanges[0]!)
  expect(shown).toMatchObject({ number: 1, failure: 'evidence could not be made: TypeError: no headers' })
})

test('nothing in evidence acts instead of being seen, and the script sends it as it was', async () => {
  const run = await violated('KV-V1-02', String.raw`"a\u009bb\u202ec\u001bd"`)
  const { files } = await reproduce(context, [run], false)
  for (const text of files.values()) expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  const script = scriptOf({ ...EMPTY, steps: [{ ...STEP, path: '/a\u202e', answer: { status: 200, body: ["it's \u009b"] } }] }, [])
  expect(script).toContain(String.raw`send GET '/a'"$(printf '\342\200\256')"`)
  expect(script).toContain(String.raw`'it'\''s '"$(printf '\302\233')")`)
})

test('when the time of a run is over, evidence is written and not sent', async () => {
  const run = await violated('KV-V1-02', '"no"')
  context.cleanUp.endBy(performance.now() - 1)
  const before = context.targets.get('secrets')!.http.sent
  const { files, byClause } = await reproduce(context, [run], true)
  expect(byClause.get('KV-V1-02')).toMatchObject({ said: 'not sent again: the time for it was over' })
  expect([files.size, context.targets.get('secrets')!.http.sent]).toEqual([2, before])
})
