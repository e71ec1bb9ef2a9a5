/** What is written after something else, to the same key, beside a directory of its name, or once the key was forgotten, is what is read. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { expectStored, onVersions, shownBy, store, storeVersion, VERSION_1, VERSION_2 } from '../fixtures.ts'

const [A, B, C]: JsonObject[] = [{ value: 'a', list: [1, { two: 2 }] }, { value: 'b' }, { value: 'c', list: [] }]

/** Values come again: the first one after another, the one before, and the same twice. */
const SEQUENCE = [A!, B!, A!, A!, C!, B!, A!]

for (const [name, version, replaced, stored] of [
  ['v1', VERSION_1, 'KV-V1-04', 'KV-V1-09'],
  ['v2', VERSION_2, 'KV-V2-06', 'KV-V2-02'],
] as const) {
  check(`kv/${name}-values-come-again`, replaced, 'a value that was there before replaces the one between', async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    for (const value of SEQUENCE) {
      await store(bench, version, path, value)
      await expectStored(bench, expect, version, path, JSON.stringify(value))
    }
  })

  check(`kv/${name}-equal-values-apart`, replaced, 'of keys that hold equal values, one is written again', async ({ bench, expect }) => {
    const paths = [0, 1, 2].map(() => bench.mixedName('key'))
    for (const [at, path] of paths.entries()) {
      for (const other of paths) await store(bench, version, other, A!)
      await store(bench, version, path, [B!, C!, A!][at]!)
      await store(bench, version, path, B!)
      for (const other of paths) await expectStored(bench, expect, version, other, JSON.stringify(other === path ? B : A))
    }
  })

  check(
    `kv/${name}-key-and-directory`,
    stored,
    'a key and what lies below its name are apart, where both are taken',
    async ({ bench, expect }) => {
      const write = async (path: string, value: JsonObject) =>
        (await bench.call(version.write, { path: { path }, body: version.body(value) })).ok
      for (const order of [0, 1]) {
        const path = bench.mixedName('key')
        const all: [string, JsonObject][] = [
          [`${path}/below`, A!],
          [`${path}/below/deep`, B!],
          [path, C!],
        ]
        const taken: [string, JsonObject][] = []
        for (const [at, value] of order === 0 ? all : all.toReversed()) {
          // Whether both may be there is advised only: what was taken stays.
          if (await write(at, value)) taken.push([at, value])
          for (const [known, kept] of taken) await expectStored(bench, expect, version, known, JSON.stringify(kept))
        }
        for (const [at] of taken) {
          if (!(await write(at, { value: 'again' }))) continue
          for (const [known, kept] of taken.filter(([other]) => other !== at))
            await expectStored(bench, expect, version, known, JSON.stringify(kept))
          await store(bench, version, at, taken.find(([known]) => known === at)![1])
        }
      }
    },
  )
}

/** What was done to versions of a key before it was forgotten. */
const FATES: Record<string, (bench: Bench, path: string, versions: number[]) => Promise<unknown>> = {
  deleted: (bench, path, versions) => onVersions(bench, 'delete', path, versions),
  destroyed: (bench, path, versions) => onVersions(bench, 'destroy', path, versions),
  'deleted, then destroyed': async (bench, path, versions) => {
    await onVersions(bench, 'delete', path, versions)
    await onVersions(bench, 'destroy', path, versions)
  },
}

check(
  'kv/v2-written-after-all',
  'KV-V2-14',
  'a key is written again after its versions were deleted or destroyed, and after it was forgotten',
  async ({ bench, expect }) => {
    for (const [what, happens] of Object.entries(FATES))
      for (const forgets of [false, true]) {
        const path = bench.mixedName('key')
        const versions = [await storeVersion(bench, path, A!, 1), await storeVersion(bench, path, B!, 2)]
        await happens(bench, path, versions)
        // What this does beside is open.
        if (forgets) await bench.call('kv2.deleteMetadata', { path: { path } })
        // Once what the newest version held, once something else comes first.
        for (const value of forgets ? [C!, B!, A!] : [B!, C!, A!]) {
          await store(bench, VERSION_2, path, value)
          expect(await shownBy(bench, path), `a write after all was ${what}${forgets ? ' and forgotten' : ''}`).toEqual(value)
        }
      }
  },
)

for (const [name, version, clause, bodies] of [
  ['v1', VERSION_1, 'KV-V1-05', ['[1]', '"text"', '7']],
  ['v2', VERSION_2, 'KV-V2-04', ['{}', '{"value":"beside data"}', '{"options":{}}']],
] as const)
  check(`kv/${name}-refused-leaves-nothing`, clause, 'a refused write of a new key leaves nothing of it', async ({ bench, expect }) => {
    for (const rawBody of bodies)
      for (const method of ['POST', 'PUT']) {
        const directory = `${bench.fresh('dir')}/`
        const path = `${directory}key`
        expect(await bench.call(version.write, { path: { path }, rawBody, method, invalid: true }), `${method} of ${rawBody}`).toBeRefused()
        expect(await bench.call(version.read, { path: { path } }), `a read after ${method} of ${rawBody}`).toHaveStatus(404)
        for (const form of ['LIST', 'GET'])
          expect(
            await bench.call(version.list, { path: { directory }, method: form }),
            `${form} after ${method} of ${rawBody}`,
          ).toHaveStatus(404)
        await store(bench, version, path, A!)
        await expectStored(bench, expect, version, path, JSON.stringify(A))
      }
  })
