/** Makes of what a check exchanged, and of what prepared the target for it, a transcript that can be sent again anywhere. */
import type { ExchangeRecord } from '../../specs/meta/results.ts'
import { isCut } from '../base/text.ts'
import { recordOf } from '../outcomes/evidence.ts'
import { holdsHidden, withHidden } from '../secrets/secret-marks.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { encodeHeaders } from '../target/dialect.ts'
import { type Preparation, type Target, WRONG_TOKEN } from '../target/target.ts'
import type { WireRequest } from '../target/wire.ts'
import { bodyTextOf, capturesIn, leavesOf, requestText, withNames } from './captures.ts'
import { likenessOf } from './likeness.ts'
import { HIDDEN, type Part, RUN, type Step } from './step.ts'

/** Why a transcript cannot be sent again; a sentence for the reader. */
export class NotRepeatable extends Error {
  override name = 'NotRepeatable'
}

/** One line of a transcript: the step, and what is shown of it as evidence where the check sent it. */
export interface Line {
  step: Step
  startedAt: number
  record?: ExchangeRecord
}

const LONGEST_BODY = 4_000
const LEAST_TELLING = 12

type Item = { startedAt: number; part: Part; request: Preparation['request']; answer?: Preparation['answer']; exchange?: NumberedExchange }

const namesIn = (text: string, run: string): string[] => text.match(new RegExp(`assay-${run}-[a-z0-9-]+`, 'g')) ?? []

/** What the caller who may do everything has called with. */
const ofRoot = ({ root, formerTokens }: Target): string[] => [root.token, ...formerTokens]

/** Of all that prepared the target what these exchanges rest on: mounts, namespaces and callers that they name, and the end of those. */
const preparationsFor = (
  exchanges: readonly NumberedExchange[],
  target: Target,
  run: string,
): { sent: Preparation[]; names: Set<string> } => {
  const text = exchanges.map(({ request }) => requestText(request)).join('\n')
  const names = new Set(namesIn(text, run))
  const tokens = new Set(exchanges.map(({ token }) => token).filter((token) => token !== undefined && !ofRoot(target).includes(token)))
  const told = new Set<string>()
  const { sent } = target.prepared
  for (const one of sent) {
    if (tokens.size === 0) break
    const leaves = leavesOf(one.answer.bytes).map(({ value }) => value)
    // Whose answer holds the token of a caller has made that caller.
    if (!leaves.some((leaf) => tokens.has(leaf))) continue
    for (const name of namesIn(requestText(one.request), run)) names.add(name)
    for (const leaf of leaves) if (leaf.length >= LEAST_TELLING) told.add(leaf)
  }
  const isNeeded = ({ request }: Preparation): boolean => {
    const made = namesIn(request.path, run)
    // A policy of another caller may name the same mount: what a path names is what is made.
    const about = made.length > 0 ? made : namesIn(requestText(request), run)
    return about.some((name) => names.has(name)) || [...told].some((value) => bodyTextOf(request).includes(value))
  }
  return { sent: sent.filter(isNeeded), names }
}

const inOrder = (exchanges: readonly NumberedExchange[], preparations: readonly Preparation[]): Item[] => {
  const last = exchanges.at(-1)!.startedAt
  return [
    ...exchanges.map(
      (exchange): Item => ({
        startedAt: exchange.startedAt,
        part: 'shown',
        request: exchange.request,
        ...(exchange.answer === undefined ? {} : { answer: exchange.answer }),
        exchange,
      }),
    ),
    ...preparations.map(
      ({ request, answer, startedAt }): Item => ({ startedAt, part: startedAt > last ? 'cleanUp' : 'setUp', request, answer }),
    ),
  ].sort((left, right) => left.startedAt - right.startedAt)
}

const requireSendable = ({ request: { body }, answer }: Item): void => {
  if (answer === undefined) throw new NotRepeatable('it is about a request that got no answer')
  if (body === undefined) return
  const text = bodyTextOf({ body } as Item['request'])
  if (text.length > LONGEST_BODY) throw new NotRepeatable(`it needs a request of ${text.length} characters`)
  if (typeof body !== 'string' && (text.includes('\u0000') || text.includes('\ufffd')))
    throw new NotRepeatable('it needs a request whose body is not text')
}

/** Headers that every request carries by the word of the user, as the target spells their names. */
export const ownHeaders = ({ dialect, config }: Target): Record<string, string> => encodeHeaders(dialect, config.headers)

/** A request without those headers, unless the check sent others in their place. */
const withoutOwn = (request: WireRequest, own: Record<string, string>): WireRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name, value]) => own[name] !== value)),
})

const originOf = (target: Target): string => target.http.url.origin

/**
 * Makes a transcript.
 *
 * @param exchanges of one check, in order, up to the one that shows the violation.
 * @returns its lines, and what the exchanges name on the target.
 * @throws NotRepeatable where it cannot be sent again.
 */
export const linesOf = (
  secrets: SecretRegistry,
  target: Target,
  run: string,
  exchanges: readonly NumberedExchange[],
): { lines: Line[]; names: Set<string> } => {
  const { sent, names } = preparationsFor(exchanges, target, run)
  const own = ownHeaders(target)
  const items = inOrder(exchanges, sent).map((item) => ({ ...item, request: withoutOwn(item.request, own) }))
  for (const item of items) requireSendable(item)
  const tokens: [value: string, name: string][] = [
    ...ofRoot(target).map((token): [string, string] => [token, 'ASSAY_TOKEN']),
    [WRONG_TOKEN, 'WRONG_TOKEN'],
  ]
  const captured = capturesIn(items, new Set(tokens.map(([value]) => value)))
  const given = new Map([...tokens, ...captured.names].filter(([value]) => value !== ''))
  // What evidence must not hold is something made up when it is sent again, never the sign that stands for it.
  const sendable = (text: string): string => withHidden(general(secrets.redact(text)), HIDDEN)
  const general = (text: string): string => text.replaceAll(new RegExp(`assay-${run}(?![a-z0-9])`, 'g'), `assay-${RUN}`)
  const lines = items.map((item, at): Line => {
    const { part, startedAt, exchange, answer } = item
    const request = withNames(item.request, given)
    const evidence = exchange === undefined ? undefined : recordOf(secrets, target, { ...exchange, request, token: undefined })
    const body = evidence === undefined ? bodyTextOf(request) : evidence.request.body
    if (body !== undefined && isCut(body)) throw new NotRepeatable('one of its requests is longer than evidence shows')
    const path = evidence === undefined ? request.path : evidence.request.url.slice(originOf(target).length)
    const headers = evidence === undefined ? request.headers : evidence.request.headers
    const shown = Object.entries(headers).map(([name, value]) => [name, general(secrets.redact(value))] as const)
    // A token that is hidden is another token when it is sent.
    if (shown.some(([, value]) => holdsHidden(value))) throw new NotRepeatable('it needs a token that evidence must not hold')
    const step: Step = {
      part,
      operation: exchange?.operation.id ?? '',
      method: request.method,
      path: sendable(path),
      headers: Object.fromEntries(shown),
      ...(request.body === undefined ? {} : { body: sendable(body ?? '') }),
      captures: captured.byPlace[at]!,
      answer: likenessOf(answer!.status, general(evidence?.response?.body ?? ''), [...captured.names.keys()]),
      pauseMs: Math.round(exchange?.waitedMs ?? 0),
    }
    return { step, startedAt, ...(exchange === undefined ? {} : { record: recordOf(secrets, target, exchange) }) }
  })
  return { lines, names }
}
