/** Routes of transformations: a path for each type, and the older one that takes the type from the body. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { demand } from './definitions.rules.ts'
import { kept, nameOf, removed } from './definitions.ts'
import type { TransformRules } from './rules.ts'
import type { Kind, TransformState } from './state.ts'

type TransformCall = Call<TransformState, TransformRules>

const write = (call: TransformCall, kind: Kind): Reply => {
  const { body, rules, state } = call
  const previous = state.transformations.get(nameOf(call))
  if (previous !== undefined && !rules.mayBecome(previous, kind)) throw invalid('the type of a transformation cannot be changed')
  rules.transformationComplete(body, kind, previous)
  const tweakSource = rules.tweakSourceOf(body, kind, previous)
  if (kind === 'fpe' && !rules.tweakSourceKnown(tweakSource)) throw invalid('tweak_source must be supplied, generated or internal')
  const mappingMode = rules.mappingModeOf(body, kind, previous)
  if (!rules.mappingModeKnown(mappingMode)) throw invalid('mapping_mode must be default or exportable')
  const key = previous?.key ?? call.services.random.bytes(32)
  state.transformations.set(nameOf(call), {
    type: kind,
    template: rules.templateNameOf(body, kind, previous),
    tweakSource,
    maskingCharacter: rules.maskingCharacterOf(body, kind, previous),
    allowedRoles: rules.allowedRolesOf(body, previous),
    key,
    cipher: previous?.cipher ?? rules.cipher(key),
    mappingMode,
    maxTtl: rules.maxTtlOf(body, kind, previous),
    stores: rules.storesOf(body, kind, previous),
    id: previous?.id ?? call.services.random.uuid(),
  })
  return empty()
}

const typed = (id: string, kind: Kind): Route<TransformState, TransformRules> => ({
  id,
  method: 'POST',
  path: `transformation/${kind}/:name`,
  exists: (call) => call.state.transformations.has(nameOf(call)),
  handle: (call) => write(call, kind),
})

export const transformationRoutes: Route<TransformState, TransformRules>[] = [
  typed('transform.writeFpe', 'fpe'),
  typed('transform.writeMasking', 'masking'),
  typed('transform.writeTokenization', 'tokenization'),
  {
    id: 'transform.writeTransformation',
    method: 'POST',
    path: 'transformation/:name',
    exists: (call) => call.state.transformations.has(nameOf(call)),
    handle(call) {
      const previous = call.state.transformations.get(nameOf(call))
      if (previous === undefined) demand(call.body, ['type'])
      const type = textOf(call.body, 'type', previous?.type)
      if (!call.rules.kindKnown(type)) throw invalid('type must be fpe, masking or tokenization')
      return write(call, type)
    },
  },
  {
    id: 'transform.readTransformation',
    method: 'GET',
    path: 'transformation/:name',
    handle: (call) => secret(call.rules.shownTransformation(kept(call, call.state.transformations))),
  },
  {
    id: 'transform.listTransformations',
    method: 'LIST',
    path: 'transformation',
    handle: (call) => call.services.listing(call.rules.transformationNames(call.state)),
  },
  {
    id: 'transform.deleteTransformation',
    method: 'DELETE',
    path: 'transformation/:name',
    handle: (call) => removed(call, call.state.transformations, call.rules.forgetsTransformation()),
  },
]
