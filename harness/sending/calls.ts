/** Sends a check's calls: chooses mount and namespace, validates both directions, keeps evidence. */
import { isDeepStrictEqual } from 'node:util'
import { AssertionFailure, Blocked, InternalError, LostAnswer, Refused } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { workOn } from '../base/position.ts'
import { cut } from '../base/text.ts'
import type { Refusal } from '../checks/vocabulary.ts'
import type { Operation } from '../contract/contract.ts'
import { requestProblem } from '../contract/validate.ts'
import type { Answer, CallInput } from '../target/exchange.ts'
import type { WireAnswer } from '../target/http.ts'
import { receivedBody } from '../target/read-body.ts'
import { type Exchange, exchange, type Target } from '../target/target.ts'
import { saysUncommitted, untilCommitted } from '../target/uncommitted.ts'
import { ReceivedAnswer } from './answer.ts'
import type { RunContext } from './context.ts'
import type { NumberedExchange } from './history.ts'
import { sharedMount } from './provision.ts'
import type { Session } from './session.ts'
import { isAnswering, NoiseMemory, noiseOf, throughNoise } from './through-noise.ts'

export const operationOf = (context: RunContext, id: string): Operation => {
  const operation = context.contract.operations.get(id)
  if (operation === undefined) throw new InternalError(`the contract has no operation ${id}`)
  return operation
}

export const targetOfOperation = (context: RunContext, operation: Operation): Target => {
  const target = context.targets.get(operation.api)
  if (target === undefined) throw new Blocked(`no target of this run serves ${operation.api}`, `add a target with api: ${operation.api}`)
  return target
}

interface Place {
  path: string | undefined
  namespace: string
}

const placeOf = async (context: RunContext, target: Target, session: Session, operation: Operation, input: CallInput): Promise<Place> => {
  if (operation.mount === undefined) return { path: undefined, namespace: input.namespace ?? '' }
  const alias = input.mount
  if (alias !== undefined) {
    const mount = session.mounts.get(alias)
    if (mount === undefined) throw new InternalError(`the check has no mount ${alias}`)
    return { path: mount.path, namespace: input.namespace ?? mount.namespace }
  }
  const own = [...session.mounts.values()].find((mount) => mount.type === operation.mount)
  if (own !== undefined) return { path: own.path, namespace: input.namespace ?? own.namespace }
  return { path: await sharedMount(context, target, operation.mount), namespace: input.namespace ?? '' }
}

const joinNamespace = (outer: string, inner: string): string =>
  [outer, inner]
    .map((part) => part.replace(/^\/|\/$/g, ''))
    .filter((part) => part !== '')
    .join('/')

const methodsOf = (target: Target, operation: Operation): Set<string> => {
  const synonyms = Object.entries(target.api.synonyms ?? {})
    .filter(([, of]) => of === operation.method)
    .map(([name]) => name)
  return new Set([operation.method, ...synonyms, ...(operation.isList && target.api.listing ? [target.api.listing.verb] : [])])
}

/** Judges an answer for the ledger, and makes of it what the check receives. */
const receive = (
  context: RunContext,
  target: Target,
  session: Session,
  done: NumberedExchange,
  wire: WireAnswer,
  input: CallInput,
): Answer => {
  const { operation } = done
  workOn(session.check.id, operation.id)
  const { status, headers, bytes } = wire
  const parsed = receivedBody(target.dialect, operation.id, wire)
  const body = 'value' in parsed ? parsed.value : undefined
  const documented = (input.method === undefined || methodsOf(target, operation).has(input.method)) && input.pathSuffix === undefined
  const judged = input.method !== 'HEAD' && input.observing !== true && (documented || status >= 400)
  const unreadable = 'problem' in parsed ? { unreadable: parsed.problem } : {}
  const facts = { status, contentType: headers['content-type'], body, ...unreadable, size: bytes.length }
  const judgement = context.ledger.add(operation, facts, session.check.id, done, judged, () => session.history.upTo(done.number))
  session.misshapen ??= judgement?.problem
  return session.history.watched(new ReceivedAnswer(target, done, wire, body, judgement?.withoutData))
}

