/** One request and its answer, with the curl line that repeats it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../specs/meta/results.ts'
import { duration } from '../text.ts'
import { Block, Text } from './parts.tsx'

/** Longest JSON value that stays on one line. */
const ONE_LINE = 54
/** Headers of the connection, which say nothing about the answer; results.json keeps them. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** The exchange as two blocks side by side, or below each other where it is narrow. */
export const Exchange = ({ exchange }: { exchange: ExchangeRecord }): JSX.Element => (
  <div class="exchange">
    <p class="exchange-title">
      <b>Exchange {exchange.number}</b>{' '}
      <span class="soft">
        <Text of={exchange.operation} /> as <Text of={exchange.caller} />, {duration(exchange.durationMs)}
      </span>
    </p>
    <div class="pair">
      <Block text={requestText(exchange)} label="Request" />
      <Block text={responseText(exchange)} label="Response" />
    </div>
    <Block text={exchange.curl} label="curl" copy />
  </div>
)

const headerLines = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)

const requestText = ({ request }: ExchangeRecord): string =>
  [`${request.method} ${request.url}`, ...headerLines(request.headers), ...body(request.body)].join('\n')

const responseText = ({ response, failure }: ExchangeRecord): string =>
  response === undefined
    ? `no response: ${failure ?? 'reason not recorded'}`
    : [`${response.status}`, ...headerLines(response.headers), ...body(response.body)].join('\n')

/**
 * JSON that is too long for one line is laid out over lines. Anything else is shown as it came, and so is JSON that reading and
 * writing would change (large numbers, members that occur twice): evidence stays what was received.
 */
const body = (text: string | undefined): string[] => {
  if (text === undefined || text === '') return []
  if (text.length <= ONE_LINE) return ['', text]
  try {
    const value: unknown = JSON.parse(text)
    return ['', withoutSpace(JSON.stringify(value)) === withoutSpace(text) ? layout(value) : text]
  } catch {
    return ['', text]
  }
}

const withoutSpace = (text: string): string => text.replace(/\s/g, '')

/** Lays JSON out like a person would: what fits on a line stays on it. */
const layout = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= ONE_LINE) return flat
  const deeper = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((item) => `${deeper}${layout(item, deeper)}`)
    : Object.entries(value).map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${layout(item, deeper)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`
}
