/** A module, a gateway and a host that are kept up for a server of the user's: what is printed is all that it takes, and nothing is left of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { shellWord } from '../harness/base/shell.ts'
import { assay, type Ran, type RunOptions, temporaryFolder } from './support/cli.ts'
import { PROGRAM } from './support/command-line.ts'
import { lacksBackend, lacksProgram } from './support/needs.ts'
import { traces } from './support/secret-search.ts'

const WITHIN = 240_000
const ROOT = 'root-token-of-the-kept-backends'
const KEPT = 'they stay up until you press Ctrl-C'
const skipped = (await lacksBackend('softhsm')) || lacksProgram('pkcs11-tool') || (await lacksBackend('sshd', ['local']))
const lacksDatabase = await lacksBackend('postgres', ['local', 'embedded'])

type Running = Parameters<NonNullable<RunOptions['during']>>[0]

/** Starts the command line; what runs, and what becomes of it. */
const started = (words: string[], options: RunOptions): { running: Running; ran: Promise<Ran> } => {
  let running: Running | undefined
  const during = (process: Running): void => {
    running = process
  }
  const ran = assay(words, { ...options, during })
  return { running: running!, ran }
}

const servers: ChildProcess[] = []
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL')
})

/** Starts the reference server with what was printed, in a shell. Its address. */
const serve = async (printed: string, folder: string, faults: string): Promise<string> => {
  const exported = printed.split('\n').filter((line) => line.startsWith('  export '))
  const [, flags = ''] = /npx assay serve (.*)/.exec(printed) ?? []
  const words = `${PROGRAM.map(shellWord).join(' ')} serve ${flags} --no-tls --listen 127.0.0.1:0 --root-token ${ROOT} --fault ${faults}`
  const server = spawn('sh', ['-c', [...exported, `exec ${words}`].join('\n')], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(server)
  let said = ''
  server.stdout.on('data', (chunk) => (said += chunk))
  await expect.poll(() => said, { timeout: WITHIN / 4 }).toContain('listening on')
  return /listening on (\S+)/.exec(said)![1]!
}

const CHECKS = ['pin-redacted', 'signs', 'wrong-pin', 'cloudakms-secrets', 'cloudbkeyvault-secrets', 'cloudckms-secrets', '*-secret']
  .map((check) => `managed-keys/${check}`)
  .concat(['credentials-hidden', 'credentials-file', 'token-get', 'key-get', 'lease-revoke'].map((check) => `cloudc/${check}`))
const GIVEN_AWAY = [
  'managed-keys/pin-shown',
  'managed-keys/test-pin-in-errors',
  'managed-keys/cloud-secrets-in-errors',
  'managed-keys/cloudakms-secret-echoed',
  'cloudc/config-shows-credentials',
]

const textsBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  )

/** Processes that were started with a folder in their environment. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })

/** Private instances belong to another account than root: it has to get into the folder, too. */
const forAll = (folder: string): string => {
  chmodSync(folder, 0o755)
  return folder
}

/** What of ours is in a folder for temporary files. */
const oursIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('assay-'))

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