/** A request as the contract describes it, within the usual time: nothing excuses that it gets no answer. */
const isPlain = ({ invalid, observing, rawBody, method, pathSuffix, timeout }: CallInput): boolean =>
  invalid !== true &&
  observing !== true &&
  rawBody === undefined &&
  method === undefined &&
  pathSuffix === undefined &&
  timeout === undefined

/** One call of a check. */
export const callOperation = async (context: RunContext, session: Session, id: string, input: CallInput = {}): Promise<Answer> => {
  if (session.over) throw new InternalError('the check is over, and its body still sends requests')
  const operation = operationOf(context, id)
  const target = targetOfOperation(context, operation)
  if (input.invalid !== true && input.rawBody === undefined) {
    const problem = requestProblem(operation, input.body)
    if (problem !== undefined) throw new InternalError(`the request of ${id} breaks its own schema: ${problem}`)
  }
  const nth = session.nth(id)
  const form = session.forms === undefined ? {} : session.forms.of(target, operation, input, nth)
  const place = await placeOf(context, target, session, operation, input)
  const effectiveNamespace = joinNamespace(target.config.namespace, place.namespace)
  let last: NumberedExchange | undefined
  // What is recorded of a large answer is cut; the check gets all of it.
  let wire: WireAnswer | undefined
  const record = (done: Exchange): void => {
    workOn(session.check.id, operation.id)
    wire = done.answer
    last = session.history.add(done)
    session.noise ??= noiseOf(done, target.http.takenAway)
  }
  // A key takes as long as it takes: the check's own deadline ends what does not end.
  const patience = session.check.makesKeys ? { timeout: Math.max(session.check.deadline, context.least ?? 0) } : {}
  const send = async (): Promise<NumberedExchange> => {
    await exchange(
      target,
      operation,
      { namespaceInPath: session.namespaceInPath, ...patience, ...input, ...form, mountPath: place.path, effectiveNamespace },
      record,
    )
    return last!
  }
  const keys = NoiseMemory.keysOf(operation, nth, input)
  const done = await throughNoise(
    { context, target, operation, keys, memory: session.memory, method: form.method ?? input.method ?? operation.method },
    send,
  )
  if (done.failure !== undefined) {
    if (done.indeterminate && isPlain(input) && !context.signal.aborted) {
      const { unanswered } = context.ledger
      unanswered.lost(operation, done, session.check.id, await isAnswering(target))
      const clause = unanswered.violatedBy(operation)
      if (clause !== undefined)
        throw new LostAnswer(`${id}: ${done.failure.reason}; ${clause} has to hold first`, `see ${clause} first`, { restsOn: clause })
    }
    const message = `${id}: ${done.failure.reason}`
    throw done.indeterminate ? new LostAnswer(message, done.failure.remedy) : new Blocked(message, done.failure.remedy)
  }
  if (isPlain(input)) context.ledger.unanswered.answered(operation)
  const answer = receive(context, target, session, done, wire!, input)
  if (Object.values(input.path ?? {}).some((name) => session.mixedNames.has(name)))
    context.names.answered(session.check, operation, session.nameForm, answer.ok)
  if (answer.ok) for (const notice of session.listeners.get(id) ?? []) notice(answer, input)
  return answer
}

const errorsOf = (answer: Answer): string =>
  isObject(answer.body) && Array.isArray(answer.body.errors) ? cut(JSON.stringify(answer.body.errors), 4000) : cut(answer.text, 200)

/** A call that is sent again where the target says that it has committed nothing of it. */
const committedCall = (context: RunContext, session: Session, id: string, input?: CallInput): Promise<Answer> =>
  untilCommitted(
    () => callOperation(context, session, id, input),
    ({ status, text }) => saysUncommitted(status, text),
  )

/** Statuses by which a target says that it does not have an operation, whatever the body. */
const NOT_SERVED = [404, 405, 501]

/** Whether the documents show the body of an operation: where they do not, a target may take another one. */
const isShown = ({ contract }: RunContext, { request }: Operation): boolean =>
  contract.clauses.get(String(request?.schema['x-clause']))?.level !== 'open'

