/** Faults of transformations: their types and paths, what is kept and shown of them, and what outlives their deletion. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, requestBody } from '../../faults/wrappers.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import type { Kind, Transformation } from './state.ts'
import { after, beside, deletedRemembered, type Handle } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

const OLDER = 'transform.writeTransformation'
const TOKENS = 'transform.writeTokenization'

rule(
  'source-internal-generated',
  ['TRANSFORM-FPE-05', 'TRANSFORM-READ-04', 'TRANSFORM-TWEAK-11'],
  'a source of internal is taken for generated',
  {
    tweakSourceOf: (original) => (body, kind, previous) => original(body, kind, previous).replace('internal', 'generated'),
  },
)
route(
  'older-drops-fpe',
  'TRANSFORM-TYPED-01',
  'the older path stores no encryption',
  OLDER,
  (original) => (call) => (call.body.type === 'fpe' ? { status: 204 } : original(call)),
)
rule('older-any-type', 'TRANSFORM-TYPED-05', 'an unknown type is taken', {
  kindKnown: () => ((_type: string) => true) as (type: string) => type is 'fpe',
})
route(
  'older-open',
  'TRANSFORM-TYPED-11',
  'at the older path every role may by default',
  OLDER,
  after(({ transformations }, name, { body }) => {
    const made = transformations.get(name)
    if (made !== undefined && body.allowed_roles === undefined) made.allowedRoles.includes = () => true
  }),
)
rule('type-changeable', 'TRANSFORM-TYPED-12', 'a write of another type changes the type', { mayBecome: () => () => true })
rule('type-by-template', 'TRANSFORM-TYPED-12', 'a transformation with a template becomes any other type that has one', {
  mayBecome: (original) => (previous, kind) => original(previous, kind) || (previous.type !== 'tokenization' && kind !== 'tokenization'),
})
rule('character-means-internal', 'TRANSFORM-TYPED-15', 'an encryption with a masking character needs no tweak', {
  tweakSourceOf: (original) => (body, kind, previous) =>
    kind === 'fpe' && textOf(body, 'masking_character') !== '' ? 'internal' : original(body, kind, previous),
})
route(
  'read-unknown',
  'TRANSFORM-READ-05',
  'an unknown transformation reads as an empty one',
  'transform.readTransformation',
  insteadOfRefusal(() => secret({ type: 'fpe', allowed_roles: [], templates: [], tweak_source: 'supplied' })),
)
const types = beside(() => new Map<string, Kind>())
const ofSameType =
  (kind?: string) =>
  (original: Handle): Handle =>
  async (call) => {
    const [known, wanted] = [types(call.state).get(nameOf(call)), kind ?? call.body.type]
    if (!call.state.transformations.has(nameOf(call)) && wanted !== undefined && known !== undefined && known !== wanted)
      throw invalid('the type of a transformation cannot be changed')
    const reply = await original(call)
    const made = call.state.transformations.get(nameOf(call))
    if (made) types(call.state).set(nameOf(call), made.type)
    return reply
  }
change('type-outlives-deletion', 'TRANSFORM-READ-09', 'a deleted transformation cannot be created again with another type', {
  routes: {
    'transform.writeFpe': ofSameType('fpe'),
    'transform.writeMasking': ofSameType('masking'),
    [TOKENS]: ofSameType('tokenization'),
    [OLDER]: ofSameType(),
  },
})
for (const [id, write, member, had] of [
  ['character', 'writeMasking', 'masking_character', ({ maskingCharacter }: Transformation) => maskingCharacter],
  ['roles', 'writeFpe', 'allowed_roles', ({ allowedRoles }: Transformation) => allowedRoles],
  ['source', 'writeFpe', 'tweak_source', ({ tweakSource }: Transformation) => tweakSource],
] as const)
  change(
    `recreated-${id}`,
    'TRANSFORM-READ-11',
    `a transformation that is created again has ${member} of the deleted one`,
    deletedRemembered(write, 'deleteTransformation', ({ transformations }, name) => {
      const known = transformations.get(name)
      return known && had(known) !== '' ? { [member]: had(known) } : undefined
    }),
  )

rule('tokenization-open', 'TRANSFORM-TOKENIZATION-02', 'empty allowed_roles of a tokenization mean any role', {
  transformationAllows: (original) => (one, role) => (one.type === 'tokenization' && one.allowedRoles.length === 0) || original(one, role),
})
rule('tokenization-by-source', 'TRANSFORM-TOKENIZATION-07', 'a tokenization with a tweak_source has no store', {
  storesOf: (original) => (body, kind, previous) => (body.tweak_source === undefined ? original(body, kind, previous) : ['none']),
})
rule('tokenization-any-store', 'TRANSFORM-TOKENIZATION-08', 'an unknown store is taken for the internal one', {
  storesOf: (original) => (body, kind, previous) => original(body, kind, previous).map(() => 'builtin/internal'),
})
route(
  'older-tokens-fpe',
  'TRANSFORM-TYPED-03',
  'the older path makes an encryption of a tokenization',
  OLDER,
  requestBody((body) => (body.type === 'tokenization' ? { ...body, type: 'fpe' } : body)),
)
rule('mapping-default-only', 'TRANSFORM-MAPPING-01', 'exportable is refused', { mappingModeKnown: () => (mode) => mode === 'default' })
rule('mapping-anything', 'TRANSFORM-MAPPING-03', 'any mapping_mode is taken', { mappingModeKnown: () => () => true })

export const faults = declared
