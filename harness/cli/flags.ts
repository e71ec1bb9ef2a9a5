/** Flags that several commands share, checked. */
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { duration, UsageError } from '../target/usage.ts'

/** A list given as `a,b`; empty entries are refused. */
export const list = (text: string): string[] => {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === '')) throw new InvalidArgumentError('expected names separated by commas')
  return items
}

const whole = (text: string, min: number, max: number): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`)
  return value
}

export const seedNumber = (text: string): number => whole(text, 0, 2 ** 31 - 1)
export const concurrencyNumber = (text: string): number => whole(text, 1, 1000)

/** A path of fast-check, such as `3:0:1`. */
export const replayPath = (text: string): string => {
  if (!/^\d+(:\d+)*$/.test(text)) throw new InvalidArgumentError('expected the path printed with a failure, e.g. 3:0:1')
  return text
}

/** `50/s` or `50`: requests per second. */
export const rateNumber = (text: string): number => whole(text.replace(/\/s$/, ''), 1, 100_000)

export const milliseconds = (text: string): number => {
  try {
    return duration(text, 'value')
  } catch {
    throw new InvalidArgumentError('expected a duration such as 500ms, 30s or 5m')
  }
}

/** `2/5`: the second of five parts. */
export const shardOf = (text: string): { index: number; of: number } => {
  const match = /^(\d+)\/(\d+)$/.exec(text)
  const [index, of] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || index < 1 || of < 1 || index > of) throw new InvalidArgumentError('expected I/N with I from 1 to N, e.g. 2/5')
  return { index, of }
}

/** Collects `--header 'K: V'`, which may be given more than once. */
export const header = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(text)
  if (match === null) throw new InvalidArgumentError("expected 'Name: value'")
  return { ...before, [match[1]!]: match[2]! }
}

/** The token of `--token`, `--token-file` or `ASSAY_TOKEN`, in this order. */
export const tokenFrom = (options: { token?: string; tokenFile?: string }): string | undefined => {
  if (options.token !== undefined) {
    if (options.token.trim() === '') throw new UsageError('--token is empty')
    return options.token
  }
  if (options.tokenFile !== undefined) {
    const file = resolve(options.tokenFile)
    if (!existsSync(file)) throw new UsageError(`--token-file: ${options.tokenFile} does not exist`)
    if (!statSync(file).isFile()) throw new UsageError(`--token-file: ${options.tokenFile} is not a file`)
    const token = readFileSync(file, 'utf8').trim()
    if (token === '') throw new UsageError(`--token-file: ${options.tokenFile} is empty`)
    return token
  }
  return process.env.ASSAY_TOKEN || undefined
}

/** The nearest folder above (or at) a path that exists. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

/**
 * Tries the folder of a report before the run, so that no run is lost for want of a place to write it. Leaves nothing behind.
 *
 * @throws UsageError where nothing can be written.
 */
export const requireWritable = (out: string): void => {
  const folder = resolve(out)
  try {
    const parent = existing(folder)
    if (!statSync(parent).isDirectory()) throw new Error(`${parent} is not a folder`)
    accessSync(parent, constants.W_OK)
    // Made for a trial, one level at most: a recursive mkdir never ends below folders that hold no files of ours, such as /proc.
    if (parent !== folder) rmdirSync(mkdtempSync(join(parent, '.assay-')))
  } catch (error) {
    throw new UsageError(`--out: cannot write to ${out}: ${(error as Error).message.split('\n')[0]}`)
  }
}
