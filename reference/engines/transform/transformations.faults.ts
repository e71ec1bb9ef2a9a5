/** Faults of transformations: what is stored of them, their defaults, and what a read shows. */
import { secret } from '../../core/envelope.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, requestDefault, requestNestedAs, requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { firstWriteWins } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const OLDER = 'transform.writeTransformation'
const KINDS = [
  { word: 'fpe', write: 'transform.writeFpe', clause: 'TRANSFORM-FPE' },
  { word: 'masking', write: 'transform.writeMasking', clause: 'TRANSFORM-MASKING' },
] as const

for (const { word, write, clause } of KINDS) {
  route(`${word}-dropped`, `${clause}-01`, 'a write of the typed path stores nothing', write, () => () => ({ status: 204 }))
  route(`${word}-without-template`, `${clause}-02`, 'template is optional', write, requestDefault('template', 'none'))
  route(`${word}-template-object`, `${clause}-03`, 'an object is a template name', write, requestNestedAs('template', 'none'))
  route(
    `${word}-allowed-object`,
    word === 'fpe' ? 'TRANSFORM-FPE-08' : 'TRANSFORM-MASKING-07',
    'an object allows no roles',
    write,
    requestNestedAs('allowed_roles', []),
  )
  route(
    `${word}-first-wins`,
    word === 'fpe' ? ['TRANSFORM-FPE-09', 'TRANSFORM-ACCESS-10'] : 'TRANSFORM-MASKING-08',
    'a second write is dropped',
    write,
    firstWriteWins((state) => state.transformations),
  )
}
route(
  'fpe-source-default',
  'TRANSFORM-FPE-04',
  'without tweak_source it is internal',
  'transform.writeFpe',
  requestDefault('tweak_source', 'internal'),
)
route(
  'fpe-source-shown',
  'TRANSFORM-FPE-04',
  'without tweak_source it is generated',
  'transform.writeFpe',
  requestDefault('tweak_source', 'generated'),
)
rule('source-one-only', ['TRANSFORM-FPE-05', 'TRANSFORM-READ-04', 'TRANSFORM-TWEAK-11'], 'a source of internal is taken for generated', {
  tweakSourceOf: (original) => (body, kind, previous) => original(body, kind, previous).replace('internal', 'generated'),
})
rule('source-anything', ['TRANSFORM-FPE-06', 'TRANSFORM-TYPED-09'], 'any tweak_source is taken', { tweakSourceKnown: () => () => true })
route(
  'masking-character-default',
  'TRANSFORM-MASKING-04',
  'without masking_character an x masks',
  'transform.writeMasking',
  requestDefault('masking_character', 'x'),
)
route(
  'masking-character-object',
  'TRANSFORM-MASKING-05',
  'an object masks like nothing given',
  'transform.writeMasking',
  requestNestedAs('masking_character'),
)
rule('update-new-key', 'TRANSFORM-FPE-09', 'every write of a transformation gives it a new key', {
  mayBecome: (original) => (previous, kind) => {
    previous.key = Uint8Array.from(previous.key, (byte) => byte ^ 1)
    previous.cipher = transformEngine.rules.cipher(previous.key)
    return original(previous, kind)
  },
})
route(
  'older-drops-fpe',
  'TRANSFORM-TYPED-01',
  'the older path stores no encryption',
  OLDER,
  (original) => (call) => (call.body.type === 'fpe' ? { status: 204 } : original(call)),
)
route('older-source-ignored', 'TRANSFORM-TYPED-01', 'the older path ignores tweak_source', OLDER, requestWithout('tweak_source'))
route(
  'older-character-ignored',
  'TRANSFORM-TYPED-02',
  'the older path ignores masking_character',
  OLDER,
  requestWithout('masking_character'),
)
route(
  'older-source-default',
  'TRANSFORM-TYPED-08',
  'at the older path tweak_source is internal by default',
  OLDER,
  requestDefault('tweak_source', 'internal'),
)
route(
  'older-character-default',
  'TRANSFORM-TYPED-10',
  'at the older path an x masks by default',
  OLDER,
  requestDefault('masking_character', 'x'),
)
route('older-without-type', 'TRANSFORM-TYPED-04', 'at the older path type is fpe by default', OLDER, requestDefault('type', 'fpe'))
rule('older-any-type', 'TRANSFORM-TYPED-05', 'an unknown type is taken', {
  kindKnown: () => ((_type: string) => true) as (type: string) => type is 'fpe',
})
route('older-without-template', 'TRANSFORM-TYPED-06', 'at the older path template is optional', OLDER, requestDefault('template', 'none'))
route(
  'older-template-object',
  'TRANSFORM-TYPED-07',
  'at the older path an object is a template name',
  OLDER,
  requestNestedAs('template', 'none'),
)
route(
  'older-allowed-object',
  'TRANSFORM-TYPED-13',
  'at the older path an object allows no roles',
  OLDER,
  requestNestedAs('allowed_roles', []),
)
route(
  'older-character-object',
  'TRANSFORM-TYPED-14',
  'at the older path an object is no masking character',
  OLDER,
  requestNestedAs('masking_character'),
)
route('older-open', 'TRANSFORM-TYPED-11', 'at the older path everybody may by default', OLDER, (original) => async (call) => {
  const reply = await original(call)
  const made = call.state.transformations.get(call.params.name ?? '')
  if (made !== undefined && call.body.allowed_roles === undefined) made.allowedRoles.includes = () => true
  return reply
})
rule('type-changeable', 'TRANSFORM-TYPED-12', 'a write of another type changes the type', { mayBecome: () => () => true })
rule('other-field-counts', 'TRANSFORM-TYPED-15', 'an encryption with a masking character masks nothing and needs no tweak', {
  tweakSourceOf: (original) => (body, kind, previous) =>
    kind === 'fpe' && textOf(body, 'masking_character') !== '' ? 'internal' : original(body, kind, previous),
})
route(
  'read-type',
  'TRANSFORM-READ-01',
  'every transformation reads as fpe',
  'transform.readTransformation',
  replyData((data) => ({ ...data, type: 'fpe' })),
)
route(
  'read-roles-first',
  'TRANSFORM-READ-02',
  'a read shows the first allowed role only',
  'transform.readTransformation',
  replyData((data) => ({ ...data, allowed_roles: (data.allowed_roles as string[]).slice(0, 1) })),
)
route(
  'read-templates-empty',
  'TRANSFORM-READ-03',
  'templates is empty on read',
  'transform.readTransformation',
  replyData((data) => ({ ...data, templates: [] })),
)
route(
  'read-source-default',
  'TRANSFORM-READ-04',
  'tweak_source reads as the default',
  'transform.readTransformation',
  replyData((data) => ({ ...data, tweak_source: 'supplied' })),
)
route(
  'read-unknown',
  'TRANSFORM-READ-05',
  'an unknown transformation reads as an empty one',
  'transform.readTransformation',
  insteadOfRefusal(() => secret({ type: 'fpe', allowed_roles: [], templates: [], tweak_source: 'supplied' })),
)
rule('list-fpe-only', 'TRANSFORM-READ-06', 'the listing shows encryptions only', {
  transformationNames: (original) => (state) => original(state).filter((name) => state.transformations.get(name)?.type === 'fpe'),
})
rule('transformation-kept', 'TRANSFORM-READ-07', 'the deletion of a transformation does nothing', {
  forgetsTransformation: () => () => false,
})
route(
  'transformation-still-lists',
  'TRANSFORM-READ-07',
  'a deleted transformation stays in the listing',
  'transform.listTransformations',
  (original) => {
    const seen = new Set<string>()
    return (call) => {
      for (const name of call.state.transformations.keys()) seen.add(name)
      return original({ ...call, rules: { ...call.rules, transformationNames: () => [...seen] } })
    }
  },
)
route(
  'type-remembered',
  'TRANSFORM-READ-09',
  'a deleted name keeps its type',
  ['transform.writeFpe', 'transform.writeMasking'],
  (() => {
    const types = new Map<string, string>()
    return (original) => async (call) => {
      const name = call.params.name ?? ''
      const before = types.get(name)
      const reply = await original(call)
      const made = call.state.transformations.get(name)
      if (made !== undefined && before !== undefined) made.type = before === 'masking' ? 'masking' : 'fpe'
      if (made !== undefined) types.set(name, made.type)
      return reply
    }
  })(),
)
