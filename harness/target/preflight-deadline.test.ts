/** Servers that stop answering while they are examined: one request is waited for, and no other. */
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { bytes } from '../../tests/support/hostile-servers.ts'
import { Blocked } from '../base/errors.ts'
import { loadContract } from '../contract/load.ts'
import { openRun } from '../running/open-run.ts'
import { completeRun, completeTarget, type TargetConfig } from './run-configuration.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":{}}'
const LOOKUP = 'auth/token/lookup-self'

const silent = (): void => undefined
const resets = (socket: Socket): void => void socket.resetAndDestroy()

/** Examines a server that answers as long as `answers` allows and then misbehaves; the outcome, and the requests that it got no answer to. */
const examined = async (config: Partial<TargetConfig>, answers: (line: string) => boolean, misbehave: (socket: Socket) => void) => {
  const unanswered: string[] = []
  const take = (socket: Socket, piece: Buffer): void => {
    const [line = ''] = piece.toString('latin1').split('\r\n')
    if (answers(line)) return void socket.write(ANSWER)
    unanswered.push(line)
    misbehave(socket)
  }
  const server = await bytes((socket, first) => {
    socket.on('data', (piece: Buffer) => take(socket, piece))
    take(socket, first)
  })
  const target = completeTarget({ api: 'secrets', url: server.url, ...config }, process.cwd())
  const run = { ...completeRun({ timing: { timeout: '300ms' } }, process.cwd()), targets: [target] }
  const signal = new AbortController().signal
  const outcome = await openRun(await loadContract(), run, { seed: 1, effort: 'quick', token: 't', signal }).catch(
    (error: unknown) => error,
  )
  await server.close()
  return { outcome, unanswered }
}

const RUNS: Partial<TargetConfig> = { api: 'run-management', provisioner: { kind: 'static' } }

test('the first request', async () => {
  const { outcome, unanswered } = await examined({}, () => false, silent)
  expect(outcome).toBeInstanceOf(Blocked)
  expect(unanswered).toHaveLength(1)
})

test('the health, the token and a trial mount', async () => {
  for (const answered of [[], ['sys/health'], ['sys/health', LOOKUP]]) {
    const { outcome, unanswered } = await examined({}, (line) => ['/v1/ ', ...answered].some((path) => line.includes(path)), silent)
    expect(outcome, answered.join()).toBeInstanceOf(Blocked)
    expect((outcome as Blocked).message).toContain('no complete answer')
    expect(unanswered, answered.join()).toHaveLength(1)
  }
})

test('the look for engines that are not mounted', async () => {
  const first = () => {
    let asked = 0
    return () => asked++ === 0
  }
  const { outcome, unanswered } = await examined(RUNS, first(), silent)
  expect(outcome).toBeInstanceOf(Blocked)
  expect(unanswered).toHaveLength(1)
  expect((await examined(RUNS, first(), resets)).outcome).toBeInstanceOf(Blocked)
})
