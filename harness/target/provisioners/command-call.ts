/** Puts a need to a user's executable or URL and reads the answer; every way in which that can go wrong blocks. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, type Dispatcher, request } from 'undici'
import { Blocked } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { parseJson } from '../../base/parse.ts'
import { cut } from '../../base/text.ts'
import { type Learn, learnedAnswer } from '../learned.ts'
import { throughProxy } from '../origin-connections.ts'
import { proxyTo } from '../proxy.ts'
import type { TlsOptions } from '../tls-material.ts'

/** Largest answer in bytes. */
const MAX_ANSWER = 1024 * 1024
const MAX_COMPLAINT = 2000

/** Takes a need, gives the answer. @throws Blocked with what went wrong and the remedy. */
export type Ask = (need: JsonObject) => Promise<JsonObject>

const PROTOCOL = 'see the protocol in specs/meta/need.schema.json'

/** Learns from an answer; of one that refuses nothing is trusted. */
const learnFrom = (learn: Learn, status: number, text: string): void => {
  const request = { method: 'POST', path: '', headers: {} }
  learnedAnswer({ status, headers: {}, bytes: Buffer.from(text) }, (answer) => learn(request, { isPlain: status < 300 }, answer))
}

const answerIn = (text: string, who: string): JsonObject => {
  const parsed = parseJson(text)
  if ('problem' in parsed) {
    // Not shown: an answer that cannot be read may hold a token that is not known as a secret yet.
    const said = text.trim() === '' ? 'nothing' : `${text.trim().length} characters`
    throw new Blocked(`${who} answered ${said}, which is ${parsed.problem}`, `print one JSON object and nothing else; ${PROTOCOL}`)
  }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Blocked(`${who} answered JSON that is not an object`, PROTOCOL)
  }
  return value
}

const lastLine = (text: string): string => cut(text.trim().split('\n').at(-1) ?? '', 200)

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  stopped?: Blocked
  /** The executable could not be started. */
  failure?: NodeJS.ErrnoException
}

/** Runs an executable in a process group of its own, so that what it starts ends with it. */
const runToEnd = (argv: string[], input: string, timeout: number, who: string): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(argv[0]!, argv.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const ended: Ended = { code: null, signal: null, stdout: '', stderr: '' }
    const chunks: Buffer[] = []
    let size = 0
    const finish = (): void => {
      clearTimeout(timer)
      resolve({ ...ended, stdout: Buffer.concat(chunks).toString('utf8') })
    }
    const stop = (reason: Blocked): void => {
      ended.stopped ??= reason
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(
      () => stop(new Blocked(`${who} gave no answer within ${timeout / 1000} s`, 'see why it hangs, or raise timing.timeout')),
      timeout,
    )
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_ANSWER)
        stop(new Blocked(`${who} answered more than ${MAX_ANSWER} bytes`, `print one JSON object and nothing else; ${PROTOCOL}`))
      else chunks.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      ended.stderr = (ended.stderr + chunk.toString('utf8')).slice(-MAX_COMPLAINT)
    })
    // An executable that ignores its input may close it before all is written.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (failure) => {
      ended.failure = failure
      finish()
    })
    child.on('close', (code, signal) => {
      Object.assign(ended, { code, signal })
      finish()
    })
  })

/** Asks an executable: the need on stdin, the answer on stdout, exit code 0. */
export const askExecutable = (argv: string[], timeout: number, learn: Learn): Ask => {
  const who = `the provisioner command ${JSON.stringify(argv[0])}`
  return async (need) => {
    const { code, signal, stdout, stderr, stopped, failure } = await runToEnd(argv, JSON.stringify(need), timeout, who)
    if (failure !== undefined)
      throw new Blocked(`${who} cannot be started: ${failure.message}`, 'correct provisioner.command in the configuration')
    if (stopped !== undefined) throw stopped
    if (code !== 0) {
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
      const complaint = lastLine(stderr)
      throw new Blocked(`${who} ${how}${complaint === '' ? '' : `: ${complaint}`}`, 'run it by hand with the need on its stdin')
    }
    learnFrom(learn, 200, stdout)
    return answerIn(stdout, who)
  }
}

const authorities = (tls: TlsOptions): string | Buffer | undefined =>
  tls.caPem ?? (tls.caCert === undefined ? undefined : readFileSync(tls.caCert))

/** Asks a URL: the need by POST, the answer as the body of a 2xx. */
export const askUrl = (url: string, timeout: number, tls: TlsOptions, learn: Learn): Ask => {
  const who = `the provisioner at ${new URL(url).origin}`
  const connect = { ca: authorities(tls), rejectUnauthorized: tls.skipVerify !== true, timeout }
  const proxy = proxyTo(new URL(url))
  let agent: Dispatcher | undefined
  return async (need) => {
    // Idle connections close by themselves and do not keep the process alive for long.
    const settings = { headersTimeout: timeout, bodyTimeout: timeout, maxResponseSize: MAX_ANSWER, keepAliveTimeout: 1000 }
    agent ??= proxy === undefined ? new Agent({ connect, ...settings }) : throughProxy(proxy, connect, settings)
    const body = JSON.stringify(need)
    let status: number
    let text: string
    try {
      const headers = { 'content-type': 'application/json' }
      const answer = await request(url, { method: 'POST', body, headers, dispatcher: agent, signal: AbortSignal.timeout(timeout) })
      status = answer.statusCode
      text = await answer.body.text()
    } catch (error) {
      throw new Blocked(
        `${who} cannot be asked: ${(error as Error).message}`,
        'start it, or correct provisioner.command in the configuration',
      )
    }
    learnFrom(learn, status, text)
    if (status < 200 || status > 299) throw new Blocked(`${who} answered status ${status}: ${lastLine(text)}`, PROTOCOL)
    return answerIn(text, who)
  }
}
