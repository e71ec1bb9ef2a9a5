/** Turns exchanges into evidence: wire spelling, cut to size, the token replaced. */
import type { ExchangeRecord } from '../../specs/meta/results.ts'
import type { Target } from '../target/target.ts'
import type { NumberedExchange } from './session.ts'

const MAX_BODY = 4000
const TOKEN = '$ASSAY_TOKEN'

const cut = (text: string): string => (text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}… (${text.length} characters)` : text)

const textOf = (body: string | Uint8Array): string => {
  if (typeof body === 'string') return cut(body)
  const text = Buffer.from(body.subarray(0, MAX_BODY * 4)).toString('utf8')
  return text.includes('\u0000') ? `${body.length} bytes: ${Buffer.from(body.subarray(0, 64)).toString('hex')}…` : cut(text)
}

const hideToken = (headers: Record<string, string>, token: string | undefined): Record<string, string> =>
  token === undefined ? headers : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(token, TOKEN)]))

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What makes curl trust the server, and show a certificate, as the run did. */
const tlsWords = ({ config: { tls } }: Target): string[] => [
  ...(tls.skipVerify === true || tls.caPem !== undefined ? ['-k'] : tls.caCert === undefined ? [] : ['--cacert', quote(tls.caCert)]),
  ...(tls.clientCert === undefined ? [] : ['--cert', quote(tls.clientCert)]),
  ...(tls.clientKey === undefined ? [] : ['--key', quote(tls.clientKey)]),
]

const curlOf = (target: Target, method: string, url: string, headers: Record<string, string>, body: string | undefined): string => {
  const shown = Object.entries(headers).map(([name, value]) =>
    value.includes(TOKEN) ? `-H "${name}: ${value}"` : `-H ${quote(`${name}: ${value}`)}`,
  )
  return ['curl', ...tlsWords(target), '-X', method, ...shown, ...(body === undefined ? [] : ['--data-raw', quote(body)]), quote(url)].join(
    ' ',
  )
}

/** One exchange as the report shows it; registered secrets are replaced later, in everything at once. */
export const recordOf = (target: Target, exchange: NumberedExchange): ExchangeRecord => {
  const { request, answer, failure } = exchange
  const url = `${target.http.url.origin}${request.path}`
  const headers = hideToken(request.headers, exchange.token)
  const body = request.body === undefined ? undefined : textOf(request.body)
  return {
    number: exchange.number,
    operation: exchange.operation.id,
    caller: exchange.caller,
    request: { method: request.method, url, headers, ...(body === undefined ? {} : { body }) },
    ...(answer === undefined ? {} : { response: { status: answer.status, headers: answer.headers, body: textOf(answer.bytes) } }),
    ...(failure === undefined ? {} : { failure: failure.reason }),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    curl: curlOf(target, request.method, url, headers, body),
  }
}
