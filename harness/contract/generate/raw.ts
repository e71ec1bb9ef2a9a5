/** Request bodies below the level of JSON values: broken, doubled, deep, mislabelled. */
import type { Json } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'

/** One body as bytes or text, with the content type it is sent under (undefined: the usual one). */
export interface RawBody {
  name: string
  bytes: string | Uint8Array
  contentType?: string
  /** True where no reader can take it for a JSON object: it must be refused. False: what a server does with it is open. */
  broken: boolean
}

const doubled = (text: string, body: Json): string | undefined => {
  const first = isObject(body) ? Object.keys(body)[0] : undefined
  return first === undefined ? undefined : `{${JSON.stringify(first)}:"assay-first",${text.slice(1)}`
}

const notUtf8 = (text: string): Uint8Array =>
  Buffer.concat([
    Buffer.from(`${text.slice(0, -1)}${text === '{}' ? '' : ','}"assay":"`),
    Buffer.from([0xc3, 0x28, 0xff]),
    Buffer.from('"}'),
  ])

const deep = (levels: number): string => `${'{"assay":'.repeat(levels)}1${'}'.repeat(levels)}`

/**
 * The raw lane of an operation: bodies made from one that is accepted.
 *
 * @param body an accepted body, a JSON object.
 * @param options.huge adds a body of this many bytes (white space before the object); default none.
 */
export const rawBodies = (body: Json, options: { huge?: number } = {}): RawBody[] => {
  const text = JSON.stringify(body)
  const twice = doubled(text, body)
  return [
    { name: 'cut short', bytes: text.slice(0, -1), broken: true },
    { name: 'text after the end', bytes: `${text}x`, broken: true },
    { name: 'two documents', bytes: `${text}${text}`, broken: true },
    { name: 'single quotes', bytes: "{'a':'b'}", broken: true },
    { name: 'comma at the end', bytes: '{"a":"b",}', broken: true },
    { name: 'comment', bytes: `/* */${text}`, broken: true },
    { name: 'not a number', bytes: '{"a":NaN}', broken: true },
    { name: 'leading zero', bytes: '{"a":01}', broken: true },
    { name: 'line break in a string', bytes: '{"a":"b\nc"}', broken: true },
    { name: 'a form', bytes: 'a=b&c=d', contentType: 'application/x-www-form-urlencoded', broken: true },
    { name: 'XML', bytes: '<?xml version="1.0"?><a>b</a>', contentType: 'application/xml', broken: true },
    {
      name: 'binary',
      bytes: Uint8Array.from({ length: 64 }, (_, index) => (index * 37) % 256),
      contentType: 'application/octet-stream',
      broken: true,
    },
    { name: 'an array', bytes: `[${text}]`, broken: true },
    { name: 'a string', bytes: JSON.stringify(text), broken: true },
    { name: 'a number', bytes: '1', broken: true },
    { name: 'a boolean', bytes: 'true', broken: true },
    { name: 'empty', bytes: '', broken: false },
    { name: 'null', bytes: 'null', broken: false },
    { name: 'white space only', bytes: ' \n\t ', broken: false },
    { name: 'byte order mark', bytes: `\ufeff${text}`, broken: false },
    { name: 'another media type', bytes: text, contentType: 'text/plain', broken: false },
    { name: 'bytes that are not UTF-8', bytes: notUtf8(text), broken: false },
    { name: 'a thousand levels', bytes: deep(1_000), broken: false },
    { name: 'a lone surrogate', bytes: '{"assay":"\\ud800"}', broken: false },
    ...(twice === undefined ? [] : [{ name: 'a member twice', bytes: twice, broken: false }]),
    ...(options.huge === undefined
      ? []
      : [{ name: 'huge', bytes: `${' '.repeat(Math.max(0, options.huge - text.length))}${text}`, broken: false }]),
  ]
}
