/** Decisions about roles: what they name, which are listed, and what they may use. */
import { invalid, notFound } from '../../core/errors.ts'
import { listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Transformation, TransformState } from './state.ts'

const ESCAPED = /[.*+?^${}()|[\]\\]/g

export const roleRules = {
  roleOf: (body: JsonObject, previous: string[] | undefined): string[] => listOf(body, 'transformations', previous ?? []),
  shownRole: (transformations: string[]): JsonObject => ({ transformations }),
  roleNames: (state: TransformState): string[] => [...state.roles.keys()],
  filterOf: (query: URLSearchParams): string => query.get('filter') || '*',
  /** Whether a name fits a filter, in which a star stands for any characters and everything else for itself. */
  fits: (name: string, filter: string): boolean =>
    new RegExp(
      `^${filter
        .split(/\*+/)
        .map((part) => part.replace(ESCAPED, '\\$&'))
        .join('.*')}$`,
      's',
    ).test(name),
  forgetsRole: (): boolean => true,
  unknownRole: (name: string): Error => notFound(`no role ${name}`),
  /** The transformation that a request means: the one it names, or the only one of the role. */
  chosenName(item: JsonObject, transformations: string[]): string {
    const named = textOf(item, 'transformation')
    if (named !== '') return named
    if (transformations.length === 1) return transformations[0]!
    throw invalid('transformation must be given unless the role has exactly one')
  },
  roleAllows: (transformations: string[], name: string): boolean => transformations.includes(name),
  transformationAllows: (transformation: Transformation, role: string): boolean => transformation.allowedRoles.includes(role),
}
