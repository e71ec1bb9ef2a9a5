/** Namespaces within namespaces, as deep as they can be made: each split between header and path reaches the same entry. */
import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'

const DEEPEST = 5

/** The clause of a spelling that has so many of the segments of the namespace in the path. */
const clauseOf = (inPath: number, depth: number): string => (inPath === 0 ? 'CORE-NS-01' : inPath === depth ? 'CORE-NS-03' : 'CORE-NS-02')

check(
  'core/deep-namespaces',
  ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'],
  'every split of a deep namespace between header and path reaches one entry',
  { needs: { features: ['namespaces'] } },
  async ({ bench, expect }) => {
    let namespace = await bench.namespace()
    for (let depth = 2; depth <= DEEPEST; depth += 1) {
      const deeper = bench.namespace(namespace)
      // How deep namespaces can be is not said beyond the two of the examples.
      const made = depth === 2 ? await deeper : await deeper.catch(() => undefined)
      if (made === undefined) return
      namespace = made
      const mount = await bench.mount('kv1', { namespace })
      const { path, value } = await storeEntry(bench, { mount })
      for (let inPath = 0; inPath <= depth; inPath += 1)
        await bench.decide(clauseOf(inPath, depth), async () =>
          expect(
            await storedUnder(bench, path, { mount, namespaceInPath: inPath }),
            `${depth} namespaces, ${inPath} of them in the path`,
          ).toBe(value),
        )
    }
  },
)
