/** The command line as a contract: exit codes, messages, what is written where. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, hasStackTrace, temporaryFolder } from './support/cli.ts'

const SERVER = ['certify', 'http://127.0.0.1:1', '--token', 't']
const serverAnd = (more: string): string =>
  `targets: [{ api: secrets, url: "http://127.0.0.1:1", identities: { root: { token: t } }, ${more} }]`

const mistakes: Record<string, { words: string[]; says: RegExp; config?: string; env?: Record<string, string> }> = {
  'no target': { words: ['certify'], says: /give a URL, --embedded, or --config/ },
  'an empty URL': { words: ['certify', ''], says: /URL is empty/ },
  'text that is not a URL': { words: ['certify', 'not a url', '--token', 't'], says: /is not a URL/ },
  'another protocol': { words: ['certify', 'ftp://127.0.0.1', '--token', 't'], says: /http:\/\/ or https:\/\// },
  'credentials in the URL': { words: ['certify', 'http://a:b@127.0.0.1', '--token', 't'], says: /must not contain credentials/ },
  'the base path in the URL': { words: ['certify', 'http://127.0.0.1:1/v1/', '--token', 't'], says: /ends with \/v1.*leave it out/ },
  'a query in the URL': { words: ['certify', 'http://127.0.0.1:1/?a=b', '--token', 't'], says: /must not contain a query/ },
  'a password in a malformed URL': {
    words: ['certify', 'https://me:hush@[bad', '--token', 't'],
    says: /"https:\/\/\.\.\.@\[bad" is not/,
  },
  'drafts over a file that exists': {
    words: ['certify', '--embedded', '--write-deviations', '/dev/null'],
    says: /\/dev\/null exists already: name another/,
  },
  'drafts where nothing can be written': {
    words: ['certify', '--embedded', '--write-deviations', '/proc/x/y'],
    says: /--write-deviations: cannot write/,
  },
  'a history where nothing can be written': { words: ['certify', '--embedded', '--history', '/proc/x'], says: /--history: cannot write/ },
  'a history of no runs': { words: ['certify', '--embedded', '--keep', '0'], says: /whole number from 1/ },
  'an update of no file': { words: ['certify', '--embedded', '--update-deviations'], says: /of the file of --deviations: name it/ },
  'a difference between results and none': { words: ['diff', 'nowhere.json', 'nowhere.json'], says: /nowhere\.json does not exist/ },
  'deviations against no results': { words: ['deviations', 'check', 'known.yaml'], says: /--results/ },
  'a URL beside --embedded': { words: ['certify', 'http://127.0.0.1:1', '--embedded'], says: /leave out the URL/ },
  'another server beside --embedded': {
    words: ['certify', '--embedded', '--api', 'foo', '--namespace', '../x', '--token-file', '/nope', '--provisioner', 'static'],
    says: /leave out --api, --token-file, --provisioner, --namespace, or/,
  },
  'a folder for a token file': { words: ['certify', 'http://127.0.0.1:1', '--token-file', '.'], says: /\. is not a file/ },
  'a token file that cannot be read': {
    words: ['certify', 'http://127.0.0.1:1', '--token-file', '/proc/self/mem'],
    says: /--token-file: \/proc\/self\/mem cannot be read/,
  },
  'a variable that is not set': {
    words: ['certify'],
    config: 'targets: [{ api: secrets, url: "http://127.0.0.1:1", identities: { root: { tokenEnv: NO_SUCH_TOKEN } } }]',
    env: { ASSAY_TOKEN: 'of another server' },
    says: /identities\.root\.tokenEnv: .*NO_SUCH_TOKEN is not set/,
  },
  'a folder that cannot be made': { words: ['certify', '--embedded', '--out', '/dev/null/x'], says: /--out: cannot write to/ },
  'a folder without places for files': { words: ['certify', '--embedded', '--out', '/proc/x'], says: /--out: cannot write to/ },
  'a report to a folder without a name': { words: ['certify', '--embedded', '--out', ''], says: /--out is empty/ },
  'a proof in a folder without places for files': {
    words: ['prove', '--fault', 'kv/v1-merged', '--out', '/proc/x'],
    says: /--out: cannot/,
  },
  'no place for the journal': {
    words: SERVER,
    env: { ASSAY_STATE_DIR: '/proc/x' },
    says: /cannot write to \/proc\/x.*set ASSAY_STATE_DIR/,
  },
  'an unknown provider': { words: ['certify', '--embedded'], env: { ASSAY_PROVIDERS: 'dokcer' }, says: /"dokcer"; did you mean docker/ },
  'more time than timers hold': {
    words: ['certify'],
    config: `${serverAnd('')}\ntiming: { run: 1000h }`,
    says: /timing\.run.*at most 576h/,
  },
  'a second pattern that matches nothing': {
    words: ['certify', '--embedded', '--check', 'kv/*', '--check', 'kv/v1-*,kv/v3-*'],
    says: /kv\/v3-\* matches no check; did you mean kv\/v[12]-\*\?/,
  },
  'a pattern of clauses that matches nothing': {
    words: ['certify', '--embedded', '--clause', 'KV-V1-01,KVV-*'],
    says: /KVV-\* matches no clause; did you mean KV-\*\? \(see: assay list clauses\)/,
  },
  'an unknown permission': { words: [...SERVER, '--allow', 'seal,overzise'], says: /in --allow "overzise"; did you mean oversize\?/ },
  'an unknown permission in the configuration': {
    words: ['certify'],
    config: serverAnd('allow: [rotateRot]'),
    says: /allow\.0: must be one of .*; did you mean rotateRoot\?/,
  },
  'an unknown provisioner': { words: [...SERVER, '--provisioner', 'statik'], says: /in --provisioner "statik"; did you mean static\?/ },
  'a provisioner with a password in its URL': {
    words: [...SERVER, '--provisioner', 'http://me:hush@127.0.0.1'],
    says: /--provisioner must not contain credentials/,
  },
  'a proxy that is not a URL': { words: [...SERVER, '--proxy', 'proxy:3128'], says: /--proxy is not a proxy URL such as/ },
  'a wrong proxy of the configuration': { words: ['certify'], config: serverAnd('proxy: socks5://p'), says: /proxy: must match/ },
  'permissions beside --embedded': { words: ['certify', '--embedded', '--allow', 'seal'], says: /leave out --allow, or/ },
  'a replay path that cannot be read': { words: ['certify', '--embedded', '--replay', 'xyz'], says: /path printed with a failure/ },
  'no token': { words: ['certify', 'http://127.0.0.1:1'], says: /no token.*--token/s },
  'a missing token file': { words: ['certify', 'http://127.0.0.1:1', '--token-file', 'nowhere'], says: /nowhere does not exist/ },
  'an unknown engine': { words: ['certify', '--embedded', '--engine', 'kvv'], says: /unknown engine "kvv".*did you mean kv\?/ },
  'an unknown clause': { words: ['certify', '--embedded', '--clause', 'KV-V1-0'], says: /unknown clause.*did you mean KV-V1-0/ },
  'an unknown check': { words: ['certify', '--embedded', '--check', 'kv/v1-replac'], says: /unknown check.*did you mean/ },
  'a pattern that matches nothing': { words: ['certify', '--embedded', '--check', 'nothing*'], says: /matches no check/ },
  'an unknown kind': { words: ['certify', '--embedded', '--kind', 'modell'], says: /unknown kind.*did you mean model\?/ },
  'an unknown flag': { words: ['certify', '--embeded'], says: /unknown option.*--embedded/s },
  'an unknown command': { words: ['certifi'], says: /unknown command.*certify/s },
  'a seed that is not a number': { words: ['certify', '--embedded', '--seed', 'x'], says: /whole number/ },
  'an empty list': { words: ['certify', '--embedded', '--engine', 'kv,'], says: /separated by commas/ },
  'an impossible shard': { words: ['certify', '--embedded', '--shard', '3/2'], says: /I\/N/ },
  'a namespace that is not a path': {
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
  'an authority that cannot be written': {
    words: ['serve', '--listen', '127.0.0.1:0', '--ca-out', '/nope/x'],
    says: /--ca-out: cannot write/,
  },
  'a configuration that cannot be written': {
    words: ['init', 'http://127.0.0.1:1', '--out', '/nope/a.yaml'],
    says: /--out: cannot write/,
  },
  'a forgotten server that is not a URL': { words: ['clean', 'foo', '--forget'], says: /"foo" is not a URL/ },
  'a malformed address': { words: ['serve', '--listen', 'here'], says: /HOST:PORT/ },
}

describe.concurrent('mistakes of a user', () => {
  for (const [name, { words, says, config, env }] of Object.entries(mistakes)) {
    test(name, async ({ expect: check }) => {
      const folder = temporaryFolder()
      if (config !== undefined) writeFileSync(join(folder, 'assay.config.yaml'), config)
      const ran = await assay(words, { folder, ...(env === undefined ? {} : { env }) })
      check(ran.code, ran.all).toBe(2)
      check(ran.stderr).toMatch(says)
      check(hasStackTrace(ran.all), ran.all).toBe(false)
      check(ran.all).not.toContain('hush')
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

test('a report rendered again says where it cannot be written', async () => {
  const ran = await assay(['certify', '--embedded', '--engine', 'kv', '--check', 'kv/v1-replaces'])
  const again = (out: string) => assay(['report', 'assay-report/results.json', '--out', out], { folder: ran.folder })
  for (const out of ['/proc/x', '/etc/passwd', ''])
    expect(await again(out)).toMatchObject({ code: 2, stderr: expect.stringMatching(/--out/) })
  expect((await again('other')).code).toBe(0)
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

test('explain shows the ruling that a clause rests on, as it speaks of its level', async () => {
  const ran = await assay(['explain', 'PKI-ISSUE-21'])
  expect(ran.stdout).toMatch(/^ruling +missing-prerequisite: .* 4xx /m)
  expect(ran.stdout).toMatch(/^split from +PKI-ISSUE-12$/m)
})

test('--plan needs no server, and says what would be made and sent', async () => {
  const ran = await assay(['certify', 'http://127.0.0.1:1', '--engine', 'kv', '--plan'])
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toMatch(/^ +kv( +\d+){3}$/m)
  expect(existsSync(join(ran.folder, 'assay-report'))).toBe(false)
})

test('an interrupt cleans up and exits with 130', async () => {
  const folder = temporaryFolder()
  const ran = await assay(['certify', '--embedded', '--engine', 'core,kv', '--effort', 'thorough'], {
    folder,
    // Not before the run has its journal: until then an interrupt is Node's own affair.
    during: ({ kill }) => {
      const poll = setInterval(() => {
        if (!existsSync(join(folder, 'journal'))) return
        clearInterval(poll)
        setTimeout(() => kill('SIGINT'), 500)
      }, 50)
    },
  })
  expect([130, 0]).toContain(ran.code)
  expect(hasStackTrace(ran.all), ran.all).toBe(false)
})
