/** What an exchange teaches about secrets: which of its texts are, and which nobody can vouch for. */
import { isObject, type Json } from '../base/json.ts'
import { parseJson, repeatsMembers } from '../base/parse.ts'
import { beginningOf, textOf } from '../base/text.ts'
import { isValid } from '../contract/compile.ts'
import type { Operation } from '../contract/contract.ts'
import { isCredentialOperation, type PlacedText, placedTexts } from '../contract/sensitive.ts'
import { responseSpecOf } from '../contract/validate.ts'
import { type Dialect, decodeRequest } from '../target/dialect.ts'
import type { Learn } from '../target/learned.ts'
import { readToLearn } from '../target/read-body.ts'
import { WRONG_TOKEN } from '../target/target.ts'
import type { WireRequest } from '../target/wire.ts'
import { isSecretName } from './secret-marks.ts'
import type { SecretRegistry } from './secrets.ts'
import { readingsOf } from './text-readings.ts'
import { isUsualHeader } from './usual-headers.ts'

const LONGEST = 64 * 1024
/** Most values learned of one answer. Once MANY are known, FEW are: a server may send millions that are not secrets, and each takes memory. */
const MOST_OF_ONE = 20_000
const MANY = 300_000
const FEW = 1_000
/** Fewer numbers in a row do not make a text. */
const SHORTEST_ROW = 6

/** Members that hold sentences, which may quote anything. */
const SENTENCES = new Set(['errors', 'warnings', 'messages', 'message', 'detail', 'title'])

const isCookie = (name: string): boolean => /^(?:set-)?cookie2?$/i.test(name)

/** Passwords before an `@`, after the user at the beginning of a text or of an address in it. Each character is looked at once. */
const userPasswords = (text: string): string[] =>
  text.split(/\s/).flatMap((word, nth) =>
    word
      .split('@')
      .slice(0, -1)
      .flatMap((before, at) => {
        const user = (nth + at === 0 ? /(?:^|\/\/)[^:/]*:/ : /\/\/[^:/]*:/).exec(before)
        return user === null ? [] : [before.slice(user.index + user[0].length)]
      }),
  )

/** What is secret in a URL or a connection string: the password of its user, given as such or as a parameter. */
const passwordsIn = (whole: string): string[] => {
  const url = beginningOf(whole, LONGEST)
  const parameters = [...url.matchAll(/(?:password|pwd)\s*=\s*'?([^\s;&']+)/gi)].map(([, value]) => value!)
  return [...userPasswords(url), ...parameters]
    .filter((found) => found !== '' && !found.includes('{{'))
    .flatMap((found) => [found, decoded(found)])
}

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

/** Rows of numbers, which may be the bytes of a text. */
const rowsIn = (texts: readonly PlacedText[]): string[] => {
  const rows = new Map<string, string[]>()
  for (const { text, path } of texts) {
    if (!/^\d{1,3}$/.test(text) || !/^\d+$/.test(path.at(-1) ?? '')) continue
    const place = path.slice(0, -1).join('/')
    const row = rows.get(place)
    if (row === undefined) rows.set(place, [text])
    else row.push(text)
  }
  return [...rows.values()].filter(({ length }) => length >= SHORTEST_ROW).map((row) => row.join(' '))
}

/** @param isTrusted whether the schema, where it knows a place, says what stands there. */
const judged = (texts: readonly PlacedText[], isStrict: boolean, isTrusted = true): Judged => {
  const result: Judged = { secret: [], urls: [], unknown: [], sentences: [] }
  const unknown: PlacedText[] = []
  for (const placed of texts) {
    if (placed.kind === 'secret' || isNamedSecret(placed)) result.secret.push(placed.text)
    else if (placed.kind === 'userinfo') result.urls.push(placed.text)
    else if (isStrict && isSentence(placed)) result.sentences.push(placed.text)
    else if (isStrict && (placed.kind === 'unknown' || !isTrusted)) unknown.push(placed)
  }
  result.unknown = [...unknown.map(({ text }) => text), ...rowsIn(unknown)]
  return result
}

/** Texts of a request's body, in the contract's spelling. */
export const judgeRequest = (operation: Operation | undefined, body: Json | undefined): Judged =>
  judged(placedTexts(operation?.request?.schema, body), false)

/**
 * Texts of an answer's body, in the contract's spelling. Of an answer that hands out credentials and is not of its schema nothing is trusted.
 *
 * @param operation undefined where the contract describes none.
 */
