/** What becomes of a check on a target that does not do the same in all forms of a request that the contract declares equal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, CheckKind, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import type { RunContext } from '../sending/context.ts'
import { EqualForms } from '../sending/equal-forms.ts'
import type { WireAnswer } from '../target/http.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import type { WireRequest } from '../target/wire.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'

const TOKEN = 'root-token-of-the-forms-test'
let reference: Reference
let context: RunContext
/** Which requests are refused. */
let refused: (request: WireRequest) => boolean
/** Which requests get no answer. */
let unanswered: (request: WireRequest) => boolean = () => false
const sent: WireRequest[] = []

const isOfBench = ({ path }: WireRequest): boolean => !path.includes('/sys/') && !path.includes('/auth/')

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['core', 'kv'] }, process.cwd())
  const config = { ...completeRun({ timing: { grace: '1s' } }, process.cwd()), targets: [target] }
  context = (await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal }))
    .context
  const { http } = context.targets.get('secrets')!
  const send = http.send.bind(http)
  http.send = async (request, timeout, subject): Promise<WireAnswer> => {
    if (!isOfBench(request)) return send(request, timeout, subject)
    sent.push(request)
    if (unanswered(request)) throw Object.assign(new Error('late'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    const answer = await send(request, timeout, subject)
    return refused(request) ? { ...answer, status: 400, bytes: Buffer.from('{"errors":["no"]}') } : answer
  }
})
afterAll(async () => {
  await removeShared(context)
  await closeRun(context)
  await reference.close()
})

const WRITES = 12

/** Writes and lists so often that each form is taken. */
const writesAndLists: CheckBody = async ({ bench, expect: assert }) => {
  for (let at = 0; at < WRITES; at += 1) assert(await bench.call('kv1.write', { path: { path: `d/${at}` }, body: { at } })).toSucceed()
  for (let at = 0; at < WRITES; at += 1) assert(await bench.call('kv1.list', { path: { directory: 'd/' } })).toSucceed()
}

const run = async (bad: (request: WireRequest) => boolean, { kind = 'scenario', body = writesAndLists, engine = 'kv' } = {}) => {
  const needs = { mounts: { kv1: { type: 'kv1' } } }
  const check: RunnableCheck = {
    id: `${engine}/forms`,
    engine,
    clauses: ['KV-V1-02'],
    title: '',
    kind: kind as CheckKind,
    needs,
    deadline: 10_000,
    body,
  }
  refused = bad
  sent.splice(0)
  return executeCheck(context, check)
}

const bearer = ({ headers }: WireRequest): boolean => Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
const violated = ({ decisions }: Awaited<ReturnType<typeof run>>): string[] =>
  decisions.filter(({ outcome }) => outcome === 'violated').map(({ clause }) => clause)

test('the requests of a scenario take either form, the same ones each time', async () => {
  expect((await run(() => false)).outcome).toBe('passed')
  const first = sent.map((request) => [request.method, bearer(request)])
  expect(new Set(first.map(([method]) => method))).toEqual(new Set(['POST', 'PUT', 'GET', 'LIST']))
  expect(new Set(first.map(([, isBearer]) => isBearer))).toEqual(new Set([true, false]))
  await run(() => false)
  expect(sent.map((request) => [request.method, bearer(request)])).toEqual(first)
})

test.each([
  ['a synonym of the method', ({ method }: WireRequest) => method === 'PUT', 'CORE-WRITE-01'],
  ['one way of listing', ({ method }: WireRequest) => method === 'LIST', 'CORE-LIST-02'],
  ['one carrier of the token', bearer, 'CORE-AUTH-07'],
])('%s that is refused violates what rules that, and nothing else', async (_, bad, clause) => {
  const done = await run(bad)
  expect(done).toMatchObject({ outcome: 'failed', check: { clauses: ['KV-V1-02', clause] } })
  expect(violated(done)).toEqual([clause])
  expect(done.decisions).toContainEqual(expect.objectContaining({ clause: 'KV-V1-02', outcome: 'verified' }))
})

test('set-up that is refused in one form violates that, too', async () => {
  const body: CheckBody = async ({ bench, expect: assert }) => {
    for (let at = 0; at < WRITES; at += 1) await bench.given('kv1.write', { path: { path: `e/${at}` }, body: { at } })
    assert(1).toBe(1)
  }
  expect(violated(await run(({ method }) => method === 'PUT', { body }))).toEqual(['CORE-WRITE-01'])
})

test('what fails in plain form too is the clause of the check', async () => {
  const done = await run(({ path }) => path.endsWith('/3'))
  expect(done).toMatchObject({ outcome: 'failed', check: { clauses: ['KV-V1-02'] } })
  expect(violated(done)).toEqual(['KV-V1-02'])
  expect(
    sent.slice(-4).some((request) => request.method === 'PUT' || bearer(request)),
    'the failure is shown in plain form',
  ).toBe(false)
})

test('a form that gets no answer blocks the check, and says nothing about forms', async () => {
  unanswered = ({ method, path }) => method === 'PUT' && path.includes('/d/')
  const done = await run(() => false)
  unanswered = () => false
  expect(done.outcome).toBe('blocked')
  expect(violated(done)).toEqual([])
})

test('a form that is refused once only is left to the check itself', async () => {
  const puts: WireRequest[] = []
  const done = await run((request) => request.method === 'PUT' && puts.push(request) === 1)
  expect(violated(done)).toEqual(['KV-V1-02'])
})

test('what is drawn, races or speaks of forms itself is sent in plain form', async () => {
  for (const about of [{ kind: 'model' }, { kind: 'race' }, { kind: 'property' }, { engine: 'core' }]) {
    await run(() => false, about)
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['POST', 'GET']))
    expect(sent.some(bearer)).toBe(false)
  }
})

test('a form that the check states itself stays, and so does a header that is asked of everybody', () => {
  const target = context.targets.get('secrets')!
  const operation = context.contract.operations.get('kv1.write')!
  const formOf = (of: typeof target, input: object) =>
    Array.from({ length: 50 }, (_, nth) => new EqualForms(1, 'kv/forms', ['synonyms', 'carriers']).of(of, operation, input, nth))
  expect(formOf(target, { method: 'POST' }).some(({ method }) => method !== undefined)).toBe(false)
  expect(formOf(target, { carrier: 'token' }).some(({ carrier }) => carrier !== undefined)).toBe(false)
  const behind = { ...target, config: { ...target.config, headers: { authorization: 'Basic x' } } }
  expect(formOf(behind, {}).some(({ carrier }) => carrier !== undefined)).toBe(false)
  expect(formOf(target, {}).some(({ carrier }) => carrier === 'bearer')).toBe(true)
})