describe.skipIf(skipped)('a module and a gateway', { timeout: WITHIN }, () => {
  test('serve a server that was started with what is printed; what it gives away stands in no artefact', async () => {
    const [folder, temporary] = [temporaryFolder(), forAll(temporaryFolder())]
    const keeper = started(['backends', '--up', 'softhsm,clouds'], { folder, env: { TMPDIR: temporary } })
    await expect.poll(() => keeper.running.stdout() + keeper.running.stderr(), { timeout: WITHIN / 2 }).toContain(KEPT)
    const printed = keeper.running.stdout()
    const url = await serve(printed, folder, GIVEN_AWAY.join(','))
    const named = printed.slice(printed.indexOf('  settings: '), printed.indexOf(KEPT))
    const target = `targets:\n- api: secrets\n  url: ${url}\n  engines: [managed-keys, cloudc]\n  identities: { root: { token: ${ROOT} } }\n${named}`
    const own = temporaryFolder()
    writeFileSync(join(own, 'assay.config.yaml'), target)
    const words = ['certify', '--config', 'assay.config.yaml', '--require-backends', '--effort', 'quick', '--trace', '--out', 'report']
    const ran = await assay([...words, '--check', CHECKS.join(',')], { folder: own })
    expect(ran.code, ran.all.slice(-3000)).toBe(1)
    const { clauses } = JSON.parse(readFileSync(join(own, 'report', 'results.json'), 'utf8')) as {
      clauses: { id: string; outcome: string }[]
    }
    const outcomes = (outcome: string): string[] => clauses.filter((clause) => clause.outcome === outcome).map(({ id }) => id)
    expect(outcomes('blocked')).toEqual([])
    expect(outcomes('violated')).toContain('CLOUDC-CONF-03')
    expect(outcomes('verified')).toContain('CLOUDC-TOK-03')
    const pins = [...named.matchAll(/"pin":"(\w+)"/g)].map(([, pin]) => pin!)
    expect(pins.length).toBeGreaterThanOrEqual(16)
    const file = readFileSync(/"credentialsFile":"([^"]+)"/.exec(named)![1]!, 'utf8')
    const { private_key: fileKey } = JSON.parse(file) as { private_key: string }
    const gatewayToken = /"password":"([^"]+)"/.exec(named)![1]!
    const artefacts = { ...textsBelow(join(own, 'report')), said: ran.all }
    expect(traces(artefacts, [...pins, fileKey, gatewayToken, ROOT])).toEqual([])
    // No private key of any kind, whosever it is.
    for (const [name, text] of Object.entries(artefacts)) expect(text, name).not.toMatch(/PRIVATE KEY-----(\\+n|\s)*MI/)
    for (const server of servers) server.kill('SIGTERM')
    keeper.running.kill('SIGINT')
    await keeper.ran
    expect(oursIn(temporary)).toEqual([])
  })

  test('a keeper that is killed leaves nothing after the next start', async () => {
    const [folder, temporary] = [temporaryFolder(), forAll(temporaryFolder())]
    const options = { folder, env: { TMPDIR: temporary, ASSAY_PROVIDERS: 'local,embedded' } }
    const keeper = started(['backends', '--up', 'softhsm,clouds,sshd'], options)
    await expect.poll(() => keeper.running.stdout() + keeper.running.stderr(), { timeout: WITHIN / 2 }).toContain(KEPT)
    const gateway = /HTTPS_PROXY=(\S+)/.exec(keeper.running.stdout())![1]!
    expect(await answers(gateway)).toBe(true)
    keeper.running.kill('SIGKILL')
    await keeper.ran
    expect(oursIn(temporary)).not.toEqual([])
    const next = await assay(['certify', '--embedded', '--engine', 'kv', '--effort', 'quick', '--check', 'kv/v1-replaces'], options)
    expect(next.code, next.all).toBe(0)
    expect(oursIn(temporary)).toEqual([])
    expect(await answers(gateway)).toBe(false)
    expect(processesOf(temporary)).toEqual([])
    expect(readdirSync(join(folder, 'journal'))).toEqual([])
  })

  test('so does a run that is killed while modules and services sign', async () => {
    const [folder, temporary] = [temporaryFolder(), forAll(temporaryFolder())]
    const options = { folder, env: { TMPDIR: temporary } }
    const words = ['certify', '--embedded', '--engine', 'managed-keys,cloudc', '--effort', 'quick', '--require-backends']
    const run = started(words, options)
    await expect.poll(() => run.running.stderr(), { timeout: WITHIN / 2 }).toMatch(/\d+ requests, now /)
    run.running.kill('SIGKILL')
    await run.ran
    expect(oursIn(temporary)).not.toEqual([])
    const next = await assay([...words, '--check', 'cloudc/token-get'], options)
    expect(next.code, next.all).toBe(0)
    expect(oursIn(temporary)).toEqual([])
    await expect.poll(() => processesOf(temporary), { timeout: WITHIN / 8 }).toEqual([])
    expect(readdirSync(join(folder, 'journal'))).toEqual([])
  })
})

test.skipIf(lacksDatabase)(
  'a database that is a program of its own stays up too, until somebody interrupts',
  { timeout: WITHIN },
  async () => {
    const [folder, temporary] = [temporaryFolder(), forAll(temporaryFolder())]
    const keeper = started(['backends', '--up', 'postgres'], { folder, env: { TMPDIR: temporary, ASSAY_PROVIDERS: 'local,embedded' } })
    let ended = false
    void keeper.ran.then(() => (ended = true))
    await expect.poll(() => keeper.running.stdout(), { timeout: WITHIN / 2 }).toContain(KEPT)
    await new Promise((done) => setTimeout(done, 2000))
    expect(ended).toBe(false)
    keeper.running.kill('SIGINT')
    await keeper.ran
    expect(oursIn(temporary)).toEqual([])
    expect(processesOf(temporary)).toEqual([])
  },
)
