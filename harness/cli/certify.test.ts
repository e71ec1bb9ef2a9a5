/** No error hides another: what ends a run is not said in place of what went wrong in it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { Blocked } from '../base/errors.ts'
import { certifyTarget, type Host } from './certify.ts'

const TOKEN = 'root-token-of-the-certify-test'
const REQUEST = { seed: 1, effort: 'quick', out: '', token: TOKEN } as const
let reference: Reference

beforeAll(async () => {
  process.env.ASSAY_STATE_DIR = temporaryFolder()
  reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
})
afterAll(() => reference.close())

/** Certifies until the first check begins; then the time of the run is over, and `then` happens. */
const endedBy = (then: () => void) => {
  const abort = new AbortController()
  const started = (): void => {
    abort.abort(new Blocked('the time is over', 'give it longer'))
    then()
  }
  const host: Host = {
    abort,
    signals: { interrupted: () => false, tell: () => undefined, lasts: () => undefined, reports: () => undefined, close: () => undefined },
    progress: () => ({ started, say: () => undefined, stop: () => undefined }),
  }
  return certifyTarget(reference.url, { ...REQUEST, engine: ['kv'], check: ['kv/v1-replaces'] }, host)
}

test('an error of ours is said although the time of the run is over', async () => {
  const ended = endedBy(() => {
    throw new TypeError('of ours')
  })
  await expect(ended).rejects.toThrow('of ours')
})

test('a run whose time is over has results, and says why it was ended', async () => {
  const { results, ended, failures } = await endedBy(() => undefined)
  expect(results?.gate).toBe('incomplete')
  expect(ended?.message).toBe('the time is over')
  expect(failures).toEqual([])
})
