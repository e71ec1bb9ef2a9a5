/** Ways to write a variant of the certificate authority in a line or two. */
import type { JsonObject, Reply, Route } from '../core/engine.ts'
import { ApiError } from '../core/errors.ts'
import { type Mutation, type Variant, variant } from '../core/mutation.ts'
import { pkiEngine } from '../engines/pki/index.ts'
import type { PkiRules } from '../engines/pki/rules.ts'
import type { PkiState } from '../engines/pki/state.ts'

export type Handle = Route<PkiState, PkiRules>['handle']

/** A variant of the engine; its id gets the engine's prefix. */
export const pkiVariant = (name: string, title: string, reading: string, mutation: Mutation<PkiRules, Handle>): Variant =>
  variant(pkiEngine, { id: `pki-${name}`, engine: 'pki', title, reading }, mutation)

/** Changes an answer. */
export const onReply =
  (change: (reply: Reply) => Reply) =>
  (original: Handle): Handle =>
  async (call) =>
    change(await original(call))

/** Refuses otherwise, or answers instead. */
export const onRefusal =
  (change: (cause: ApiError) => ApiError | Reply) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      const instead = change(cause)
      if (instead instanceof ApiError) throw instead
      return instead
    }
  }

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject
