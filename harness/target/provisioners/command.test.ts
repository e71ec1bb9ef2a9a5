import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { UsageError } from '../../base/usage.ts'
import { problemsOf } from '../../contract/own-documents.ts'
import type { ProvisionerContext, UndoEntry } from '../provisioner.ts'
import { commandProvisioner } from './command.ts'

interface World {
  context: ProvisionerContext
  secrets: string[]
  journal: UndoEntry[]
}

const world = (overrides: Partial<ProvisionerContext> = {}): World => {
  const secrets: string[] = []
  const journal: UndoEntry[] = []
  const context: ProvisionerContext = {
    run: 'abc123',
    send: async () => ({ status: 404, body: {} }),
    secret: (value) => void secrets.push(value),
    learn: () => undefined,
    journal: (entry) => void journal.push(entry),
    unmade: () => undefined,
    mountType: (type) => ({ type }),
    identities: {},
    mounts: {},
    fixtures: {},
    timeout: 5000,
    ...overrides,
  }
  return { context, secrets, journal }
}

/** A provisioner whose executable is this JavaScript; `need` holds what it was asked. */
const script = (body: string, { context }: World = world()) => {
  const code = `const need = JSON.parse(require('fs').readFileSync(0, 'utf8')); ${body}`
  return commandProvisioner(context, { command: [process.execPath, '-e', code] })
}

