/** Token stores whose database really stops and starts again, with its files: fails meanwhile, loses nothing, works again without help. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startBackends } from '../harness/backends/chain.ts'
import type { BackendEntry, BackendJournal } from '../harness/backends/provider.ts'
import { sqlPlace } from '../harness/backends/sql-place.ts'
import { serviceOf } from '../harness/base/backend-handle.ts'
import { connectionStrings, sqlAddress } from '../harness/oracles/sql-address.ts'
import type { Fault } from '../reference/core/mutation.ts'
import { createReference } from '../reference/index.ts'
import { backendJournal } from './support/backend-journal.ts'
import { isAbsent, lacksBackend } from './support/needs.ts'

const TOKEN = 'root-token-of-the-restart-test'
const KINDS = ['postgres', 'mariadb'] as const
const VALUES = Array.from({ length: 5 }, (_, index) => `value ${index} of the restart test`)
/** Both end in order: what was committed is on disk. */
const STOP = { postgres: 'SIGINT', mariadb: 'SIGTERM' } as const
const WITHIN = 60_000

type Kind = (typeof KINDS)[number]
type Process = Extract<BackendEntry, { kind: 'backend-process' }>

const journal = backendJournal()

/** Keeps the processes that are entered in the journal of the tests. */
const remembering = (processes: Process[]): BackendJournal => ({
  add(entry) {
    if (entry.kind === 'backend-process') processes.push(entry)
    journal.add(entry)
  },
  remove: (entry) => journal.remove(entry),
})

const isThere = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
  } catch {
    return false
  }
}

const partsOf = (file: string): string[] => readFileSync(file, 'utf8').split('\0').slice(0, -1)

/** Stops a server; the answer starts it again as it was started, in the folder that is removed with its backend. */
const stopped = async ({ pid, folder }: Process, signal: NodeJS.Signals): Promise<() => void> => {
  const [command, ...words] = partsOf(`/proc/${pid}/cmdline`)
  const env = Object.fromEntries(partsOf(`/proc/${pid}/environ`).map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
  const [, user] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  process.kill(pid, signal)
  for (const until = Date.now() + WITHIN; isThere(pid); await sleep(50)) if (Date.now() > until) throw new Error(`${command} does not stop`)
  const as = process.getuid?.() === 0 ? { uid: Number(user), gid: Number(user) } : {}
  return () => spawn(command!, words, { ...as, cwd: folder, env, detached: true, stdio: 'ignore' }).unref()
}

/** Values that come back once their database was stopped and started again; asserts what holds meanwhile and afterwards. */
const cameBack = async (kind: Kind, faults: Fault[]): Promise<string[]> => {
  const processes: Process[] = []
  const providers = process.env.ASSAY_PROVIDERS
  process.env.ASSAY_PROVIDERS = 'local'
  const backends = await startBackends([kind], {
    external: {},
    journal: remembering(processes),
    onProgress: () => {},
    signal: new AbortController().signal,
  })
  if (providers === undefined) delete process.env.ASSAY_PROVIDERS
  else process.env.ASSAY_PROVIDERS = providers
  const reference = await createReference({ tls: false, rootToken: TOKEN, faults }).listen()
  const send = async (path: string, body: object) => {
    const init = { method: 'POST', headers: { 'X-Service-Token': TOKEN }, body: JSON.stringify(body) }
    const answer = await fetch(`${reference.url}/v1/${path}`, init)
    const text = await answer.text()
    return { status: answer.status, text, data: text === '' ? {} : ((JSON.parse(text) as { data?: Record<string, string> }).data ?? {}) }
  }
  const given = async (path: string, body: object) => {
    const answer = await send(path, body)
    expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
    return answer.data
  }
  const encode = (value: string) => send('transform/encode/restart', { value })
  const decode = (value: string) => send('transform/decode/restart', { value })
  try {
    const handle = serviceOf(backends.handles[kind])
    const place = await sqlPlace(handle, 'assay_restart', 'password-of-the-restart-test')
    const connection_string = sqlAddress(connectionStrings[kind], handle, place.database)
    await given('sys/mounts/transform', { type: 'transform' })
    await given('transform/store/restart', { type: 'sql', connection_string, ...place.admin })
    await given('transform/store/restart/schema', place.admin)
    await given('transform/transformation/tokenization/restart', { allowed_roles: ['restart'], stores: ['restart'] })
    await given('transform/role/restart', { transformations: ['restart'] })
    const tokens: string[] = []
    for (const value of VALUES) tokens.push((await given('transform/encode/restart', { value })).encoded_value!)
    await place.close()
    const start = await stopped(processes.at(-1)!, STOP[kind])
    for (const answer of [await encode('something else'), await decode(tokens[0]!)]) {
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
      for (const value of VALUES) expect(answer.text).not.toContain(value)
    }
    start()
    for (const until = Date.now() + WITHIN; (await encode('something else')).status >= 300; await sleep(200))
      if (Date.now() > until) throw new Error('the store does not work again')
    const back: string[] = []
    for (const token of tokens) back.push((await decode(token)).data.decoded_value ?? '')
    expect(back.filter((value) => value !== '' && !VALUES.includes(value))).toEqual([])
    return back.filter((value) => value !== '')
  } finally {
    await reference.close()
    await backends.stop()
  }
}

/** The table lives in the memory of the database: connections that break off leave it as it is. */
const inMemory: Fault = {
  id: 'restart-in-memory',
  engine: 'transform',
  title: 'tokens are gone when the database starts again',
  clauses: ['TRANSFORM-KEPT-10'],
  type: 'transform',
  mutation: {
    rules: {
      creation: (original) => (kind: never, table: never) =>
        (original(kind, table) as { sql: string; values: unknown[] }[]).map(({ sql, values }) => ({
          sql: sql.replaceAll('mediumtext', 'varchar(200)').replace('CHARACTER SET ascii', 'ENGINE=MEMORY CHARACTER SET ascii'),
          values,
        })),
    },
  },
}

const noProcesses = isAbsent('/proc (Linux)', existsSync('/proc/self/environ'))

for (const kind of KINDS)
  describe.skipIf(noProcesses || (await lacksBackend(kind, ['local'])))(kind, () => {
    test('no token is lost when it stops and starts again', { timeout: 240_000 }, async () => {
      expect(await cameBack(kind, [])).toEqual(VALUES)
    })
  })

describe.skipIf(noProcesses || (await lacksBackend('mariadb', ['local'])))('a table in the memory of the database', () => {
  test('loses all of them, and is noticed', { timeout: 240_000 }, async () => {
    expect(await cameBack('mariadb', [inMemory])).toEqual([])
  })
})