export const judgeAnswerTexts = (
  operation: Operation | undefined,
  status: number,
  body: Json | undefined,
  isStrict = operation === undefined || isCredentialOperation(operation),
): Judged => {
  const schema = isStrict && operation !== undefined ? responseSpecOf(operation, status)?.schema : undefined
  const isTrusted = !isStrict || body === undefined || (schema !== undefined && schema !== null && isValid(schema, body))
  return judged(placedTexts(schema, body), isStrict, isTrusted)
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

/** Registers those words of a text that nothing vouches for, in any reading of it. */
const learnWords = (secrets: SecretRegistry, text: string, said: Said): void => {
  for (const reading of readingsOf(beginningOf(text, LONGEST))) {
    if (reading.isBytes) secrets.add(reading.text)
    else for (const words of wordsOf(reading.text)) learnWord(secrets, words, said)
  }
}

/** Registers a word and its parts, but those of a harmless one: an hour of a time stands in every other time of that hour. */
const learnWord = (secrets: SecretRegistry, [word, ...parts]: [string, ...string[]], said: Said): void => {
  if (said(word) || secrets.harmless.isHarmlessInSentence(word)) return
  for (const text of new Set([word, ...parts])) if (!said(text) && !secrets.harmless.isHarmlessInSentence(text)) secrets.add(text)
}

const EDGES = '()[]{},;:.!?'

/** A word without the brackets and stops about it: a pattern would take the square of their number. */
const withoutEdges = (word: string): string => {
  let [start, end] = [0, word.length]
  while (start < end && EDGES.includes(word[start]!)) start += 1
  while (end > start && EDGES.includes(word[end - 1]!)) end -= 1
  return word.slice(start, end)
}

/** The words of a text, each with its parts; of a URL where it leads and the rest, each by itself. */
function* wordsOf(text: string): Generator<[string, ...string[]]> {
  for (const [found] of text.matchAll(/[^\s"'`<>]+/g)) {
    const word = withoutEdges(found)
    const [, authority, rest = word] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@]*)(.*)$/is.exec(word) ?? []
    if (authority !== undefined) yield [authority]
    yield [rest, ...rest.split(/[=:;,&/?#]/)]
  }
}

/** Registers what an answer shows, as far as there is room for more. @returns whether that is all. */
const learnAnswered = (secrets: SecretRegistry, { secret, urls, unknown, sentences }: Judged, said: Said): boolean => {
  const most = secrets.size + (secrets.size < MANY ? MOST_OF_ONE : FEW)
  const learnAll = (texts: readonly string[], learn: (text: string) => void): boolean =>
    texts.every((text) => {
      if (secrets.size >= most) return false
      learn(text)
      return true
    })
  return (
    learnAll(
      secret.filter((value) => !said(value)),
      (value) => secrets.add(value),
    ) &&
    learnAll(urls.flatMap(passwordsIn), (password) => secrets.add(password)) &&
    learnAll(unknown, (text) => learnWords(secrets, text, said)) &&
    learnAll(sentences, (text) => learnWords(secrets, text, said))
  )
}

interface Lesson {
  /** Undefined where the contract describes none. */
  operation: Operation | undefined
  /** Whether the answer may hand out credentials, in any place of it; by default as the operation does. */
  isStrict?: boolean
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
export const learnFrom = (secrets: SecretRegistry, { operation, isStrict: asked, token, path, sent, answer }: Lesson): void => {
  if (token !== undefined) secrets.add(token)
  const request = judgeRequest(operation, sent)
  for (const value of request.secret) if (!secrets.harmless.isHarmless(value)) secrets.add(value)
  for (const url of request.urls) for (const password of passwordsIn(url)) secrets.add(password)
  if (answer === undefined) return
  const isStrict = asked ?? (operation === undefined || isCredentialOperation(operation))
  const said = saidBy(path, sent, request.secret)
  const answered = judgeAnswerTexts(operation, answer.status, answer.body, isStrict)
  const isWhole = learnAnswered(secrets, answered, said)
  if (!isWhole) secrets.leaveOut()
  // What is kept of a long answer is its beginning.
  if (!isWhole || (isStrict && (answer.body === undefined || repeatsMembers(textOf(answer.bytes), answer.body))))
    learnWords(secrets, textOf(answer.bytes.subarray(0, LONGEST)), said)
  for (const [name, value] of Object.entries(answer.headers)) {
    if (isStrict) learnWords(secrets, name, said)
    if (isCookie(name) || (isStrict && !isUsualHeader(name, value))) learnWords(secrets, value, said)
  }
}

const sentIn = (dialect: Dialect | undefined, operation: Operation | undefined, { body }: WireRequest): Json | undefined => {
  const parsed = typeof body === 'string' ? parseJson(body) : undefined
  if (parsed === undefined || !('value' in parsed)) return undefined
  return dialect === undefined || operation === undefined ? parsed.value : decodeRequest(dialect, operation.id, parsed.value)
}

/**
 * Learns from every exchange with a target.
 *
 * @param dialect of the target; undefined where no request is one of the contract's.
 */
export const learnerOf =
  (secrets: SecretRegistry, dialect?: Dialect): Learn =>
  (request, { operation, token, isPlain }, answer) => {
    const lesson: Lesson = {
      operation,
      isStrict: operation === undefined ? isPlain !== true : isCredentialOperation(operation),
      // One that was never issued opens nothing, and is a word of ours.
      token: token === WRONG_TOKEN ? undefined : token,
      path: request.path,
      sent: sentIn(dialect, operation, request),
    }
    if (answer === undefined) return learnFrom(secrets, lesson)
    const parsed =
      dialect === undefined || operation === undefined ? parseJson(textOf(answer.bytes)) : readToLearn(dialect, operation.id, answer)
    const { status, headers, bytes } = answer
    learnFrom(secrets, { ...lesson, answer: { status, headers, body: 'value' in parsed ? parsed.value : undefined, bytes } })
  }
