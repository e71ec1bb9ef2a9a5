/** What an exchange teaches about secrets: which of its texts are, and which nobody can vouch for. */
import { isObject, type Json } from '../base/json.ts'
import { beginningOf, textOf } from '../base/text.ts'
import type { Operation } from '../contract/contract.ts'
import { isCredentialOperation, type PlacedText, placedTexts } from '../contract/sensitive.ts'
import { responseSpecOf } from '../contract/validate.ts'
import { isSecretName } from './secret-marks.ts'
import type { SecretRegistry } from './secrets.ts'

const LONGEST = 64 * 1024

/** Members that hold sentences, which may quote anything. */
const SENTENCES = new Set(['errors', 'warnings', 'messages', 'message', 'detail', 'title'])

/** Headers that say how a message is sent, and nothing of what is in it. */
const PLAIN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'retry-after',
  'server',
  'transfer-encoding',
  'vary',
])

/** Whether a header may be shown as it is; a cookie never, others unless they come with a credential. */
export const isPlainHeader = (name: string): boolean => PLAIN_HEADERS.has(name.toLowerCase())
const isCookie = (name: string): boolean => /^(?:set-)?cookie2?$/i.test(name)

/** What is secret in a URL or a connection string: the password of its user, given as such or as a parameter. */
const passwordsIn = (url: string): string[] =>
  [...url.matchAll(/(?:^|\/\/)[^:@/\s]*:([^@\s]+)@|(?:password|pwd)\s*=\s*'?([^\s;&']+)/gi)]
    .flatMap(([, user, parameter]) => [user, parameter])
    .filter((found): found is string => found !== undefined && !found.includes('{{'))
    .flatMap((found) => [found, decoded(found)])

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isSentence = ({ path }: PlacedText): boolean => path.some((name) => SENTENCES.has(name))
const isNamedSecret = ({ path }: PlacedText): boolean => isSecretName(path.findLast((name) => !/^\d+$/.test(name)) ?? '')

/** Texts of one message, by what is known of them. */
export interface Judged {
  /** Secret by the schema or by the name of their member. */
  secret: string[]
  /** URLs that may hold a password. */
  urls: string[]
  /** At a place of a credential's answer that nothing vouches for. */
  unknown: string[]
  /** Sentences of such an answer. */
  sentences: string[]
}

const judged = (texts: readonly PlacedText[], isStrict: boolean): Judged => {
  const result: Judged = { secret: [], urls: [], unknown: [], sentences: [] }
  for (const placed of texts) {
    if (placed.kind === 'secret' || isNamedSecret(placed)) result.secret.push(placed.text)
    else if (placed.kind === 'userinfo') result.urls.push(placed.text)
    else if (isStrict && isSentence(placed)) result.sentences.push(placed.text)
    else if (isStrict && placed.kind === 'unknown') result.unknown.push(placed.text)
  }
  return result
}

/** Texts of a request's body, in the contract's spelling. */
export const judgeRequest = (operation: Operation, body: Json | undefined): Judged =>
  judged(placedTexts(operation.request?.schema, body), false)

/** Texts of an answer's body, in the contract's spelling. */
export const judgeAnswerTexts = (operation: Operation, status: number, body: Json | undefined): Judged => {
  const isStrict = isCredentialOperation(operation)
  return judged(placedTexts(isStrict ? responseSpecOf(operation, status)?.schema : undefined, body), isStrict)
}

/** Says whether the caller of an operation has said a text: an echo of it tells nothing new. */
type Said = (text: string) => boolean

const textsOf = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (isObject(value)) return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member as Json)])
  return [String(value)]
}

const saidBy = (path: string, body: Json | undefined, secret: readonly string[]): Said => {
  let said: Said | undefined
  // Most answers have no text that it is asked of.
  return (text) => {
    said ??= saidIn(path, body, secret)
    return said(text)
  }
}

/** In a long body only whole texts count as said: to seek each of many answered values in all of it takes the square of its length. */
const saidIn = (path: string, body: Json | undefined, secret: readonly string[]): Said => {
  const place = decoded(path)
  const json = body === undefined ? '' : JSON.stringify(body)
  if (json.length <= LONGEST) {
    const said = secret.reduce((text, value) => text.replaceAll(value, ' '), `${place} ${json}`)
    return (text) => said.includes(text)
  }
  const texts = new Set(textsOf(body!))
  for (const value of secret) texts.delete(value)
  return (text) => place.includes(text) || texts.has(text)
}

/** Registers those words of a text that nothing vouches for. */
const learnWords = (secrets: SecretRegistry, text: string, said: Said): void => {
  for (const [found] of beginningOf(text, LONGEST).matchAll(/[^\s"'`<>]+/g)) {
    const word = found.replace(/^[()[\]{},;:.!?]+|[()[\]{},;:.!?]+$/g, '')
    for (const part of new Set([word, ...word.split(/[=:;,&]/)])) {
      if (!said(part) && !secrets.harmless.isHarmless(part)) secrets.add(part)
    }
  }
}

export interface LearnedExchange {
  operation: Operation
  token: string | undefined
  /** As sent, with query. */
  path: string
  /** In the contract's spelling; undefined where none was sent, or bytes. */
  sent: Json | undefined
  /** Undefined where no answer came. */
  answer?: { status: number; headers: Record<string, string>; body: Json | undefined; bytes: Uint8Array }
}

/**
 * Registers what an exchange shows to be secret: what the schemas mark, members named like a secret, the caller's token, and in answers of
 * operations that hand out credentials all that is not known to be harmless, under whatever name and in whatever form.
 */
export const learnFrom = (secrets: SecretRegistry, { operation, token, path, sent, answer }: LearnedExchange): void => {
  if (token !== undefined) secrets.add(token)
  const request = judgeRequest(operation, sent)
  for (const value of request.secret) if (!secrets.harmless.isHarmless(value)) secrets.add(value)
  for (const url of request.urls) for (const password of passwordsIn(url)) secrets.add(password)
  if (answer === undefined) return
  const said = saidBy(path, sent, request.secret)
  const answered = judgeAnswerTexts(operation, answer.status, answer.body)
  for (const value of answered.secret) if (!said(value)) secrets.add(value)
  for (const url of answered.urls) for (const password of passwordsIn(url)) secrets.add(password)
  for (const text of [...answered.unknown, ...answered.sentences]) learnWords(secrets, text, said)
  const isStrict = isCredentialOperation(operation)
  if (isStrict && answer.body === undefined) learnWords(secrets, textOf(answer.bytes.subarray(0, LONGEST)), said)
  for (const [name, value] of Object.entries(answer.headers))
    if (isCookie(name) || (isStrict && !isPlainHeader(name))) learnWords(secrets, value, said)
}
