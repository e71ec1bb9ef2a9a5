/** Evidence of a violation: files that others can read, sent again before it is reported and by `assay replay`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { Har } from 'har-format'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLike, likenessOf } from '../harness/replay/likeness.ts'
import { RUN } from '../harness/replay/step.ts'
import { allFaults } from '../reference/faults/index.ts'
import { createReference, type Reference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { CHROMIUM, lacksBrowser } from './support/browser.ts'
import { assay, temporaryFolder } from './support/cli.ts'
import { type Gateway, gatewayBefore } from './support/key-gateway.ts'
import { lacksProgram } from './support/needs.ts'
import { traces } from './support/secret-search.ts'

const TOKEN = 'root-token-of-the-replay-test'
const FAULTS = ['kv/v1-merged', 'kv/v1-doubles', 'kv/time-destroy-deleted', 'kv/identity-author-reads']
const CHECKS = 'kv/v1-replaces,kv/v1-any-number,kv/destroy-is-permanent,kv/v1-create-or-update,kv/v1-put-stores'

const require = createRequire(import.meta.url)
const problemsOfHar = (har: unknown): unknown => {
  const schemas = require('har-schema') as Record<string, object>
  const ajv = new Ajv({ allErrors: true, strict: false })
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json') as object)
  addFormats.default(ajv)
  ajv.addSchema(Object.values(schemas))
  return ajv.validate('har.json#', har) ? [] : ajv.errors
}

const serve = (faults: string[]): Promise<Reference> =>
  createReference({ tls: false, rootToken: TOKEN, faults: allFaults.filter(({ id }) => faults.includes(id)) }).listen()

const namesOn = async ({ url }: Reference): Promise<string[]> => {
  const said = await Promise.all(
    ['sys/mounts', 'sys/policies/acl?list=true'].map(async (path) =>
      (await fetch(`${url}/v1/${path}`, { headers: { 'X-Service-Token': TOKEN } })).text(),
    ),
  )
  return said.join('\n').match(/assay-[a-z0-9-]+/g) ?? []
}

describe('evidence', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, 'assay-report', name)
  const texts = () =>
    Object.fromEntries(readdirSync(at('evidence')).map((name) => [name, readFileSync(at(join('evidence', name)), 'utf8')]))
  const ask = (words: string[]) => assay(words, { folder, env: { ASSAY_TOKEN: TOKEN } })
  let faulty: Reference
  let sound: Reference
  let results: Results

  beforeAll(async () => {
    ;[faulty, sound] = await Promise.all([serve(FAULTS), serve([])])
    const ran = await ask(['certify', faulty.url, '--engine', 'kv', '--check', CHECKS, '--effort', 'quick'])
    expect(ran.code, ran.all).toBe(1)
    results = JSON.parse(readFileSync(at('results.json'), 'utf8')) as Results
  }, 120_000)
  afterAll(() => Promise.all([faulty.close(), sound.close()]))

  const violated = () => results.clauses.filter(({ outcome }) => outcome === 'violated')

  test('comes with each violated clause and was sent again, script included', () => {
    expect(violated().length).toBeGreaterThan(3)
    for (const { id, reproduction } of violated()) {
      expect(reproduction, id).toMatchObject({ har: `evidence/${id}.har`, script: `evidence/${id}.sh`, again: 3, of: 3, said: '3 of 3' })
    }
    expect(readFileSync(at('report.html'), 'utf8')).toContain(`href="evidence/${violated()[0]!.id}.har"`)
  })

  test('leaves nothing on the server and holds no token', async () => {
    expect(await namesOn(faulty)).toEqual([])
    expect(traces(texts(), [TOKEN])).toEqual([])
    for (const text of Object.values(texts())) expect(text).not.toMatch(/hvs\.|"client_token":"[^"*$[]/)
  })

  test('is HAR by the schema that others wrote', () => {
    for (const [name, text] of Object.entries(texts()).filter(([file]) => file.endsWith('.har')))
      expect(problemsOfHar(JSON.parse(text)), name).toEqual([])
  })

  test.skipIf(lacksBrowser())('is read by a browser, which answers from it', { timeout: 60_000 }, async () => {
    const [{ id }] = violated() as [Results['clauses'][number]]
    const file = at(`evidence/${id}.har`)
    const entries = (JSON.parse(readFileSync(file, 'utf8')) as Har).log.entries
    const read = entries.findLast(({ request }) => request.method === 'GET')!
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless', '--no-sandbox'] })
    try {
      const context = await browser.newContext()
      await context.routeFromHAR(file, { notFound: 'abort' })
      const page = await context.newPage()
      const answer = await page.goto(read.request.url)
      expect(answer?.status()).toBe(read.response.status)
      const same = entries.filter(({ request }) => request.url === read.request.url && request.method === 'GET')
      expect(same.map(({ response }) => response.content.text)).toContain(await answer?.text())
    } finally {
      await browser.close()
    }
  })

  test('is sent again by a command that tells a server that does it from one that does not', { timeout: 180_000 }, async () => {
    for (const { id } of violated().slice(0, 1)) {
      const [again, mended] = await Promise.all(
        [faulty, sound].map(({ url }) => ask(['replay', at(`evidence/${id}.har`), '--url', url, '--times', '2'])),
      )
      expect([again!.code, mended!.code], `${id}\n${again!.all}${mended!.all}`).toEqual([1, 0])
      expect(again!.stdout).toContain('2 of 2')
      expect(mended!.stdout).toContain('0 of 2')
    }
    expect([...(await namesOn(faulty)), ...(await namesOn(sound))]).toEqual([])
  })

  test.skipIf(lacksProgram('curl'))('is a script too, with the same exit codes', { timeout: 180_000 }, async () => {
    for (const { id } of violated().slice(0, 1)) {
      const [again, mended] = await Promise.all([faulty, sound].map(({ url }) => ask(['replay', at(`evidence/${id}.sh`), '--url', url])))
      expect([again!.code, mended!.code], `${id}\n${again!.all}${mended!.all}`).toEqual([1, 0])
    }
    expect([...(await namesOn(faulty)), ...(await namesOn(sound))]).toEqual([])
  })

  test('that cannot be sent again is answered with what is missing', { timeout: 180_000 }, async () => {
    const file = at(`evidence/${violated()[0]!.id}.har`)
    const other = join(folder, 'other.har')
    writeFileSync(other, '{"log":{}}')
    const tried = await Promise.all([
      ask(['replay', join(folder, 'none.har')]),
      ask(['replay', other]),
      assay(['replay', file], { folder }),
      ask(['replay', file, '--url', 'http://127.0.0.1:1']),
    ])
    expect(tried.map(({ code }) => code)).toEqual([2, 2, 2, 3])
    expect(tried[0]!.stderr).toMatch(/none\.har does not exist: name an evidence/)
    expect(tried[1]!.stderr).toMatch(/is not evidence that assay wrote/)
    expect(tried[2]!.stderr).toMatch(/set ASSAY_TOKEN/)
    expect(tried[3]!.stderr).toMatch(/could not be sent again.*\n {2}remedy: /)
  })
})

describe('evidence of a server behind a gateway', () => {
  const KEY = 'key-of-the-gateway-0123456789abcdef'
  const folder = temporaryFolder()
  const har = join(folder, 'assay-report', 'evidence', 'KV-V1-04.har')
  const script = har.replace('.har', '.sh')
  const ask = (words: string[]) => assay(words, { folder, env: { ASSAY_TOKEN: TOKEN } })
  const certify = (words: string[]) =>
    ask([
      'certify',
      gateway.url,
      '--engine',
      'kv',
      '--check',
      'kv/v1-replaces',
      '--effort',
      'quick',
      '--header',
      `X-Gateway: ${KEY}`,
      ...words,
    ])
  const reproduction = () =>
    (JSON.parse(readFileSync(join(folder, 'assay-report', 'results.json'), 'utf8')) as Results).clauses.find(({ id }) => id === 'KV-V1-04')!
      .reproduction!
  let faulty: Reference
  let gateway: Gateway

  beforeAll(async () => {
    faulty = await serve(FAULTS)
    gateway = await gatewayBefore(faulty.url, ['x-gateway', KEY])
  })
  afterAll(() => Promise.all([gateway.close(), faulty.close()]))

  test('is sent with the header that the run sent, which no evidence holds', { timeout: 180_000 }, async () => {
    expect((await certify([])).code).toBe(1)
    expect(reproduction()).toMatchObject({ again: 3, said: '3 of 3' })
    expect(traces({ har: readFileSync(har, 'utf8'), script: readFileSync(script, 'utf8') }, [TOKEN, KEY])).toEqual([])
    // The script asks with curl.
    for (const file of lacksProgram('curl') ? [har] : [har, script]) {
      const [given, without] = await Promise.all([ask(['replay', file, '--header', `X-Gateway: ${KEY}`]), ask(['replay', file])])
      expect([given!.code, without!.code], `${given!.all}${without!.all}`).toEqual([1, 3])
      expect(traces({ given: given!.all }, [TOKEN, KEY])).toEqual([])
    }
    expect((await ask(['replay', har])).stderr).toMatch(/the run also sent X-Gateway: .*--header 'X-Gateway: <value>'/)
  })

  test('is written and not sent again with --no-reproduce', { timeout: 120_000 }, async () => {
    const ran = await certify(['--no-reproduce'])
    expect(ran.code, ran.all).toBe(1)
    expect(reproduction()).toEqual({
      check: 'kv/v1-replaces',
      har: 'evidence/KV-V1-04.har',
      script: 'evidence/KV-V1-04.sh',
      said: 'not sent again: --no-reproduce was given',
    })
    expect(ran.all).toContain('--no-reproduce')
    expect((await ask(['replay', har, '--header', `X-Gateway: ${KEY}`])).code).toBe(1)
  })
})

test('an answer is recognised by all that does not differ from run to run', () => {
  const seen = `{"request_id": "0b0f2c4e-1111-2222-3333-444455556666", "data": {"value": "[redacted]", "ttl": 3600, "key": "assay-${RUN}-n-1"}}`
  const { body } = likenessOf(200, seen, [])
  const like = body.map((piece) => piece.replace(RUN, 'abc'))
  const answer = (ttl: number, key: string) =>
    `{"request_id":"99999999-aaaa-bbbb-cccc-dddddddddddd","data":{"value":"x y","ttl":${ttl},"key":"${key}"}}\n`
  expect(isLike(like, answer(3600, 'assay-abc-n-1'))).toBe(true)
  expect(isLike(like, answer(60, 'assay-abc-n-1'))).toBe(false)
  expect(isLike(like, answer(3600, 'assay-abc-n-2'))).toBe(false)
  expect(isLike([''], '')).toBe(true)
  expect(isLike([''], '{}')).toBe(false)
})
