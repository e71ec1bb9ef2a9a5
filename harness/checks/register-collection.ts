/** The checks that each collection gets. */
import { check } from './check.ts'
import { type Collection, callersOf, collects } from './collection.ts'
import { keptAsWritten, keysOf } from './collection-names.ts'
import { keptInNamespaces } from './collection-namespaces.ts'
import type { CheckContext } from './vocabulary.ts'

const DEADLINE = 180_000

/** Words that a server may reserve: tried in a mount of its own, where nobody else uses these names. */
const RESERVED = ['default', 'root', 'public', 'admin', 'config']

/** A mount in which the last of them is deleted: nothing to list is answered as it was before there was one. Then each reserved word is tried as a name. */
const emptied =
  (collection: Collection) =>
  async ({ bench, expect }: CheckContext): Promise<void> => {
    const { clauses, operations, bodies, own, at } = collection
    const first = (await bodies(bench))[0]!
    const callers = await callersOf(bench, collection)
    for (const round of ['first', 'second']) {
      const path = { ...at, name: bench.fresh('n') }
      const where = at === undefined ? {} : { path: at }
      bench.defer(() => bench.call(operations.remove, { path }))
      await bench.given(operations.write, { path, body: { ...first, ...(await own?.(bench)) } })
      for (const as of callers) await bench.given(operations.list!, { ...where, as })
      await bench.given(operations.remove, { path })
      for (const as of callers)
        for (const method of ['LIST', 'GET'])
          await bench.decide(clauses.listed!, async () => {
            const listing = await bench.call(operations.list!, { ...where, method, as })
            expect(listing, `by ${method}, the ${round} time all are deleted`).toHaveStatus(404)
          })
    }
    for (const name of RESERVED) {
      const path = { ...at, name }
      // A target may refuse any of these names.
      if (!(await bench.call(operations.write, { path, body: { ...first, ...(await own?.(bench)) } })).ok) continue
      bench.defer(() => bench.call(operations.remove, { path }))
      await bench.decide(clauses.read, async () => expect(await bench.call(operations.read, { path }), name).toSucceed())
      const listing = await bench.call(operations.list!, at === undefined ? {} : { path: at })
      await bench.decide(clauses.listed!, () => expect(keysOf(collection, listing), 'the names listed').toContain(name))
    }
  }

const orAbsent =
  ({ absent }: Collection, clauses: readonly string[], whole: (context: CheckContext) => Promise<void>) =>
  async (context: CheckContext): Promise<void> => {
    const reason = absent?.(context.bench)
    if (reason === undefined) return whole(context)
    for (const clause of clauses) context.bench.observe(clause, reason)
  }

/**
 * Registers a check of a collection: nine things with names that are alike, no two next to each other with the same body, are written, written
 * again, deleted and made again; after each step every other one is read back and listed, and all of it compared whole. A hundred more show
 * whether a listing ends early. Where the target can make tokens, root and somebody else who may do all of it take turns, and each sees all.
 *
 * @param id of the check, e.g. `ssh/roles-apart`.
 * @param collection its operations, clauses and bodies.
 */
export const collection = (id: string, title: string, collection: Collection): void => {
  const { read, listed, deleted } = collection.clauses
  const clauses = [...new Set([read, ...(listed === undefined ? [] : [listed]), deleted])]
  const needs = collection.needs === undefined ? {} : { needs: collection.needs }
  check(id, clauses, title, { deadline: DEADLINE, ...needs }, orAbsent(collection, clauses, collects(collection)))
  const named = [...new Set([read, ...(listed === undefined ? [] : [listed])])]
  check(
    `${id}-as-written`,
    named,
    'what is written under a name is read and listed under it',
    needs,
    orAbsent(collection, named, keptAsWritten(collection)),
  )
  if (collection.alone !== undefined)
    check(
      `${id}-in-namespaces`,
      [...collection.alone.spelled],
      'what is written under one spelling of a namespace is read under the others',
      { needs: { ...collection.needs, features: [...(collection.needs?.features ?? []), 'mounts', 'namespaces'] } },
      keptInNamespaces(collection, collection.alone),
    )
  if (collection.emptied === undefined || listed === undefined) return
  const only = orAbsent(collection, named, emptied(collection))
  check(
    `${id}-emptied`,
    named,
    'an emptied listing is answered with 404, and reserved words are ordinary names',
    { needs: collection.emptied },
    only,
  )
}
