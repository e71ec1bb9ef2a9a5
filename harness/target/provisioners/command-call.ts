/** Puts a need to a user's executable or URL and reads the answer; every way in which that can go wrong blocks. */
import { readFileSync } from 'node:fs'
import { Agent, type Dispatcher, request } from 'undici'
import { Blocked } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { parseJson } from '../../base/parse.ts'
import { type Learn, learnedAnswer } from '../learned.ts'
import { throughProxy } from '../origin-connections.ts'
import { proxyTo } from '../proxy.ts'
import type { TlsOptions } from '../tls-material.ts'
import { endOf, lastLine, MAX_ANSWER, runToEnd } from '../user-program.ts'

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

/** Asks an executable: the need on stdin, the answer on stdout, exit code 0. */
export const askExecutable = (argv: string[], timeout: number, learn: Learn): Ask => {
  const who = `the provisioner command ${JSON.stringify(argv[0])}`
  return async (need) => {
    const ended = await runToEnd(argv, JSON.stringify(need), {
      timeout,
      who,
      wanted: `print one JSON object and nothing else; ${PROTOCOL}`,
    })
    const { code, stdout, stopped, failure } = ended
    if (failure !== undefined)
      throw new Blocked(`${who} cannot be started: ${failure.message}`, 'correct provisioner.command in the configuration')
    if (stopped !== undefined) throw stopped
    if (code !== 0) throw new Blocked(endOf(ended, who), 'run it by hand with the need on its stdin')
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
