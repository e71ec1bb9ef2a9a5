/** Decisions about transformations. */
import { durationOf } from '../../core/durations.ts'
import { listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Cipher, ff31 } from './cipher.ts'
import { demand } from './definitions.rules.ts'
import type { Kind, Transformation, TransformState } from './state.ts'

const TWEAK_SOURCES = ['supplied', 'generated', 'internal']

export const transformationRules = {
  kindKnown: (type: string): type is Kind => type === 'fpe' || type === 'masking' || type === 'tokenization',
  transformationComplete(body: JsonObject, kind: Kind, previous: Transformation | undefined): void {
    if (previous === undefined && kind !== 'tokenization') demand(body, ['template'])
  },
  /** Whether an existing transformation takes a write that names another type. */
  mayBecome: (previous: Transformation, kind: Kind): boolean => previous.type === kind,
  tweakSourceKnown: (source: string): boolean => TWEAK_SOURCES.includes(source),
  templateNameOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): string =>
    kind === 'tokenization' ? '' : textOf(body, 'template', previous?.template),
  tweakSourceOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): string =>
    kind === 'fpe' ? textOf(body, 'tweak_source', previous?.tweakSource ?? 'supplied') : '',
  /** The first character alone counts: a code point, which may be two code units. */
  maskingCharacterOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): string =>
    kind === 'masking' ? ([...textOf(body, 'masking_character', previous?.maskingCharacter ?? '*')][0] ?? '*') : '',
  allowedRolesOf: (body: JsonObject, previous: Transformation | undefined): string[] =>
    listOf(body, 'allowed_roles', previous?.allowedRoles ?? []),
  mappingModeKnown: (mode: string): boolean => mode === 'default' || mode === 'exportable',
  mappingModeOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): string =>
    kind === 'tokenization' ? textOf(body, 'mapping_mode', previous?.mappingMode ?? 'default') : 'default',
  maxTtlOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): number =>
    kind === 'tokenization' ? durationOf(body.max_ttl, 'max_ttl', previous?.maxTtl ?? 0) : 0,
  storesOf: (body: JsonObject, kind: Kind, previous: Transformation | undefined): string[] =>
    kind === 'tokenization' ? listOf(body, 'stores', previous?.stores ?? ['builtin/internal']) : [],
  /** The cipher of a transformation; any permutation of the domain that depends on key and tweak would do. */
  cipher: (key: Uint8Array): Cipher => ff31(key),
  shownTransformation: (transformation: Transformation): JsonObject => ({
    type: transformation.type,
    allowed_roles: transformation.allowedRoles,
    ...(transformation.type === 'tokenization' ? {} : { templates: [transformation.template] }),
    ...(transformation.type === 'fpe' ? { tweak_source: transformation.tweakSource } : {}),
    ...(transformation.type === 'tokenization'
      ? { mapping_mode: transformation.mappingMode, max_ttl: transformation.maxTtl, stores: transformation.stores }
      : {}),
    ...(transformation.type === 'masking' ? { masking_character: transformation.maskingCharacter } : {}),
  }),
  transformationNames: (state: TransformState): string[] => [...state.transformations.keys()],
  forgetsTransformation: (): boolean => true,
}
