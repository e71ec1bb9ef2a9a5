/** The same programs on two servers: where the answers differ is told, under the clause that it touches, and nothing is judged by it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { createReference, type Reference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'
import { traces } from './support/secret-search.ts'

const [TOKEN, OTHER] = ['root-token-of-the-first-server', 'root-token-of-the-second-one']

const serve = (rootToken: string, ...faults: string[]): Promise<Reference> =>
  createReference({ tls: false, rootToken, faults: allFaults.filter(({ id }) => faults.includes(id)) }).listen()

describe('a run against a second server', () => {
  let first: Reference
  let same: Reference
  let other: Reference
  beforeAll(async () => {
    ;[first, same, other] = await Promise.all([
      serve(TOKEN),
      serve(OTHER),
      serve(OTHER, 'kv/v1-merged', 'transform/generated-other', 'ssh/otp-reusable'),
    ])
  })
  afterAll(() => Promise.all([first.close(), same.close(), other.close()]))

  const run = async (against: Reference, words: string[]) => {
    const folder = temporaryFolder()
    const env = { ASSAY_TOKEN: TOKEN, ASSAY_AGAINST_TOKEN: OTHER }
    const engine = words.includes('--engine') ? [] : ['--engine', 'kv']
    const ran = await assay(['certify', first.url, ...engine, '--effort', 'quick', ...words, '--against', against.url], {
      folder,
      env,
    })
    const read = (name: string) => readFileSync(join(folder, 'assay-report', name), 'utf8')
    return { ran, read, against: (JSON.parse(read('results.json')) as Results).against! }
  }

  test('finds no difference between two of a kind', { timeout: 240_000 }, async () => {
    const { ran, against } = await run(same, ['--check', 'kv/v1-*', '--kind', 'scenario,property'])
    expect(ran.code, ran.all).toBe(0)
    expect(against.differences).toEqual([])
    expect(against.parted).toEqual([])
    expect(against.exchanges).toBeGreaterThan(100)
  })

  // Serial numbers in paths, leases, encoded values and tweaks that a later request holds, and several requests at once.
  test('finds none where requests hold what the servers chose', { timeout: 240_000 }, async () => {
    const checks = [
      'pki/read-certificate',
      'pki/serial-spellings',
      'pki/revoked-readable',
      'ssh/otp-role-rewritten',
      'ssh/ca-role-rewritten',
      'transform/batch-sizes',
      'transform/tweak-sources',
      'transform/generated-decodes',
      'transform/masking-at-once',
      'transform/not-tokenized',
    ]
    const { ran, against } = await run(same, ['--engine', 'pki,ssh,transform', '--check', checks.join(',')])
    expect(ran.code, ran.all).toBe(0)
    expect(against).toMatchObject({ checks: checks.length, differences: [], parted: [] })
  })

  test('lists what differs under its clause, leaves the gate alone and shows no token', { timeout: 120_000 }, async () => {
    const { ran, against, read } = await run(other, ['--check', 'kv/v1-replaces,kv/v1-reads-back'])
    expect(ran.code, ran.all).toBe(0)
    expect(against.differences).toEqual([
      expect.objectContaining({ clause: 'KV-V1-04', operation: 'kv1.read', there: 'a number', here: 'nothing' }),
    ])
    expect(against.parted).toEqual([
      { check: 'kv/v1-replaces', reason: expect.stringMatching(/^asks for kv1\.\w+ here, and for /) as string },
    ])
    expect(read('report.html')).toContain('Against another server')
    const artefacts = { page: read('report.html'), results: read('results.json'), said: ran.all }
    expect(traces(artefacts, [TOKEN, OTHER])).toEqual([])
  })

  test('finds what differs though the servers choose much of it', { timeout: 120_000 }, async () => {
    const { ran, against } = await run(other, ['--engine', 'ssh,transform', '--check', 'transform/generated-decodes,ssh/otp-single-use'])
    expect(ran.code, ran.all).toBe(0)
    expect(against.differences).toEqual([
      expect.objectContaining({ operation: 'ssh.verifyOtp', place: '' }),
      expect.objectContaining({ operation: 'transform.decode', place: '/data/decoded_value' }),
    ])
  })

  test('never shows one server the token of the other', { timeout: 120_000 }, async () => {
    const ran = await assay(['certify', first.url, '--against', other.url], { env: { ASSAY_TOKEN: TOKEN } })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/--against needs a token of that server: set ASSAY_AGAINST_TOKEN/)
  })
})
