/** Tests of keys at cloud services, and what is expected of them. */
import { type Answer, type Bench, type CheckContext, isBackendFailure, type JsonObject } from '../../../harness/checks/index.ts'
import { removeLater, writeOf } from '../fixtures.ts'
import type { CloudService, ServiceKey, Signature } from './services.ts'

type Context = Pick<CheckContext, 'bench' | 'expect'>

/** Milliseconds for one test: services may be slow, and keys of 4096 bits take their time. */
const PATIENCE = 60_000

/** How long what a test did may take to be seen: the gateway notes each request before it answers it. */
export const SOON = { within: 5000, because: 'what a test did is seen at the service' }

/** Tests a managed key once. */
export const testOnce = (
  bench: Bench,
  kind: string,
  name: string,
  options: JsonObject = {},
  where: { namespace?: string } = {},
): Promise<Answer> => bench.call('managedKeys.testSign', { ...where, path: { type: kind, name }, body: options, timeout: PATIENCE })

/** Asserts that the test of a managed key succeeds, and that the service has signed with the key for it. Returns its signatures. */
export const signsWith = async (
  { bench, expect }: Context,
  kind: string,
  name: string,
  key: ServiceKey,
  label: string,
  options: JsonObject = {},
  where: { namespace?: string } = {},
): Promise<Signature[]> => {
  const before = (await key.signatures()).length
  expect(await testOnce(bench, kind, name, options, where), `the test ${label}`).toSucceed()
  return bench.eventually(async () => {
    const since = (await key.signatures()).slice(before)
    expect(since.length > 0, `the key that is meant signs ${label}`).toBe(true)
    return since
  }, SOON)
}

/** Writes a managed key and tests it; where the write is refused, that is the answer. */
export const written = async (
  bench: Bench,
  { kind }: CloudService,
  body: JsonObject,
): Promise<{ answer: Answer; test(options?: JsonObject): Promise<Answer> }> => {
  const name = bench.fresh('key')
  removeLater(bench, kind, name)
  const answer = await bench.call(writeOf(kind), { path: { name }, body })
  return { answer, test: async (options) => (answer.ok ? testOnce(bench, kind, name, options) : answer) }
}

/** Asserts that a test succeeds and that the service has signed with the key for it. Returns its signatures. */
export const passes = async (
  { bench, expect }: Context,
  service: CloudService,
  key: ServiceKey,
  label: string,
  { change = {}, options = {} }: { change?: JsonObject; options?: JsonObject } = {},
): Promise<Signature[]> => {
  const before = (await key.signatures()).length
  const { test } = await written(bench, service, { ...key.body, ...change })
  expect(await test(options), `the test ${label}`).toSucceed()
  // Which key a name means is seen at the service, too, and maybe late.
  const signed = await bench.eventually(async () => {
    const since = (await key.signatures()).slice(before)
    expect(since.length > 0, `the service has signed with the key in the test ${label}`).toBe(true)
    return since
  }, SOON)
  bench.count('signatures of cloud services', signed.length)
  return signed
}

/** Asserts that a test of the same key with other parameters fails; a target may refuse them when they are written, too. */
export const fails = async (
  { bench, expect }: Context,
  service: CloudService,
  key: ServiceKey,
  label: string,
  change: JsonObject = {},
): Promise<Answer> => {
  const { test } = await written(bench, service, { ...key.body, ...change })
  const answer = await test()
  expect(isBackendFailure(answer.status), `the test ${label} fails, with status ${answer.status}`).toBe(true)
  return answer
}

const HASH_OF_CURVE: Record<string, string> = { 'P-384': '384', 'P-521': '512' }

/** Options of a test that fit the hash and the padding which the spec of a key names. */
export const fitting = (spec: string): JsonObject => {
  const bits = HASH_OF_CURVE[spec] ?? /SHA(\d+)$/.exec(spec)?.[1]
  return { ...(bits !== undefined && { hash_algorithm: `sha2-${bits}` }), ...(spec.includes('_PSS_') && { use_pss: true }) }
}

/** Parameters without one of them. */
export const without = (body: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
