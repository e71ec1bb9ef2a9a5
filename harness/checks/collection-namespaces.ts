/** A collection in a namespace within a namespace, which a request names in its header, in its path, or half in each. */
import type { Collection } from './collection.ts'
import type { CheckContext } from './vocabulary.ts'

/** The body of such a check, for a collection whose things can be written in a mount of this type alone. */
export const keptInNamespaces =
  (collection: Collection, { type, spelled }: NonNullable<Collection['alone']>) =>
  async ({ bench, expect }: CheckContext): Promise<void> => {
    const { at, operations } = collection
    const outer = await bench.namespace()
    const mount = await bench.mount(type, { namespace: await bench.namespace(outer) })
    const [body = {}] = await collection.bodies(bench)
    for (const [writes, clause] of spelled.entries())
      await bench.decide(clause, async () => {
        const path = { ...at, name: bench.fresh('n') }
        const written = await bench.call(operations.write, { path: { name: path.name }, body, mount, namespaceInPath: writes })
        expect(written, `a write with ${writes} of two segments in the path`).toSucceed()
        for (const reads of spelled.keys())
          expect(
            await bench.call(operations.read, { path, mount, namespaceInPath: reads }),
            `a read with ${reads} in the path of what was written with ${writes}`,
          ).toSucceed()
      })
  }