const answering = (answer: string, of = world()) => script(`console.log(JSON.stringify(${answer}))`, of)

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const serve = async (respond: (need: unknown) => { status: number; body: string } | undefined): Promise<string> => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const answer = respond(JSON.parse(text))
      if (answer) response.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/needs`
}

test('a fixture is asked for and its undo journalled', async () => {
  const of = world()
  const made = await answering('{ fixture: { id: need.purpose, run: need.run, n: need.parameters.n }, undo: "u1" }', of).fixture('pool', {
    n: 3,
  })
  expect(made).toEqual({ fixture: { id: 'pool', run: 'abc123', n: 3 }, undo: { kind: 'command', name: 'u1', namespace: '' } })
  expect(of.journal).toEqual([{ kind: 'command', name: 'u1', namespace: '' }])
})

test('undo gives back what was answered', async () => {
  const provisioner = script('if (need.action !== "undo" || need.undo !== "u1") process.exit(3); console.log("{}")')
  await provisioner.undo({ kind: 'command', name: 'u1', namespace: '' })
  await expect(provisioner.undo({ kind: 'command', name: 'u2', namespace: '' })).rejects.toThrow('exit code 3')
})

test('what is undone waits behind nothing that is to be made', async () => {
  const asked: unknown[] = []
  const url = await serve((need) => {
    asked.push((need as { action: string }).action)
    return { status: 200, body: '{"fixture":{"id":"pool"}}' }
  })
  const provisioner = commandProvisioner(world().context, { command: url })
  const made = Array.from({ length: 20 }, () => provisioner.fixture('pool', {}))
  await provisioner.undo({ kind: 'command', name: 'u1', namespace: '' })
  expect(asked.indexOf('undo')).toBeLessThan(10)
  await Promise.all(made)
})

test('needs and answers are what the published schema says', async () => {
  const needs: unknown[] = []
  const url = await serve((need) => {
    needs.push(need)
    return { status: 200, body: JSON.stringify({ token: 't-1', path: 'x', fixture: {}, undo: 'u' }) }
  })
  const provisioner = commandProvisioner(world().context, { command: url })
  await provisioner.fixture('pool', {})
  await provisioner.identity({ name: 'n', namespace: '', grants: [{ path: 'x', capabilities: ['read'] }], further: [] })
  await provisioner.mount({ type: 'kv1', name: 'm', exclusive: true, namespace: '', config: { maxLeaseTtl: 60 } })
  await provisioner.undo({ kind: 'command', name: 'u', namespace: '' })
  expect(needs.map((need) => problemsOf('need', need))).toEqual([[], [], [], []])
  expect(problemsOf('need', { action: 'provide', kind: 'fixture' })).not.toEqual([])
})

test('identities are got before the run and are secret', async () => {
  const of = world({ identities: { reader: { name: 'reader', token: 'configured' } } })
  const provisioner = answering(
    'need.purpose === "nobody" ? { unavailable: "no such user" } : { token: "T-" + need.purpose, displayName: "D", undo: "u" }',
    of,
  )
  const undo = await provisioner.prepare!(['stranger', 'reader', 'nobody'])
  expect(provisioner.named('stranger')).toEqual({ name: 'stranger', token: 'T-stranger', displayName: 'D' })
  expect(provisioner.named('reader').token).toBe('configured')
  expect(undo).toHaveLength(1)
  expect(of.secrets).toEqual(['T-stranger'])
  expect(() => provisioner.named('nobody')).toThrow('no such user')
  expect(() => provisioner.named('other')).toThrow('the identity "other" is not configured')
})

test('a configured fixture needs no command', async () => {
  const provisioner = script('process.exit(1)', world({ fixtures: { pool: [{ id: 'a' }, { id: 'b' }] } }))
  expect((await provisioner.fixture('pool', {})).fixture).toEqual({ id: 'a' })
  expect((await provisioner.fixture('pool', {})).fixture).toEqual({ id: 'b' })
  await expect(provisioner.fixture('pool', {})).rejects.toThrow('used up')
})

test.each([
  [
    'a reason',
    'console.log(JSON.stringify({ unavailable: "not on this server" }))',
    /cannot provide the fixture "pool": not on this server/,
  ],
  ['an exit code', 'console.error("first\\nthe pool is full"); process.exit(7)', /exit code 7: the pool is full/],
  ['a signal', 'process.kill(process.pid, "SIGTERM")', /ended by SIGTERM/],
  ['garbage', 'console.log("ready <html>")', /answered 12 characters, which is not JSON/],
  ['nothing', '', /answered nothing, which is not JSON/],
  ['an array', 'console.log("[]")', /JSON that is not an object/],
  ['another answer', 'console.log("{}")', /no fixture that is an object/],
  ['a wrong undo', 'console.log(JSON.stringify({ fixture: {}, undo: 3 }))', /no undo that is a text/],
  ['too much', 'process.stdout.write("x".repeat(3e6))', /more than 1048576 bytes/],
])('a command that gives %s blocks', async (_, body, message) => {
  await expect(script(body).fixture('pool', {})).rejects.toThrow(message)
})

test('a hanging command is ended with what it started, and blocks', async () => {
  const of = world({ timeout: 400 })
  const begun = performance.now()
  const provisioner = commandProvisioner(of.context, { command: ['sh', '-c', 'sleep 30 & sleep 30'] })
  await expect(provisioner.fixture('pool', {})).rejects.toThrow('no answer within 0.4 s')
  expect(performance.now() - begun).toBeLessThan(5000)
})

test('a command that ignores its input is heard', async () => {
  const provisioner = commandProvisioner(world().context, { command: ['sh', '-c', 'exec 0<&-; echo \'{"fixture":{"id":"1"}}\''] })
  expect((await provisioner.fixture('pool', { pad: 'x'.repeat(300_000) })).fixture).toEqual({ id: '1' })
})

test('a command that does not exist blocks', async () => {
  const provisioner = commandProvisioner(world().context, { command: ['/nowhere/provision'] })
  await expect(provisioner.fixture('pool', {})).rejects.toThrow(/cannot be started.*ENOENT/)
})

test.each([
  ['an error status', { status: 500, body: 'broken' }, /answered status 500: broken/],
  ['a page', { status: 200, body: '<html>' }, /not JSON/],
  ['too much', { status: 200, body: 'x'.repeat(2_000_000) }, /cannot be asked/],
  ['no answer', undefined, /cannot be asked/],
])('a URL that gives %s blocks', async (_, answer, message) => {
  const url = await serve(() => answer)
  const provisioner = commandProvisioner(world({ timeout: 500 }).context, { command: url })
  await expect(provisioner.fixture('pool', {})).rejects.toThrow(message)
})

test('tokens and paths that cannot be used block', async () => {
  await expect(answering('{ token: "two\\nlines" }').identity({ name: 'n', namespace: '', grants: [], further: [] })).rejects.toThrow(
    'no usable token',
  )
  await expect(answering('{ path: "/kv" }').mount({ type: 'kv1', name: 'm', exclusive: false, namespace: '' })).rejects.toThrow(
    'no usable path',
  )
})

test('no command and no URL is a mistake of the configuration', () => {
  expect(() => commandProvisioner(world().context, {})).toThrow(UsageError)
})
