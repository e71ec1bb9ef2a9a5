/** Routes of alphabets and templates: what a transformation is defined by. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import type { TransformRules } from './rules.ts'
import type { TransformState } from './state.ts'

type TransformCall = Call<TransformState, TransformRules>

export const nameOf = (call: TransformCall): string => call.params.name ?? ''

/** Removes a name from a map; what the answer is. */
export const removed = (call: TransformCall, entries: Map<string, unknown>, forgets: boolean): Reply => {
  const known = entries.has(nameOf(call))
  if (forgets) entries.delete(nameOf(call))
  if (!known && call.rules.absentDeleteStatus() >= 400) throw new ApiError(call.rules.absentDeleteStatus())
  return empty()
}

/** What is kept under the name of the request; 404 where there is nothing. */
export const kept = <T>(call: TransformCall, entries: ReadonlyMap<string, T>): T => {
  const found = entries.get(nameOf(call))
  if (found === undefined) throw notFound(`nothing is called ${nameOf(call)}`)
  return found
}

const writeTemplate = (call: TransformCall): Reply => {
  const { body, rules, state } = call
  const previous = state.templates.get(nameOf(call))
  rules.templateComplete(body, previous)
  const template = rules.templateOf(body, previous)
  if (!rules.templateTypeKnown(template.type)) throw invalid('type must be regex')
  rules.checkPattern(template.pattern)
  if (template.alphabet !== '' && !rules.alphabetKnown(state.alphabets, template.alphabet)) throw invalid('unknown alphabet')
  state.templates.set(nameOf(call), template)
  return empty()
}

export const definitionRoutes: Route<TransformState, TransformRules>[] = [
  {
    id: 'transform.writeAlphabet',
    method: 'POST',
    path: 'alphabet/:name',
    exists: (call) => call.state.alphabets.has(nameOf(call)),
    handle(call) {
      const previous = call.state.alphabets.get(nameOf(call))
      call.rules.alphabetComplete(call.body, previous)
      call.state.alphabets.set(nameOf(call), call.rules.alphabetOf(call.body, previous))
      return empty()
    },
  },
  {
    id: 'transform.readAlphabet',
    method: 'GET',
    path: 'alphabet/:name',
    handle: (call) => secret(call.rules.shownAlphabet(kept(call, call.state.alphabets))),
  },
  {
    id: 'transform.listAlphabets',
    method: 'LIST',
    path: 'alphabet',
    handle: (call) => call.services.listing(call.rules.alphabetNames(call.state)),
  },
  {
    id: 'transform.deleteAlphabet',
    method: 'DELETE',
    path: 'alphabet/:name',
    handle: (call) => removed(call, call.state.alphabets, call.rules.forgetsAlphabet()),
  },
  {
    id: 'transform.writeTemplate',
    method: 'POST',
    path: 'template/:name',
    exists: (call) => call.state.templates.has(nameOf(call)),
    handle: writeTemplate,
  },
  {
    id: 'transform.readTemplate',
    method: 'GET',
    path: 'template/:name',
    handle: (call) => secret(call.rules.shownTemplate(kept(call, call.state.templates))),
  },
  {
    id: 'transform.listTemplates',
    method: 'LIST',
    path: 'template',
    handle: (call) => call.services.listing(call.rules.templateNames(call.state)),
  },
  {
    id: 'transform.deleteTemplate',
    method: 'DELETE',
    path: 'template/:name',
    handle: (call) => removed(call, call.state.templates, call.rules.forgetsTemplate()),
  },
]
