/** Somebody else who may do all that root may, so that a check can ask whether it matters who does something. */
import { Blocked } from '../base/errors.ts'
import type { Capability, Identity } from '../target/exchange.ts'
import type { Bench } from './vocabulary.ts'

const EVERYTHING: Capability[] = ['create', 'read', 'update', 'delete', 'list', 'sudo']

/**
 * A caller who may do everything with these operations, whatever they name; undefined where the target has no such tokens.
 *
 * @param path parameters that are fixed, e.g. the kind of a thing.
 */
export const anotherCaller = async (
  bench: Bench,
  operations: readonly string[],
  path: Readonly<Record<string, string>> = {},
): Promise<Identity | undefined> => {
  try {
    return await bench.identity(operations.map((operation) => ({ operation, path: { ...path }, capabilities: EVERYTHING })))
  } catch (error) {
    if (error instanceof Blocked) return undefined
    throw error
  }
}

/** An identity that a target may do without; undefined where it has none of that name. */
export const namedIfAny = (bench: Pick<Bench, 'named'>, name: string): Identity | undefined => {
  try {
    return bench.named(name)
  } catch (error) {
    if (error instanceof Blocked) return undefined
    throw error
  }
}
