/** `assay replay FILE`: sends the evidence of a violation again. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { visible } from '../../specs/meta/unseen.ts'
import { keepingSecrets } from '../base/credential-guard.ts'
import { Blocked } from '../base/errors.ts'
import { shellWord } from '../base/shell.ts'
import { UsageError } from '../base/usage.ts'
import { transcriptIn } from '../replay/har.ts'
import { freshRun, type SentAgain, sendAgain } from '../replay/send-again.ts'
import { curlConfig } from '../replay/shell-script.ts'
import type { Transcript } from '../replay/step.ts'
import { learnerOf } from '../secrets/learn.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import { explainFailure } from '../target/failures.ts'
import { usableToken } from '../target/given-tokens.ts'
import { HttpClient } from '../target/http.ts'
import { secretsInHeaders } from '../target/own-headers.ts'
import { proxyTo } from '../target/proxy.ts'
import { urlOf } from '../target/url.ts'
import { exit } from './exit.ts'
import { headersFrom, tokenFrom } from './flags.ts'

export interface ReplayOptions {
  url?: string
  token?: string
  tokenFile?: string
  caCert?: string
  clientCert?: string
  clientKey?: string
  tlsSkipVerify?: boolean
  proxy?: string
  header?: Record<string, string>
  headerEnv?: Record<string, string>
  timeout: number
  times: number
}

const requiredToken = (options: ReplayOptions): string => {
  const token = tokenFrom(options) ?? process.env.ASSAY_TOKEN
  if (token === undefined) throw new UsageError('evidence is sent again with a token: set ASSAY_TOKEN, or give --token or --token-file')
  return usableToken(token, 'ASSAY_TOKEN')
}

const clientFor = ({ origin }: Transcript, options: ReplayOptions, secrets: SecretRegistry, signal: AbortSignal): HttpClient => {
  const url = urlOf(options.url ?? origin, options.url === undefined ? 'the URL in the evidence' : '--url')
  secrets.addPublic(url)
  const { caCert, clientCert, clientKey, tlsSkipVerify } = options
  return new HttpClient({
    url,
    tls: {
      ...(caCert === undefined ? {} : { caCert }),
      ...(clientCert === undefined ? {} : { clientCert }),
      ...(clientKey === undefined ? {} : { clientKey }),
      ...(tlsSkipVerify === true ? { skipVerify: true } : {}),
    },
    proxy: proxyTo(url, options.proxy),
    timeout: options.timeout,
    concurrency: 1,
    rate: 0,
    probePath: '/',
    puttingOff: () => false,
    learn: learnerOf(secrets),
    signal,
  })
}

/** The values of headers that a user gave to a run stand in no evidence: who sends it again gives them again. */
const noteMissing = ({ headers }: Transcript, options: ReplayOptions): void => {
  const names = new Set(Object.keys(headersFrom(options)).map((name) => name.toLowerCase()))
  const missing = headers.filter((name) => !names.has(name.toLowerCase()))
  if (missing.length === 0) return
  const words = missing.map((name) => shellWord(`${name}: <value>`)).join(' --header ')
  process.stderr.write(`the run also sent ${missing.join(', ')}: where the server wants that, add --header ${words}\n`)
}

const WORDS: Record<SentAgain['outcome'], string> = { again: 'again', notAgain: 'not again', notTried: 'not tried' }

const replayHar = async (file: string, options: ReplayOptions): Promise<number> => {
  const transcript = transcriptIn(file, readFileSync(file, 'utf8'))
  const token = requiredToken(options)
  const abort = new AbortController()
  const secrets = new SecretRegistry()
  secrets.add(token)
  const http = clientFor(transcript, options, secrets, abort.signal)
  for (const value of secretsInHeaders(headersFrom(options))) secrets.add(value)
  noteMissing(transcript, options)
  const outcomes: SentAgain[] = []
  try {
    await keepingSecrets(secrets, async () => {
      for (let time = 0; time < options.times; time += 1) {
        const values = new Map([
          ['ASSAY_TOKEN', token],
          ['RUN', freshRun()],
        ])
        const sent = await sendAgain(transcript, values, async (request) => {
          try {
            return await http.send({ ...request, headers: { ...headersFrom(options), ...request.headers } })
          } catch (error) {
            throw error instanceof Blocked ? error : new Error(explainFailure(error, http.url.host).reason)
          }
        })
        outcomes.push(sent)
        process.stdout.write(`${WORDS[sent.outcome]}${sent.why === undefined ? '' : `: ${visible(secrets.redact(sent.why))}`}\n`)
      }
    })
  } finally {
    await http.close()
  }
  const again = outcomes.filter(({ outcome }) => outcome === 'again').length
  const blocked = outcomes.find(({ outcome }) => outcome === 'notTried')
  process.stdout.write(`${transcript.clause}  ${again} of ${outcomes.length}: ${transcript.title}\n`)
  if (again > 0) return exit.failed
  if (blocked !== undefined)
    throw new Blocked(
      `the evidence could not be sent again: ${secrets.redact(blocked.why ?? '')}`,
      'check --url, the token and the TLS flags',
    )
  return exit.passed
}

/** The script says by itself what it found; its exit codes are ours. What curl needs to know more stands in a file, which no list of processes shows. */
const replayScript = async (file: string, options: ReplayOptions): Promise<number> => {
  const { url, caCert, clientCert, clientKey, tlsSkipVerify } = options
  const folder = mkdtempSync(join(tmpdir(), 'assay-replay-'))
  const words = join(folder, 'curl.conf')
  const more = [
    ...(caCert === undefined ? [] : [`cacert = ${JSON.stringify(caCert)}`]),
    ...(clientCert === undefined ? [] : [`cert = ${JSON.stringify(clientCert)}`]),
    ...(clientKey === undefined ? [] : [`key = ${JSON.stringify(clientKey)}`]),
    curlConfig(headersFrom(options)),
  ]
  writeFileSync(words, more.join('\n'), { mode: 0o600 })
  const given = process.env.ASSAY_CURL
  const env = {
    ...process.env,
    ASSAY_TOKEN: requiredToken(options),
    ASSAY_CURL: [...(given === undefined ? [] : [given]), ...(tlsSkipVerify === true ? ['-k'] : []), '-K', words].join(' '),
    ...(url === undefined ? {} : { ASSAY_URL: urlOf(url, '--url').origin }),
  }
  try {
    return await new Promise<number>((done, fail) => {
      const child = spawn('sh', [file], { env, stdio: ['ignore', 'inherit', 'inherit'] })
      child.once('error', () => fail(new Blocked('the script needs sh and curl', 'install them, or replay the HAR file beside it')))
      child.once('close', (code) => done(code ?? exit.incomplete))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends evidence again and returns the exit code. */
export const replay = async (file: string, options: ReplayOptions): Promise<number> => {
  if (!existsSync(file)) throw new UsageError(`${file} does not exist: name an evidence/<clause>.har or .sh of a report`)
  return file.endsWith('.sh') ? replayScript(file, options) : replayHar(file, options)
}
