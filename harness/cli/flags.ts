/** Flags that several commands share, checked. */
import { InvalidArgumentError } from 'commander'
import type { FailOn } from '../../specs/meta/results.ts'
import { duration, requireKnown } from '../base/usage.ts'
import { PERMISSIONS, PROVISIONERS } from '../target/configured-names.ts'
import { textInFile, tokenInFile, usableToken } from '../target/given-tokens.ts'
import { proxyUrl } from '../target/proxy.ts'
import { addressOf } from '../target/url.ts'

/** A list given as `a,b`, or by the flag more than once; empty entries are refused. */
export const list = (text: string, before: string[] = []): string[] => {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === '')) throw new InvalidArgumentError('expected names separated by commas')
  return [...before, ...items]
}

/** Milliseconds. */
const LEAST_WITHIN = 10_000

const FAIL_ON: readonly FailOn[] = ['advised', 'unstable']
const isFailOn = (word: string): word is FailOn => FAIL_ON.some((known) => known === word)

/** `advised,unstable`: what fails the gate beyond what always does. */
export const failOn = (text: string, before: FailOn[] = []): FailOn[] => {
  const words = list(text)
  if (!words.every(isFailOn)) throw new InvalidArgumentError(`expected ${FAIL_ON.join(' or ')}, separated by commas`)
  return [...new Set([...before, ...words])]
}

/** `seal,oversize`: what may be done to a server although others use it. */
export const permissions = (text: string, before: string[] = []): string[] => {
  const items = list(text, before)
  requireKnown('permission in --allow', items, PERMISSIONS)
  return [...new Set(items)]
}

/** `static`, `sys`, `command`, or the URL of a command provisioner. */
export const provisionerFlag = (text: string): string => {
  if (/^https?:/i.test(text)) return addressOf(text, '--provisioner').href
  requireKnown('provisioner in --provisioner', [text], PROVISIONERS)
  return text
}

/** A command for the shell. */
export const commandText = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('expected a command')
  return text
}

/** `http://proxy:3128`, or `none`. */
export const proxyFlag = (text: string): string => (text === 'none' ? text : proxyUrl(text, '--proxy').href)

const whole = (text: string, min: number, max: number): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`)
  return value
}

export const seedNumber = (text: string): number => whole(text, 0, 2 ** 31 - 1)
export const countNumber = (text: string): number => whole(text, 1, 1_000_000)
export const portNumber = (text: string): number => whole(text, 0, 65_535)
export const concurrencyNumber = (text: string): number => whole(text, 1, 1000)

/** A share in percent, fractions allowed. */
export const percentage = (text: string): number => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value > 100) throw new InvalidArgumentError('expected a percentage from 0 to 100')
  return value
}

/** How many times as long, fractions allowed. */
export const factorNumber = (text: string): number => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < 1) throw new InvalidArgumentError('expected a number from 1, e.g. 2.5')
  return value
}

/** A path of fast-check, such as `3:0:1`. */
export const replayPath = (text: string): string => {
  if (!/^\d+(:\d+)*$/.test(text)) throw new InvalidArgumentError('expected the path printed with a failure, e.g. 3:0:1')
  return text
}

/** `50/s` or `50`: requests per second. */
export const rateNumber = (text: string): number => whole(text.replace(/\/s$/, ''), 1, 100_000)

/** Durations of this command line, in ms, as they were written. */
const written = new Map<number, string>()

const durationOf = (text: string, flag: string, least?: number): number => {
  const ms = duration(text, flag, least)
  written.set(ms, text.trim())
  return ms
}

/** A duration as the user wrote it, e.g. `20m`. @param ms milliseconds. */
export const durationWord = (ms: number): string => written.get(ms) ?? `${ms}ms`

/** Milliseconds that one exchange may take. */
export const timeoutOf = (text: string): number => durationOf(text, '--timeout')

/** Milliseconds that the whole run may take. */
export const maxTimeOf = (text: string): number => durationOf(text, '--max-time')

/** Milliseconds into which the run has to fit; too few for a server and its backends to start would sample nothing. */
export const withinOf = (text: string): number => durationOf(text, '--within', LEAST_WITHIN)

/** `2/5`: the second of five parts. */
export const shardOf = (text: string): { index: number; of: number } => {
  const match = /^(\d+)\/(\d+)$/.exec(text)
  const [index, of] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || index < 1 || of < 1 || index > of) throw new InvalidArgumentError('expected I/N with I from 1 to N, e.g. 2/5')
  return { index, of }
}

/** Collects `--header 'K: V'`, which may be given more than once; `K: @file` takes the value from a file, which no list of processes shows. */
export const header = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError("expected 'Name: value' or 'Name: @file'")
  return { ...before, [name]: value.startsWith('@') ? textInFile(value.slice(1), `--header ${name}`).trim() : value }
}

/** Collects `--header-env K=VARIABLE`, which may be given more than once: names of variables, by header. */
export const headerEnv = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name, variable] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(\w+)$/.exec(text) ?? []
  if (name === undefined || variable === undefined) throw new InvalidArgumentError('expected Name=VARIABLE')
  if (process.env[variable] === undefined) throw new InvalidArgumentError(`the environment variable ${variable} is not set`)
  return { ...before, [name]: variable }
}

/** The headers that flags give, in either way. */
export const headersFrom = (flags: { header?: Record<string, string>; headerEnv?: Record<string, string> }): Record<string, string> => ({
  ...flags.header,
  ...Object.fromEntries(Object.entries(flags.headerEnv ?? {}).map(([name, variable]) => [name, process.env[variable] ?? ''])),
})

/** The token of `--token` or `--token-file`, in this order. */
export const tokenFrom = ({ token, tokenFile }: { token?: string; tokenFile?: string }): string | undefined => {
  if (token !== undefined) return usableToken(token, '--token')
  return tokenFile === undefined ? undefined : tokenInFile(tokenFile, '--token-file')
}
