/** What a run was asked to decide, and so what its verdict can speak for. */
import type { RunScope } from '../../specs/meta/results.ts'

/** Clauses, checks, kinds or a shard were chosen within the engines. */
export const isNarrowedWithin = ({ part, shard }: RunScope): boolean => part || shard !== undefined

/** Not every check of the claimed engines was selected. */
export const isNarrowed = (scope: RunScope): boolean => isNarrowedWithin(scope) || scope.engines.length < scope.claimed.length
