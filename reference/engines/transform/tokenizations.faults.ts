/** Faults of transformations that give tokens: how they are written and what they allow. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { firstWriteWins } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const TYPED = 'transform.writeTokenization'

route('tokenization-dropped', 'TRANSFORM-TOKENIZATION-01', 'a write of the typed path stores nothing', TYPED, () => () => ({ status: 204 }))
route(
  'tokenization-first-wins',
  'TRANSFORM-ACCESS-10',
  'a second write of a tokenization is dropped',
  TYPED,
  firstWriteWins((state) => state.transformations),
)
route(
  'tokenization-again-empty',
  'TRANSFORM-TOKENIZATION-03',
  'a second write of a tokenization forgets its tokens',
  TYPED,
  (original) => async (call) => {
    const reply = await original(call)
    const made = call.state.transformations.get(call.params.name ?? '')
    if (made !== undefined) made.id = call.services.random.uuid()
    return reply
  },
)
rule('tokenization-open', 'TRANSFORM-TOKENIZATION-02', 'empty allowed_roles of a tokenization mean any role', {
  transformationAllows: (original) => (transformation, role) =>
    (transformation.type === 'tokenization' && transformation.allowedRoles.length === 0) || original(transformation, role),
})
route('tokenization-allowed-object', 'TRANSFORM-TOKENIZATION-04', 'an object allows no roles', TYPED, requestNestedAs('allowed_roles', []))
route(
  'tokenization-stores-object',
  'TRANSFORM-TOKENIZATION-05',
  'an object is no list of stores',
  TYPED,
  requestNestedAs('stores', ['builtin/internal']),
)
route(
  'tokenization-no-store',
  ['TRANSFORM-TOKENIZATION-06', 'TRANSFORM-TOKENIZATION-01'],
  'without stores there are none',
  TYPED,
  requestDefault('stores', ['none']),
)
rule('tokenization-tweak', 'TRANSFORM-TOKENIZATION-07', 'a token needs a tweak where a source was written', {
  storesOf: (original) => (body, kind, previous) => (body.tweak_source === undefined ? original(body, kind, previous) : ['none']),
})
rule('tokenization-any-store', 'TRANSFORM-TOKENIZATION-08', 'an unknown store is taken for the internal one', {
  storesOf: (original) => (body, kind, previous) => original(body, kind, previous).map(() => 'builtin/internal'),
})
route(
  'older-tokenization-template',
  'TRANSFORM-TYPED-03',
  'the older path asks for the template of a tokenization',
  'transform.writeTransformation',
  (original) => (call) => {
    if (call.body.type === 'tokenization' && !call.state.templates.has(textOf(call.body, 'template'))) throw invalid('unknown template')
    return original(call)
  },
)
route(
  'older-tokenization-is-fpe',
  'TRANSFORM-TYPED-03',
  'the older path makes an encryption of a tokenization',
  'transform.writeTransformation',
  requestBody((body) => (body.type === 'tokenization' ? { ...body, type: 'fpe' } : body)),
)
rule('mapping-default-only', 'TRANSFORM-MAPPING-01', 'exportable is refused', { mappingModeKnown: () => (mode) => mode === 'default' })
rule('mapping-anything', 'TRANSFORM-MAPPING-03', 'any mapping_mode is taken', { mappingModeKnown: () => () => true })
