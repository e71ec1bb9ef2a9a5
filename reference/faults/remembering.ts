/** Ways of going by what was true before, which faults of several engines share: wrappers of handlers that remember earlier requests. */
import type { Call } from '../core/engine.ts'
import { ApiError } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { insteadOfRefusal } from './wrappers.ts'

type Handler<C> = (call: C) => Reply | Promise<Reply>

interface WithRoles {
  roles: Map<string, object>
}

type RoleOf<S extends WithRoles> = S['roles'] extends Map<string, infer Role> ? Role : never

/**
 * Handles a request by another state of its role `:name`, or by none.
 * @param choose which one, of the role as it was when the operation used it last and as it is now
 */
export const bySeenRole = <S extends WithRoles, R>(
  choose: (seen: RoleOf<S> | undefined, current: RoleOf<S> | undefined) => RoleOf<S> | undefined,
): ((original: Handler<Call<S, R>>) => Handler<Call<S, R>>) => {
  const used = new WeakMap<S, Map<string, RoleOf<S>>>()
  return (original) => (call) => {
    const name = call.params.name ?? ''
    const seen = used.get(call.state) ?? new Map<string, RoleOf<S>>()
    used.set(call.state, seen)
    const current = call.state.roles.get(name) as RoleOf<S> | undefined
    const role = choose(seen.get(name), current)
    if (current) seen.set(name, { ...current })
    const roles = new Map(call.state.roles)
    if (role) roles.set(name, role)
    // The state itself stays, for what is issued is kept in it.
    return original({ ...call, state: Object.assign(Object.create(call.state) as S, { roles }) })
  }
}

/** A listing of roles that had names once is answered where it should be refused as empty. */
export const emptiedListing =
  <S extends WithRoles, R>(answer: () => Reply) =>
  (original: Handler<Call<S, R>>): Handler<Call<S, R>> => {
    const full = new WeakSet<S>()
    const forgiving = insteadOfRefusal<Call<S, R>>(answer, (call) => full.has(call.state))(original)
    return async (call) => {
      if (call.state.roles.size > 0) full.add(call.state)
      return forgiving(call)
    }
  }

/** Requests of one kind within a second get the same answer. */
export const sharedWithinSecond =
  <C extends { now(): number }>(kindOf: (call: C) => object | undefined) =>
  (original: Handler<C>): Handler<C> => {
    const latest = new WeakMap<object, { at: number; given: Reply }>()
    return async (call) => {
      const kind = kindOf(call)
      const before = kind && latest.get(kind)
      if (before && call.now() - before.at < 1) return before.given
      const given = await original(call)
      if (kind) latest.set(kind, { at: call.now(), given })
      return given
    }
  }

/** What failed once fails from then on. */
export const brokenAfterFailure =
  <C>(partOf: (call: C) => object | undefined, message: string) =>
  (original: Handler<C>): Handler<C> => {
    const broken = new WeakSet<object>()
    return async (call) => {
      const part = partOf(call)
      if (part && broken.has(part)) throw new ApiError(500, message)
      try {
        return await original(call)
      } catch (cause) {
        if (part && cause instanceof ApiError && cause.status >= 500) broken.add(part)
        throw cause
      }
    }
  }

/** What a faulty server remembers beside its state: a record for each owner, a mount's state or a server's services. */
export const remembered = <T>(make: () => T): ((owner: object) => T) => {
  const known = new WeakMap<object, T>()
  return (owner) => {
    const record = known.get(owner) ?? make()
    known.set(owner, record)
    return record
  }
}
