/** Turns exchanges into evidence: wire spelling, the token replaced, secrets hidden, and only then cut to size. */
import type { ExchangeRecord } from '../../specs/meta/results.ts'
import type { Json } from '../base/json.ts'
import { type Parsed, parseJson } from '../base/parse.ts'
import { cut } from '../base/text.ts'
import { isCredentialOperation } from '../contract/sensitive.ts'
import { type Judged, judgeAnswerTexts, judgeRequest } from '../secrets/learn.ts'
import { isPlaceholder, shapeOf } from '../secrets/secret-marks.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import { isUsualHeader } from '../secrets/usual-headers.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { decodeBody, decodeRequest } from '../target/dialect.ts'
import type { Target } from '../target/target.ts'

const MAX_BODY = 4000
/** So much is looked at for what is secret: the rim of it never shows. */
const MAX_READ = 16 * MAX_BODY
const TOKEN = '$ASSAY_TOKEN'

const hideToken = (headers: Record<string, string>, token: string | undefined): Record<string, string> =>
  token === undefined ? headers : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(token, TOKEN)]))

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What makes curl trust the server, and show a certificate, as the run did. */
export const tlsWords = ({ config: { tls } }: Pick<Target, 'config'>): string[] => [
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

/** A message with each of these texts, where it is a whole value or name, replaced by its shape. */
const shaped = (value: Json, hidden: ReadonlySet<string>): Json => {
  const shown = (text: string) => (text !== '' && hidden.has(text) ? shapeOf(text) : text)
  if (typeof value === 'string') return shown(value)
  if (typeof value === 'number') return hidden.has(String(value)) ? shapeOf(String(value)) : value
  if (Array.isArray(value)) return value.map((item) => shaped(item, hidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [shown(name), shaped(member, hidden)]))
}

/** What of a message is shown by its shape alone: what is secret, and what is not known to be harmless. */
const hiddenOf = ({ secret, unknown }: Judged, secrets: SecretRegistry): Set<string> =>
  new Set([...secret, ...unknown.filter((text) => !secrets.harmless.isHarmless(text))].filter((text) => !isPlaceholder(text)))

/** A body as it is shown. */
const bodyText = (secrets: SecretRegistry, body: string | Uint8Array, judge: (wire: Json) => Judged): string => {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  if (text.includes('\u0000') && typeof body !== 'string') return `${body.length} bytes that are not text`
  const parsed: Parsed = text.length > MAX_READ ? { problem: 'too long' } : parseJson(text)
  const wire = 'value' in parsed ? parsed.value : undefined
  const hidden = wire === undefined ? new Set<string>() : hiddenOf(judge(wire), secrets)
  // Numbers and white space stay as they came unless something has to be hidden.
  const shown = wire === undefined || hidden.size === 0 ? cut(text, MAX_READ) : JSON.stringify(shaped(wire, hidden))
  const redacted = secrets.redact(shown)
  const rim = text.length > MAX_READ ? Math.min(MAX_BODY, Math.max(0, redacted.length - 200)) : MAX_BODY
  return cut(redacted, rim)
}

const headersShown = (secrets: SecretRegistry, headers: Record<string, string>, isStrict: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isNamed = value.includes(TOKEN) || value.split(' ').some(isPlaceholder)
      const isHidden = /^(?:set-)?cookie|^(?:proxy-)?authorization$/i.test(name) && !isNamed
      const isUnknown = isStrict && !isUsualHeader(name, value) && !secrets.harmless.isHarmless(value)
      return [secrets.redact(name), isHidden || isUnknown ? shapeOf(value) : secrets.redact(value)]
    }),
  )

/** One exchange as evidence, without what is secret. */
export const recordOf = (secrets: SecretRegistry, target: Target, exchange: NumberedExchange): ExchangeRecord => {
  const { operation, request, answer, failure } = exchange
  const { dialect } = target
  // The server's own address is what the user gave, whatever an answer says of it.
  const url = `${target.http.url.origin}${secrets.redact(request.path)}`
  const headers = headersShown(secrets, hideToken(request.headers, exchange.token), false)
  const body =
    request.body === undefined
      ? undefined
      : bodyText(secrets, request.body, (wire) => judgeRequest(operation, decodeRequest(dialect, operation.id, wire)))
  const response =
    answer === undefined
      ? undefined
      : {
          status: answer.status,
          headers: headersShown(secrets, answer.headers, isCredentialOperation(operation)),
          body: bodyText(secrets, answer.bytes, (wire) =>
            judgeAnswerTexts(operation, answer.status, decodeBody(dialect, operation.id, wire)),
          ),
        }
  return {
    number: exchange.number,
    operation: operation.id,
    caller: exchange.caller,
    request: { method: request.method, url, headers, ...(body === undefined ? {} : { body }) },
    ...(response === undefined ? {} : { response }),
    ...(failure === undefined ? {} : { failure: secrets.redact(failure.reason) }),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    curl: curlOf(target, request.method, url, headers, body),
  }
}

/** Why evidence is missing, for the reader of a report. */
export const notMade = (error: unknown): string =>
  `evidence could not be made: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`

/** One exchange as a report shows it; where that fails, a record that says why. */
export const shownRecord = (secrets: SecretRegistry, target: Target, exchange: NumberedExchange): ExchangeRecord => {
  try {
    return recordOf(secrets, target, exchange)
  } catch (error) {
    const { number, operation, caller, request } = exchange
    const sent = { method: request.method, url: target.http.url.origin, headers: {} }
    return { number, operation: operation.id, caller, request: sent, failure: notMade(error), durationMs: 0, curl: '' }
  }
}
