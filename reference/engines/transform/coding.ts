/** Encoding and decoding: format-preserving encryption and masking by a template. */
import type { Route } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { answered, attempt, type Task, type TransformCall, type Work } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { Template, TransformState } from './state.ts'
import { madeTokens, openedTokens } from './value-tokens.ts'

const templateOf = (call: TransformCall, task: Task): Template => {
  const template = call.state.templates.get(task.transformation.template)
  if (template === undefined) throw invalid(`no template ${task.transformation.template}`)
  return template
}

/** A value with what its template marks replaced. */
const byTemplate = (call: TransformCall, task: Task, value: string, transform: (text: string) => string): string => {
  const spans = call.rules.spansOf(templateOf(call, task).pattern, value)
  if (spans === undefined) return call.rules.unmatched(value)
  return spans.length === 0 ? value : call.rules.replacedIn(value, spans, transform)
}

/** A value whose marked characters went through the cipher. */
const ciphered = (call: TransformCall, task: Task, value: string, tweak: Uint8Array, action: 'encrypt' | 'decrypt'): string => {
  const { rules, state } = call
  const alphabet = state.alphabets.get(templateOf(call, task).alphabet)
  if (alphabet === undefined) throw invalid('the template has no alphabet')
  const letters = rules.lettersOf(alphabet)
  return byTemplate(call, task, value, (text) =>
    task.transformation.cipher[action](rules.numeralsOf(text, letters), letters.length, tweak)
      .map((numeral) => letters[numeral])
      .join(''),
  )
}

const encrypted = (call: TransformCall, task: Task): JsonObject => {
  const { rules } = call
  const value = rules.givenValue(task.item)
  const source = task.transformation.tweakSource
  if (source === 'generated') {
    const tweak = rules.generatedTweak(call.services.random)
    return { ...rules.shownEncoded(ciphered(call, task, value, tweak, 'encrypt')), ...rules.shownTweak(tweak) }
  }
  const tweak = source === 'internal' ? rules.internalTweak(task.transformation) : rules.tweakOf(task.item)
  return rules.shownEncoded(ciphered(call, task, value, tweak, 'encrypt'))
}

const masked = (call: TransformCall, task: Task): JsonObject => {
  const { rules } = call
  const value = rules.givenValue(task.item)
  return rules.shownEncoded(byTemplate(call, task, value, (text) => rules.masked(text, task.transformation.maskingCharacter)))
}

const decrypted = (call: TransformCall, task: Task): string => {
  const { rules } = call
  const value = rules.givenValue(task.item)
  if (task.transformation.type === 'masking') {
    if (rules.maskDecodable()) return value
    throw invalid('what was masked cannot be decoded')
  }
  const tweak = task.transformation.tweakSource === 'internal' ? rules.internalTweak(task.transformation) : rules.tweakOf(task.item)
  return ciphered(call, task, value, tweak, 'decrypt')
}

const encode: Work = (call, tasks) => {
  if (tasks[0]?.transformation.type === 'tokenization') return madeTokens(call, tasks)
  return tasks.map((task) => attempt(() => (task.transformation.type === 'masking' ? masked(call, task) : encrypted(call, task))))
}

const decode: Work = (call, tasks) => {
  const shown = (task: Task, value: string): JsonObject =>
    task.batched ? call.rules.shownDecodedItem(value) : call.rules.shownDecoded(value)
  if (tasks[0]?.transformation.type === 'tokenization') return openedTokens(call, tasks, shown)
  return tasks.map((task) => attempt(() => shown(task, decrypted(call, task))))
}

export const codingRoutes: Route<TransformState, TransformRules>[] = [
  { id: 'transform.encode', method: 'POST', path: 'encode/:role_name', handle: (call) => answered(call, encode) },
  { id: 'transform.decode', method: 'POST', path: 'decode/:role_name', handle: (call) => answered(call, decode) },
]
