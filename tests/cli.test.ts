/** The command line as a contract: exit codes, messages, what is written where. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, hasStackTrace, temporaryFolder } from './support/cli.ts'

const mistakes: Record<string, { words: string[]; says: RegExp; config?: string }> = {
  'no target': { words: ['certify'], says: /give a URL, --embedded, or --config/ },
  'an empty URL': { words: ['certify', ''], says: /URL is empty/ },
  'a URL that is none': { words: ['certify', 'not a url', '--token', 't'], says: /is not a URL/ },
  'another protocol': { words: ['certify', 'ftp://127.0.0.1', '--token', 't'], says: /http:\/\/ or https:\/\// },
  'credentials in the URL': { words: ['certify', 'http://a:b@127.0.0.1', '--token', 't'], says: /must not contain credentials/ },
  'the base path in the URL': { words: ['certify', 'http://127.0.0.1:1/v1/', '--token', 't'], says: /ends with \/v1.*leave it out/ },
  'a query in the URL': { words: ['certify', 'http://127.0.0.1:1/?a=b', '--token', 't'], says: /must not contain a query/ },
  'a URL beside --embedded': { words: ['certify', 'http://127.0.0.1:1', '--embedded'], says: /leave out the URL/ },
  'a folder for a token file': { words: ['certify', 'http://127.0.0.1:1', '--token-file', '.'], says: /\. is not a file/ },
  'a folder that cannot be made': { words: ['certify', '--embedded', '--out', '/dev/null/x'], says: /--out: cannot write to/ },
  'a folder without places for files': { words: ['certify', '--embedded', '--out', '/proc/x'], says: /--out: cannot write to/ },
  'a replay path that is none': { words: ['certify', '--embedded', '--replay', 'xyz'], says: /path printed with a failure/ },
  'no token': { words: ['certify', 'http://127.0.0.1:1'], says: /no token.*--token/s },
  'a missing token file': { words: ['certify', 'http://127.0.0.1:1', '--token-file', 'nowhere'], says: /nowhere does not exist/ },
  'an unknown engine': { words: ['certify', '--embedded', '--engine', 'kvv'], says: /unknown engine "kvv".*did you mean kv\?/ },
  'an unknown clause': { words: ['certify', '--embedded', '--clause', 'KV-V1-0'], says: /unknown clause.*did you mean KV-V1-0/ },
  'an unknown check': { words: ['certify', '--embedded', '--check', 'kv/v1-replac'], says: /unknown check.*did you mean/ },
  'a pattern that matches nothing': { words: ['certify', '--embedded', '--check', 'nothing*'], says: /matches no check/ },
  'an unknown kind': { words: ['certify', '--embedded', '--kind', 'modell'], says: /unknown kind.*did you mean model\?/ },
  'an unknown flag': { words: ['certify', '--embeded'], says: /unknown option.*--embedded/s },
  'an unknown command': { words: ['certifi'], says: /unknown command.*certify/s },
  'a seed that is no number': { words: ['certify', '--embedded', '--seed', 'x'], says: /whole number/ },
  'an empty list': { words: ['certify', '--embedded', '--engine', 'kv,'], says: /separated by commas/ },
  'an impossible shard': { words: ['certify', '--embedded', '--shard', '3/2'], says: /I\/N/ },
  'a namespace that is no path': {
    words: ['certify', 'http://127.0.0.1:1', '--token', 't', '--namespace', '../x'],
    says: /namespace "..\/x"/,
  },
  'a bad header': { words: ['certify', 'http://127.0.0.1:1', '--token', 't', '--header', 'nonsense'], says: /Name: value/ },
  'half a client certificate': { words: ['certify', 'http://127.0.0.1:1', '--token', 't', '--client-cert', 'x.pem'], says: /go together/ },
  'a missing authority': { words: ['certify', 'https://127.0.0.1:1', '--token', 't', '--ca-cert', 'x.pem'], says: /cannot read.*x\.pem/ },
  'an unknown dialect': {
    words: ['certify', 'http://127.0.0.1:1', '--token', 't', '--dialect', 'valt'],
    says: /unknown dialect valt.*did you mean vault\?/,
  },
  'a missing configuration': { words: ['certify', '--config', 'none.yaml'], says: /none\.yaml does not exist/ },
  'a broken configuration': { words: ['certify'], config: 'targets: [', says: /cannot be read/ },
  'an unknown key': {
    words: ['certify'],
    config: 'targets: [{ api: secrets, url: "http://127.0.0.1:1", dialct: vault }]',
    says: /dialct: unknown key.*did you mean dialect\?/,
  },
  'a wrong type': { words: ['certify'], config: 'targets: [{ api: secrets, url: 7 }]', says: /url: must be string/ },
  'no targets in the configuration': { words: ['certify'], config: 'name: x\ntargets: []', says: /targets/ },
  'a bad duration': { words: ['certify'], config: 'timing: { grace: soon }\ntargets: [{ url: "http://127.0.0.1:1" }]', says: /grace/ },
  'a missing results file': { words: ['report', 'none.json'], says: /none\.json/ },
  'an unknown id': { words: ['explain', 'KV-V1-0'], says: /did you mean KV-V1-0/ },
  'an unknown fault': { words: ['prove', '--fault', 'nope'], says: /unknown fault "nope"/ },
  'an unknown thing to list': { words: ['list', 'everything'], says: /Allowed choices/ },
  'an address that is none': { words: ['serve', '--listen', 'here'], says: /HOST:PORT/ },
}

describe.concurrent('mistakes of a user', () => {
  for (const [name, { words, says, config }] of Object.entries(mistakes)) {
    test(name, async ({ expect: check }) => {
      const folder = temporaryFolder()
      if (config !== undefined) writeFileSync(join(folder, 'assay.config.yaml'), config)
      const ran = await assay(words, { folder })
      check(ran.code, ran.all).toBe(2)
      check(ran.stderr).toMatch(says)
      check(hasStackTrace(ran.all), ran.all).toBe(false)
      check(existsSync(join(folder, 'assay-report'))).toBe(false)
    })
  }
})

test.each([
  ['of one engine', 'conformant', ['--engine', 'kv']],
  ['narrowed within engines', 'partial', ['--engine', 'kv', '--kind', 'scenario']],
])('a run of the embedded server %s writes its reports and is %s', async (_, verdict, words) => {
  const ran = await assay(['certify', '--embedded', ...words, '--json', '--out', 'here'])
  expect(ran.code, ran.all).toBe(0)
  const summary = JSON.parse(ran.stdout) as { verdict: string; gate: string; engines: { id: string; verdict: string }[] }
  expect(summary.verdict).toBe(verdict)
  expect(summary.gate).toBe('passed')
  expect(summary.engines.filter((engine) => engine.id === 'kv')).toMatchObject([{ verdict }])
  for (const file of ['report.html', 'results.json', 'junit.xml']) expect(existsSync(join(ran.folder, 'here', file))).toBe(true)
})

test('counts of an engine add up to its total', async () => {
  const ran = await assay(['certify', '--embedded', '--engine', 'kv', '--effort', 'quick'])
  const results = JSON.parse(readFileSync(join(ran.folder, 'assay-report/results.json'), 'utf8')) as {
    engines: { clauses: Record<string, number> }[]
  }
  for (const { clauses } of results.engines) {
    const { total, ...counts } = clauses
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total)
  }
})

test('--plan tests nothing and says what would be made', async () => {
  const ran = await assay(['certify', '--embedded', '--engine', 'kv', '--plan'])
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/checks +\d+/)
  expect(existsSync(join(ran.folder, 'assay-report'))).toBe(false)
})

test('an interrupt cleans up and exits with 130', async () => {
  const ran = await assay(['certify', '--embedded', '--engine', 'core,kv', '--effort', 'thorough'], {
    during: ({ kill }) => void setTimeout(() => kill('SIGINT'), 2500),
  })
  expect([130, 0]).toContain(ran.code)
  expect(hasStackTrace(ran.all), ran.all).toBe(false)
})
