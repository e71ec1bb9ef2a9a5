/** A transcript as a HAR file (1.2), which browsers open; what is needed to send it again stands in members of our own, as the format allows. */
import { STATUS_CODES } from 'node:http'
import { jsonText } from '../../specs/meta/unseen.ts'
import { parseJson } from '../base/parse.ts'
import { UsageError } from '../base/usage.ts'
import { packageVersion } from '../contract/package-root.ts'
import type { Step, Transcript } from './step.ts'
import type { Line } from './transcript.ts'

/** What one entry holds for being sent again. */
interface Ours {
  _assay: Transcript
}

const NAME = 'assay'

const listOf = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))

const mimeOf = (headers: Record<string, string>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

/** An address spelled as a URL: redaction may have put other characters there. */
const spelledUrl = (url: string): string => url.replaceAll(/[[\]{}<>"\\^`| ]/g, encodeURIComponent)

const entryOf = ({ record, startedAt }: Line, comment: string) => {
  const { request, response, durationMs } = record!
  const url = spelledUrl(request.url)
  const query = [...new URLSearchParams(/\?.*/s.exec(url)?.[0])].map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listOf(request.headers),
      queryString: query,
      ...(request.body === undefined ? {} : { postData: { mimeType: mimeOf(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: STATUS_CODES[response?.status ?? 0] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listOf(response?.headers ?? {}),
      content: {
        size: response?.body?.length ?? 0,
        mimeType: mimeOf(response?.headers ?? {}),
        text: response?.body ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment,
  }
}

/** The text of a HAR file. */
export const harOf = (transcript: Transcript, lines: readonly Line[]): string => {
  const shown = lines.filter(({ record }) => record !== undefined)
  const har = {
    log: {
      version: '1.2',
      creator: { name: NAME, version: packageVersion },
      comment: `${transcript.clause}: ${transcript.title}`,
      entries: shown.map((line) => entryOf(line, `${line.record!.operation}, as ${line.record!.caller}`)),
      _assay: transcript satisfies Ours['_assay'],
    },
  }
  return `${jsonText(har, 2)}\n`
}

/** An instant by our clock: a value that was learned may begin like it. */
const OWN_INSTANT = /("startedDateTime": "[\dT:.Z-]+")/

/** The text of a HAR file with secrets replaced by `redact`, and its instants as they were. */
export const redactedHar = (text: string, redact: (part: string) => string): string =>
  text
    .split(OWN_INSTANT)
    .map((part) => (OWN_INSTANT.test(part) ? part : redact(part)))
    .join('')

const isStep = (step: Partial<Step> | undefined): step is Step =>
  typeof step?.method === 'string' &&
  typeof step.path === 'string' &&
  step.path.startsWith('/') &&
  typeof step.headers === 'object' &&
  Array.isArray(step.captures) &&
  typeof step.answer?.status === 'number' &&
  Array.isArray(step.answer.body)

/**
 * The transcript in a HAR file.
 *
 * @param file its name, for the message.
 * @throws UsageError if assay did not write it.
 */
export const transcriptIn = (file: string, text: string): Transcript => {
  const parsed = parseJson(text)
  const log = 'value' in parsed ? (parsed.value as { log?: Partial<Ours> } | null)?.log : undefined
  const transcript = log?._assay
  if (typeof transcript?.origin !== 'string' || !Array.isArray(transcript.steps) || !transcript.steps.every(isStep))
    throw new UsageError(`${file} is not evidence that assay wrote: name an evidence/<clause>.har of a report`)
  return { ...transcript, headers: transcript.headers ?? [] } as Transcript
}
