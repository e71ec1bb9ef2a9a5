/** The whole life of everything that is written by name, the same for each kind of it. */
import { type Answer, type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { listsSorted, shownOf, type Thing, things } from './things.ts'

const keysOf = (answer: Answer, prefix: string): Json[] =>
  (Array.isArray(answer.data.keys) ? answer.data.keys : []).filter((key) => String(key).includes(prefix)).sort()

/** Names of which some begin with others, end in them, or differ from another in their last letter. */
const relatedNames = (bench: Bench): { prefix: string; names: string[] } => {
  const prefix = bench.mixedName('life')
  return { prefix, names: [prefix, `${prefix}-2`, `a-${prefix}`, `${prefix}-2-b`, `${prefix}-2-c`] }
}

const made = async (bench: Bench, thing: Thing): Promise<{ prefix: string; names: string[]; shown: Json[] }> => {
  const bodies = await thing.bodies(bench)
  const { prefix, names } = relatedNames(bench)
  const shown: Json[] = []
  for (const [index, name] of names.entries()) {
    const one = bodies[index % bodies.length]!
    await bench.given(thing.write, { path: { name }, body: one.body })
    shown.push(one.shown)
  }
  return { prefix, names, shown }
}

for (const thing of things) {
  const { clauses } = thing
  const read = (bench: Bench, name: string): Promise<Answer> => bench.call(thing.read, { path: { name } })

  check(
    `transform/${thing.word}-written`,
    [...new Set([clauses.created, clauses.read, clauses.again])],
    `what is written as ${thing.word} is read, the first time and again`,
    thing.options,
    async ({ bench, expect }) => {
      const bodies = await thing.bodies(bench)
      const neighbour = bench.mixedName('neighbour')
      const before = await bench.call(thing.write, { path: { name: neighbour }, body: bodies[0]!.body })
      await bench.decide(clauses.created, () => expect(before, 'the very first write').toSucceed())
      for (const [index, { body, shown }] of bench.few([...bodies.entries()])) {
        const path = { name: bench.fresh(thing.word) }
        const written = await bench.call(thing.write, { path, body })
        const first = await bench.call(thing.read, { path })
        await bench.decide(clauses.created, () => {
          expect(written, 'the first write').toSucceed()
          expect(first, 'the read after it').toSucceed()
        })
        await bench.decide(clauses.read, () => {
          expect(first).toHaveStatus(200)
          expect(shownOf(first.data, shown), 'what was written').toEqual(listsSorted(shown))
        })
        const other = bodies[(index + 1) % bodies.length]!
        const again = await bench.call(thing.write, { path, body: other.body })
        const second = await bench.call(thing.read, { path })
        await bench.decide(clauses.again, () => {
          const expected = again.ok ? other.shown : shown
          expect(shownOf(second.data, expected), 'what was written last').toEqual(listsSorted(expected))
        })
      }
      const beside = await read(bench, neighbour)
      await bench.decide(clauses.read, () =>
        expect(shownOf(beside.data, bodies[0]!.shown), 'a neighbour').toEqual(listsSorted(bodies[0]!.shown)),
      )
    },
  )

  check(
    `transform/${thing.word}-unknown`,
    clauses.unknown,
    `an unknown ${thing.word} gives 404`,
    thing.options,
    async ({ bench, expect }) => {
      const { prefix } = await made(bench, thing)
      for (const name of [bench.fresh('nobody'), prefix.slice(0, -1), `${prefix}-3`, `${prefix}x`, prefix.slice(prefix.indexOf('-') + 1)])
        expect(await read(bench, name), 'a name that was never written').toHaveStatus(404)
      expect(await read(bench, prefix), 'a name that was').toHaveStatus(200)
    },
  )

  check(
    `transform/${thing.word}-listed`,
    clauses.listed,
    `a listing of ${thing.word} holds the existing names`,
    thing.options,
    async ({ bench, expect }) => {
      const { prefix, names } = await made(bench, thing)
      const listed = await bench.call(thing.list)
      expect(listed).toHaveStatus(200)
      expect(keysOf(listed, prefix), 'names of this check').toEqual([...names].sort())
      for (const key of listed.data.keys as Json[]) expect(typeof key, 'a name').toBe('string')
    },
  )

  check(
    `transform/${thing.word}-names-shown`,
    clauses.listed,
    `a listing of ${thing.word} shows each name as it was written, whatever letters it has`,
    thing.options,
    async ({ bench, expect }) => {
      const [first] = await thing.bodies(bench)
      const taken: string[] = [bench.mixedName('life')]
      await bench.given(thing.write, { path: { name: taken[0]! }, body: first!.body })
      for (const letters of ['a b', 'a@b', 'a:b', 'a+b', 'a%41', 'ä', 'a,b', 'x'.repeat(150)]) {
        const name = `${bench.mixedName('life')}-${letters}`
        bench.defer(() => bench.call(thing.remove, { path: { name } }))
        // Not every server takes every letter in a name; what it took it has to show.
        if ((await bench.call(thing.write, { path: { name }, body: first!.body })).ok && (await read(bench, name)).ok) taken.push(name)
      }
      const { data } = await bench.given(thing.list)
      expect(data.keys, 'names shown').toEqual(expect.arrayContaining(taken))
    },
  )

  // Nobody else lists there meanwhile: a listing that is kept until the number of names changes has to show.
  const alone = { ...thing.options, needs: { ...thing.options.needs, mounts: { transform: { type: 'transform' } } } }

  check(
    `transform/${thing.word}-deleted`,
    [...new Set([clauses.deleted, clauses.absent])],
    `a deleted ${thing.word} is gone, and its neighbours stay`,
    alone,
    async ({ bench, expect }) => {
      const { prefix, names, shown } = await made(bench, thing)
      const [gone, ...left] = names as [string, ...string[]]
      const before = await bench.call(thing.list)
      const deleted = await bench.call(thing.remove, { path: { name: gone } })
      const [after, listed] = [await read(bench, gone), await bench.call(thing.list)]
      const beside: Answer[] = []
      for (const name of left) beside.push(await read(bench, name))
      await bench.decide(clauses.deleted, () => {
        expect(keysOf(before, prefix), 'names before').toEqual([...names].sort())
        expect(deleted, 'the deletion').toSucceed()
        expect(after, 'a read of what is gone').toHaveStatus(404)
        expect(keysOf(listed, prefix), 'names left').toEqual([...left].sort())
        for (const [index, answer] of beside.entries())
          expect(shownOf(answer.data, shown[index + 1] as JsonObject), 'a neighbour').toEqual(listsSorted(shown[index + 1] as JsonObject))
      })
      bench.observe(clauses.absent, { again: (await bench.call(thing.remove, { path: { name: gone }, observing: true })).status })
    },
  )

  check(
    `transform/${thing.word}-anew`,
    [...new Set([clauses.recreated, clauses.listed])],
    `a deleted name of ${thing.word} can be taken again, and listings keep up`,
    alone,
    async ({ bench, expect }) => {
      const { prefix, names } = await made(bench, thing)
      const [gone, ...left] = names as [string, ...string[]]
      const other = (await thing.bodies(bench)).at(-1)!
      await bench.given(thing.remove, { path: { name: gone } })
      await bench.call(thing.remove, { path: { name: gone } })
      const rewritten = await bench.call(thing.write, { path: { name: gone }, body: other.body })
      const recreated = await read(bench, gone)
      const relisted = await bench.call(thing.list)
      await bench.decide(clauses.recreated, () => {
        expect(rewritten, 'writing a deleted name').toSucceed()
        expect(shownOf(recreated.data, other.shown), 'what was written again').toEqual(listsSorted(other.shown))
        expect(keysOf(relisted, prefix), 'names with the new one').toEqual([...names].sort())
      })
      // As many names as there were when they were listed last, and others.
      const instead = `${prefix}-instead`
      await bench.given(thing.remove, { path: { name: gone } })
      await bench.given(thing.write, { path: { name: instead }, body: other.body })
      const changed = await bench.call(thing.list)
      await bench.decide(clauses.listed, () =>
        expect(keysOf(changed, prefix), 'names that were changed').toEqual([...left, instead].sort()),
      )
    },
  )

  check(
    `transform/${thing.word}-at-once`,
    clauses.created,
    `${thing.word}: what is written concurrently is all there`,
    thing.options,
    async ({ bench, expect }) => {
      const bodies = await thing.bodies(bench)
      const all = Array.from({ length: 6 }, (_, index) => ({ name: bench.fresh('at-once'), ...bodies[index % bodies.length]! }))
      await Promise.all(all.map(({ name, body }) => bench.given(thing.write, { path: { name }, body })))
      for (const { name, shown } of all) {
        const answer = await read(bench, name)
        expect(answer, 'one of several written at once').toHaveStatus(200)
        expect(shownOf(answer.data, shown), 'what was written').toEqual(listsSorted(shown))
      }
    },
  )

  check(
    `transform/${thing.word}-in-mounts`,
    'CORE-MOUNT-02',
    `a ${thing.word} of one mount is none of another`,
    { ...thing.options, needs: { ...thing.options.needs, features: ['mounts'] } },
    async ({ bench, expect }) => {
      // Requests that name no mount go to the first.
      await bench.mount('transform')
      const there = await bench.mount('transform')
      const bodies = await thing.bodies(bench)
      const [first, last] = [bodies[0]!, bodies.at(-1)!]
      const path = { name: bench.mixedName('mounted') }
      await bench.given(thing.write, { path, body: first.body })
      const own = async () => shownOf((await read(bench, path.name)).data, first.shown)
      expect(await bench.call(thing.read, { path, mount: there }), 'a read in the other mount').toHaveStatus(404)
      expect(keysOf(await bench.call(thing.list, { mount: there }), path.name), 'names in the other mount').toEqual([])
      // What a body names is not there, and may be missed.
      const namesake = await bench.call(thing.write, { path, body: last.body, mount: there })
      const other = await bench.call(thing.read, { path, mount: there })
      if (namesake.ok) expect(shownOf(other.data, last.shown), 'its namesake').toEqual(listsSorted(last.shown))
      expect(await own(), 'after a write in the other mount').toEqual(first.shown)
      await bench.call(thing.remove, { path, mount: there })
      expect(await own(), 'after a deletion in the other mount').toEqual(first.shown)
    },
  )
}