/** A call whose failure blocks the check. */
export const givenOperation = async (context: RunContext, session: Session, id: string, input?: CallInput): Promise<Answer> => {
  const answer = await committedCall(context, session, id, input)
  if (answer.ok) return answer
  const sent = session.history.kept.find(({ number }) => number === answer.exchange)
  const operation = operationOf(context, id)
  if (sent !== undefined && (isShown(context, operation) || NOT_SERVED.includes(answer.status)))
    context.ledger.refused.refused(operation, answer.status, sent, session.check)
  throw new Refused(id, answer.status, errorsOf(answer))
}

const stateOf = async (context: RunContext, session: Session, unchanged: Refusal['unchanged']): Promise<unknown> => {
  if (unchanged === null) return undefined
  if (typeof unchanged === 'function') return unchanged()
  const answer = await callOperation(context, session, unchanged.operation, unchanged.input)
  if (!answer.ok) return { status: answer.status }
  return {
    status: answer.status,
    state: isObject(answer.body) && answer.body.data !== undefined ? answer.body.data : (answer.body ?? answer.text),
  }
}

const controlInput = async (control: Refusal['control']): Promise<CallInput> => (typeof control === 'function' ? control() : control)

/** What a refusal that came with 5xx is: a violation, unless the plain request fails in the same way. */
const brokenRefusal = (label: string, answer: Answer, control: Answer): Error => {
  const seen = `${answer.operation} answered ${answer.status} ${cut(answer.text, 300)}`
  if (control.status >= 500) {
    const reason = `${label}${seen}, and the control request ${control.status}: it is not the bad input that fails`
    return new Blocked(reason, 'see why the plain request fails', { refused: { operation: control.operation, status: control.status } })
  }
  const what = `refused, but with ${answer.status} (an internal error in the contract's table)`
  return new AssertionFailure(`${label}${what}: ${seen}`, '4xx', answer.status, answer.exchange)
}

/** A refusal as a causal pair; see `Bench.refuses`. */
export const refuse = async (context: RunContext, session: Session, id: string, refusal: Refusal): Promise<Answer> => {
  if (refusal.unchanged === null && refusal.because === undefined) throw new InternalError(`refuses(${id}) without a read needs because`)
  const label = refusal.label === undefined ? '' : `${refusal.label}: `
  const before = await stateOf(context, session, refusal.unchanged)
  // What gave way to another write is refused for that, whether it is good or bad.
  const answer = await committedCall(context, session, id, { invalid: true, ...refusal.bad })
  session.assertions += 1
  const wanted = refusal.status === undefined ? undefined : [refusal.status].flat()
  const askControl = async () => committedCall(context, session, refusal.controlOperation ?? id, await controlInput(refusal.control))
  if (answer.status >= 500) throw brokenRefusal(label, answer, await askControl())
  if (answer.status < 400) {
    throw new AssertionFailure(
      `${label}expected a refusal (4xx); ${id} answered ${answer.status} ${cut(answer.text, 300)}`,
      wanted?.join(' or ') ?? '4xx',
      answer.status,
      answer.exchange,
    )
  }
  if (wanted !== undefined && !wanted.includes(answer.status)) {
    throw new AssertionFailure(
      `${label}refused with ${answer.status}, the contract says ${wanted.join(' or ')}`,
      wanted.join(' or '),
      answer.status,
      answer.exchange,
    )
  }
  if (refusal.unchanged !== null) {
    const reads = session.exchanges
    const after = await stateOf(context, session, refusal.unchanged)
    const shown = Array.from({ length: session.exchanges - reads }, (_, at) => reads + at + 1)
    const changed = `${label}${id} was refused with ${answer.status} but changed the state`
    if (!isDeepStrictEqual(before, after)) throw new AssertionFailure(changed, before, after, answer.exchange, shown)
  }
  const control = await askControl()
  if (!control.ok) {
    throw new Blocked(
      `${label}the control request, which differs in one point, was refused too (${control.status} ${errorsOf(control)}): the refusal proves nothing`,
      'see why the plain request fails',
      { refused: { operation: control.operation, status: control.status } },
    )
  }
  return answer
}
